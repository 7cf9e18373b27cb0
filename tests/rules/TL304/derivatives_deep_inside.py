"""A network whose forward pass takes a derivative, some calls deep, cannot run under no_grad()."""
import torch
from torch import nn


class Field(nn.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, hidden), nn.Softplus(), nn.Linear(hidden, 1))

    def forward(self, points):
        return self.layers(points)

    def slope(self, points):
        points = points.requires_grad_()
        return torch.autograd.grad(self(points).sum(), points)[0]


class Surface(nn.Module):
    def __init__(self):
        super().__init__()
        self.field = Field()
        self.color = nn.Linear(3, 3)

    def shade(self, points):
        return self.color(self.field.slope(points))

    def forward(self, points):
        return {"colors": self.shade(points), "heights": self.field(points)}


class Flat(nn.Module):
    def __init__(self):
        super().__init__()
        self.field = Field()
        self.color = nn.Linear(1, 3)

    def forward(self, points):
        return {"colors": self.color(self.field(points))}


def render(loader):
    model = Surface()
    model.eval()  # ok: TL304  the forward pass needs gradients
    return [model(points)["colors"].detach() for points in loader]


def render_flat(loader):
    model = Flat()
    model.eval()  # expect: TL304
    return [model(points)["colors"].detach() for points in loader]


def render_chosen(name, loader):
    model = globals()[name]()
    model.eval()  # ok: TL304  the file has a network that takes points and needs gradients
    return [model(points)["colors"].detach() for points in loader]


class Judge:
    """Each of its answers comes from a derivative, three methods away."""

    def __init__(self, model: nn.Module):
        self.model = model

    def derive(self, points):
        return torch.autograd.grad(self.model(points).sum(), points)[0]

    def slope(self, points):
        return self.derive(points)

    def steepness(self, points):
        return self.slope(points).norm(dim=-1)

    def over(self, loader):
        self.model.eval()  # ok: TL304
        return [self.steepness(points.requires_grad_()) for points in loader]

    def heights(self, points):
        return self.model(points).sum()

    def heights_over(self, loader):
        self.model.eval()  # expect: TL304
        return [self.heights(points) for points in loader]


def demonstrate():
    loader = [torch.rand(4, 3)]
    with torch.no_grad():
        try:
            Surface()(loader[0].clone())
            raise AssertionError("the derivative was taken")
        except RuntimeError as error:
            assert "grad" in str(error)
        Flat()(loader[0])
    assert render_chosen("Surface", loader)[0].shape == (4, 3)
    assert render(loader)[0].shape == render_flat(loader)[0].shape == (4, 3)
    judge = Judge(Field())
    assert judge.over(loader)[0].shape == (4,)
    assert judge.heights_over([torch.rand(4, 3)])[0].requires_grad
