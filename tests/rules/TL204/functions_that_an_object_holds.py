"""A module calls what it was made with: a function of the file, or an object of a class that a table names."""
import torch
from torch import nn


def noisy(x, share=0.1):
    return x + share * torch.randn(x.shape)  # expect: TL204


def noisy_alike(x, share=0.1):
    return x + share * torch.randn_like(x)  # ok: TL204


def counted(x):
    return x[torch.arange(x.shape[0])]  # ok: TL204  an index may lie on the CPU


class Step(nn.Module):
    def __init__(self, change):
        super().__init__()
        self.change = change
        self.mean = nn.Linear(3, 3)

    def forward(self, x):
        return self.change(self.mean(x))


class Ones:
    def first(self, count):
        return torch.ones(count, 3)  # expect: TL204


class Nothing:
    def first(self, count):
        return 0.0  # ok: TL204


FORMS = {"ones": Ones, "nothing": Nothing}


class Started(nn.Module):
    def __init__(self, form: str):
        super().__init__()
        self.form = FORMS[form]()
        self.mean = nn.Linear(3, 3)

    def forward(self, x):
        return self.mean(x) + self.form.first(x.size(0))


def steps():
    return nn.Sequential(Step(noisy), Step(noisy_alike), Step(counted))


def demonstrate():
    x = torch.rand(2, 3)
    assert steps()(x).shape == Started("ones")(x).shape == Started("nothing")(x).shape == (2, 3)
    for module in (Step(noisy), Started("ones")):
        try:
            module.to("meta")(x.to("meta"))
        except RuntimeError:
            continue
        raise AssertionError("two devices met")
    assert Step(noisy_alike).to("meta")(x.to("meta")).is_meta
