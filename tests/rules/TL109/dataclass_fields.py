"""The constructor that a dataclass writes assigns the fields first of all."""
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import nn


@dataclass(eq=False)
class Residual(nn.Module):
    inner: nn.Module  # expect: TL109
    scale: float = 1.0  # ok: TL109

    def __post_init__(self):
        super().__init__()

    def forward(self, x):
        return x + self.scale * self.inner(x)


@dataclass(eq=False)
class Defaulted(nn.Module):
    width: int = 2  # ok: TL109
    inner: nn.Linear = field(default_factory=lambda: nn.Linear(2, 2))  # expect: TL109

    def __post_init__(self):
        super().__init__()

    def forward(self, x):
        return self.inner(x)


@dataclass(eq=False)
class Later(nn.Module):
    width: int = 2  # ok: TL109
    inner: nn.Linear = field(init=False)  # ok: TL109
    activation: ClassVar[nn.Module] = nn.ReLU()  # ok: TL109

    def __post_init__(self):
        super().__init__()
        self.inner = nn.Linear(self.width, self.width)  # ok: TL109

    def forward(self, x):
        return self.activation(self.inner(x))


@dataclass(eq=False)
class MadeInNew(nn.Module):
    inner: nn.Module  # ok: TL109

    def __new__(cls, *args, **kwargs):
        made = super().__new__(cls)
        nn.Module.__init__(made)
        return made

    def forward(self, x):
        return self.inner(x)


@dataclass(init=False, eq=False)
class ByHand(nn.Module):
    inner: nn.Module  # ok: TL109

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)


class Annotated(nn.Module):
    inner: nn.Module  # ok: TL109  no dataclass

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x):
        return self.inner(x)


def demonstrate():
    for make in (lambda: Residual(nn.Linear(2, 2)), Defaulted):
        try:
            make()
            raise AssertionError("state before Module.__init__ should be refused")
        except AttributeError as error:
            assert "before Module.__init__" in str(error), error
    for module in (Later(), MadeInNew(nn.Linear(2, 2)), ByHand(nn.Linear(2, 2)), Annotated()):
        assert len(list(module.parameters())) == 2
    assert torch.is_tensor(Later()(torch.ones(1, 2)))
