"""A list begins with what was made on the CPU, a loop appends what the parameters gave, and all of it is stacked."""

import torch
from torch import nn


class Powers(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.links = nn.Parameter(torch.rand(size, size))

    def series(self, order):
        terms = [torch.eye(self.links.size(0)), self.links.softmax(1)]  # expect: TL204
        while len(terms) < order:
            terms.append(terms[1] @ terms[-1])
        return torch.stack(terms[:order])

    def series_there(self, order):
        terms = [torch.eye(self.links.size(0)).to(self.links), self.links.softmax(1)]  # ok: TL204  moved
        while len(terms) < order:
            terms.append(terms[1] @ terms[-1])
        return torch.stack(terms[:order])

    def numbers(self, order):
        steps = [torch.zeros(1), torch.ones(1)]  # ok: TL204  all of it lies on the CPU
        while len(steps) < order:
            steps.append(steps[-1] + 1)
        return torch.stack(steps[:order])

    def either(self, plain):
        rows = [torch.eye(3)] if plain else [self.links]  # ok: TL204  one or the other
        return torch.stack(rows)

    def forward(self, x):
        return self.series(3).sum(0) @ x + self.series_there(2).sum(0) @ x
