"""Options that are kept under the name of a method, looked up with a constant to fall back on, or made a number."""

import torch
from torch import nn

FLAGS = {"eval": True}


class Looked(nn.Module):
    def __init__(self, dim: int = 4, **options):
        super().__init__()
        self.eval = options.get("eval", False)  # expect: TL108
        self.lin = nn.Linear(dim, dim)

    def forward(self, x):
        return self.lin(x).relu() if self.eval else self.lin(x)


class Taken(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.half = options.pop("half", 2)  # expect: TL108
        self.apply = options.setdefault("apply", True)  # expect: TL108


class Asked(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.train = getattr(config, "train", True)  # expect: TL108
        self.float = bool(config)  # expect: TL108
        self.double = config is not None  # expect: TL108


class Fallback(nn.Module):
    def __init__(self, half, to=None):
        super().__init__()
        self.half = half or 4  # expect: TL108
        self.to = to if to is not None else "cpu"  # expect: TL108


class Annotated(nn.Module):
    def __init__(self, half: int, eval: bool, to: str):
        super().__init__()
        self.half = half  # expect: TL108
        self.eval = eval  # expect: TL108
        self.to = to  # expect: TL108


class Given(nn.Module):
    """What is given may be a function."""

    def __init__(self, half, options, fallback=None):
        super().__init__()
        self.half = half  # ok: TL108
        self.to = options["to"]  # ok: TL108
        self.apply = options.get("apply")  # ok: TL108
        self.float = options.get("float", fallback)  # ok: TL108


class Bound(nn.Module):
    """The method of a part, in the place of the own one."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.state_dict = inner.state_dict  # ok: TL108
        self.eval = getattr(inner, "eval", inner.train)  # ok: TL108


class Named(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.use_eval = options.get("eval", False)  # ok: TL108


class Settings:
    """No module."""

    def __init__(self, **options):
        self.eval = options.get("eval", False)  # ok: TL108


def demonstrate():
    for broken, name in ((Looked(), "eval"), (Taken(), "half"), (Taken(), "apply"), (Asked(None), "train")):
        try:
            getattr(broken, name)(nn.Identity())
        except TypeError:
            continue
        raise AssertionError(name)
    Bound(nn.Linear(2, 2)).eval()
    Named().eval()
    assert not Settings().eval and torch.is_tensor(Looked(eval=True)(torch.ones(1, 4)))


if __name__ == "__main__":
    demonstrate()
