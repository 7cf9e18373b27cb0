"""What does not go through nn.Module's own __setattr__ may come first."""
from torch import nn


class Wrapped(nn.Module):
    def __init__(self, inner: nn.Module):
        object.__setattr__(self, "inner", inner)  # ok: TL109
        self.__dict__["second"] = inner  # ok: TL109
        self.third = [inner]  # ok: TL109
        super().__init__()

    def forward(self, x):
        return self.inner(x)


class Kept(nn.Module):
    """A setter is no way past torch: nn.Module's __setattr__ comes first."""

    def __init__(self, inner: nn.Module):
        self.held = inner  # expect: TL109
        super().__init__()

    @property
    def held(self):
        return self.list_of_one[0]

    @held.setter
    def held(self, module):
        self.list_of_one = [module]  # note: TL105

    def forward(self, x):
        return self.held(x)


class Seen(nn.Module):
    def __init__(self, inner: nn.Module):
        self.inner = inner  # expect: TL109
        super().__init__()

    def forward(self, x):
        return self.inner(x)


def demonstrate():
    assert not list(Wrapped(nn.Linear(2, 2)).parameters())
    for kind in (Kept, Seen):
        try:
            kind(nn.Linear(2, 2))
            raise AssertionError("state before Module.__init__ should be refused")
        except AttributeError as error:
            assert "before Module.__init__" in str(error), error
