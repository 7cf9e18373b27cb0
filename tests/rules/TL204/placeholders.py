"""A list is made as long as it will be and filled item by item: what stood in it before meets nothing but early reads."""

import torch
from torch import nn


class Unrolled(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.dim = dim
        self.cell = nn.GRUCell(dim, dim)

    def forward(self, first, actions):
        count = actions.size(0)
        states = [torch.empty(0)] * (count + 1)  # ok: TL204  each item is assigned before it is read
        states[0] = first
        for step in range(count):
            states[step + 1] = self.cell(actions[step], states[step])
        return torch.stack(states[1:]) * actions

    def gathered(self, first, actions):
        rows = [torch.zeros(1) for _ in range(actions.size(0))]  # ok: TL204  the loop replaces all of them
        for step, action in enumerate(actions):
            first = rows[step] = self.cell(action, first)
        return torch.stack(rows) + actions

    def layered(self, actions):
        states = [torch.zeros(1, self.dim)] * 2  # expect: TL204
        for action in actions:
            for layer in range(2):
                action = states[layer] = self.cell(action, states[layer])
        return action

    def repeated(self, actions):
        rows = [torch.zeros(1, self.dim)] * 3  # expect: TL204
        return torch.stack(rows) * actions.detach()


def demonstrate():
    module, first, actions = (
        Unrolled().to("meta"),
        torch.zeros(1, 4, device="meta"),
        torch.zeros(3, 1, 4, device="meta"),
    )
    module(first, actions), module.gathered(first, actions)
    for call in (lambda: module.layered(actions), lambda: module.repeated(actions)):
        try:
            call()
            raise AssertionError("the meta device takes a tensor of the CPU")
        except RuntimeError as error:
            assert "device" in str(error)
