"""A module in a list of one hides from its owner on purpose; what the caller made is the caller's."""
import torch
from torch import nn


class Guided(nn.Module):
    def __init__(self, owner: nn.Module, stages: list[nn.Module], points: list[torch.Tensor], dim: int = 3):
        super().__init__()
        self.teacher = [nn.Linear(dim, dim)]  # note: TL105
        self.owner = [owner]  # note: TL105
        self.stages = stages  # note: TL105
        self.points = points  # note: TL105
        self.looped = [nn.Linear(dim, dim)]  # expect: TL105  a list that is walked hides nothing
        self.head = nn.Linear(dim, dim)
        self.own = [self.head]  # ok: TL105
        self.registered = nn.ModuleList([nn.Linear(dim, dim)])  # ok: TL105
        self.names = [owner.__class__.__name__]  # ok: TL105
        self.copies = tuple(point.tolist() for point in points)  # ok: TL105

    def forward(self, x):
        for layer in self.looped:
            x = layer(x)
        x = self.stages[0](self.owner[0](self.registered[0](self.teacher[0](x)))) + self.points[0]
        return self.own[0](x) * len(self.names) * len(self.copies)


def demonstrate():
    owner = nn.Linear(3, 3)
    module = Guided(owner, [nn.Linear(3, 3)], [torch.ones(3)]).double()
    assert module.teacher[0].weight.dtype == module.looped[0].weight.dtype == torch.float32
    assert owner.weight.dtype == module.stages[0].weight.dtype == torch.float32
    assert module.points[0].dtype == torch.float32
