"""A method or a value of the class has the name on every object; an annotation has not."""
import torch
from torch import nn


class Defaults(nn.Module):
    bias = None
    layer = None
    usage: torch.Tensor
    size: int = 3

    def decay(self):
        return 0.9

    @property
    def cached(self):
        return self._cached


class ByParameter(Defaults):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.ones(1))  # expect: TL107


class ByBuffer(Defaults):
    def __init__(self):
        super().__init__()
        self.register_buffer("bias", torch.ones(1))  # expect: TL107


class ByMethod(Defaults):
    def __init__(self):
        super().__init__()
        self.register_buffer("decay", torch.ones(1))  # expect: TL107


class OfTorch(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("half", torch.ones(1))  # expect: TL107


class OfTorchToo(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("forward", torch.ones(1))  # expect: TL107  nn.Module has one, which raises


class Hidden(Defaults):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1, 1)  # expect: TL107


class Good(Defaults):
    def __init__(self):
        super().__init__()
        self.register_buffer("usage", torch.ones(1))  # ok: TL107  only annotated
        self.register_buffer("weight", torch.ones(1))  # ok: TL107
        self.size = 4  # ok: TL107  a number
        self.head = nn.Linear(1, 1)  # ok: TL107
        self.gain = nn.Parameter(torch.ones(1))  # ok: TL107


class Plain:
    bias = None

    def __init__(self):
        self.bias = nn.Parameter(torch.ones(1))  # ok: TL107


def demonstrate():
    for bad in (ByParameter, ByBuffer, ByMethod, OfTorch, OfTorchToo):
        try:
            bad()
        except KeyError as error:
            assert "already exists" in str(error)
        else:
            raise AssertionError(bad)
    assert Hidden().layer is None
    assert set(Good().state_dict()) == {"usage", "weight", "head.weight", "head.bias", "gain"} and Plain()
