"""What later calls put in, take out or replace is data of the run, not state of the module."""
import copy

import torch
from torch import nn


class Streaming(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.cache = {}  # ok: TL105  filled by calls
        self.history: list[float] = []  # ok: TL105
        self.outputs = []  # ok: TL105
        self.hidden = (torch.zeros(dim), torch.zeros(dim))  # ok: TL105  replaced by each call
        self.memory = [torch.zeros(dim)]  # ok: TL105  grows
        self.window = [torch.zeros(dim)]  # ok: TL105  emptied
        self.backup = copy.deepcopy(self.layer.state_dict())  # ok: TL105  a load copies from it
        self.messages = {"start": torch.zeros(dim)}  # ok: TL105  a helper fills it
        self.fixed = [torch.zeros(dim)]  # expect: TL105

    def reset(self):
        self.layer.load_state_dict(self.backup)
        self.window.clear()

    def _keep(self, messages, x):
        messages["last"] = x.detach()

    def forward(self, x):
        self._keep(self.messages, x)
        x = x + self.messages["start"].to(x.device)
        if x.shape not in self.cache:
            self.cache[x.shape] = torch.zeros(x.shape, device=x.device, dtype=x.dtype)  # expect: TL104
        self.hidden = (x.detach() + self.hidden[0].to(x), self.hidden[1])
        self.memory.append(x.detach())
        self.history.append(float(x.detach().mean()))
        self.outputs.append(x.detach().cpu())
        return self.layer(x) + self.cache[x.shape] + self.memory[0].to(x) + self.fixed[0]


def demonstrate():
    module = Streaming()
    module(torch.ones(3))
    assert set(module.state_dict()) == {"layer.weight", "layer.bias"}
    assert module.double().fixed[0].dtype == torch.float32
