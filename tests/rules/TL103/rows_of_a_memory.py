"""Rows of a buffer that a mode change writes are a memory that goes on; a buffer that is filled as a whole is a cache."""
import torch
from torch import nn


class NodeMemory(nn.Module):
    """What is still waiting is written into the memory when training ends, as it would be in the next step."""

    def __init__(self, nodes: int = 4, dim: int = 2):
        super().__init__()
        self.cell = nn.GRUCell(dim, dim)
        self.register_buffer("memory", torch.zeros(nodes, dim))
        self.register_buffer("places", torch.zeros(nodes, dtype=torch.int64))
        self.waiting = None  # ok: TL122

    def keep(self, nodes, message):
        self.waiting = (nodes, message.detach())

    def write(self, nodes, message):
        self.places[nodes] = torch.arange(len(nodes))  # ok: TL103
        self.memory[nodes] = self.cell(message, self.memory[nodes]).detach()  # ok: TL103

    def train(self, mode: bool = True):
        if self.training and not mode and self.waiting is not None:
            self.write(*self.waiting)
        return super().train(mode)

    def forward(self, nodes):
        return self.memory[nodes] + self.places[nodes][:, None]


class FoldedScale(nn.Module):
    def __init__(self, dim: int = 2):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(dim))
        self.register_buffer("folded", torch.ones(dim), persistent=False)

    def train(self, mode: bool = True):
        if not mode:
            self.folded[:] = self.scale.detach().exp()  # expect: TL103
        return super().train(mode)

    def forward(self, x):
        return x * (self.scale.exp() if self.training else self.folded)


def demonstrate():
    module = NodeMemory()
    module.keep(torch.tensor([1]), torch.ones(1, 2))
    module.eval()
    assert module.double()(torch.tensor([1])).dtype is torch.float64
    assert module.memory[1].abs().sum() > 0
    folded = FoldedScale().eval()
    folded.load_state_dict({"scale": torch.zeros(2)})
    assert torch.equal(folded(torch.ones(2)), FoldedScale().eval()(torch.ones(2)))
