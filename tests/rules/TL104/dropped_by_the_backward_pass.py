"""A hook of the backward pass drops the kept value: evaluation has no backward pass, and keeps it through a load."""
import torch
from torch import nn
from torch.nn.functional import linear


class Stepped(nn.Conv1d):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._flat = None
        self.register_full_backward_hook(self._drop)

    def step(self, x):
        return linear(x, self._flat_weight(), self.bias)

    def _flat_weight(self):
        if self._flat is None:
            self._flat = self.weight.transpose(1, 2).reshape(self.out_channels, -1)  # expect: TL104
        return self._flat

    def _drop(self, *args):
        self._flat = None


class ByGradientOfTheWeight(nn.Conv1d):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._flat = None
        self.weight.register_hook(self._drop)

    def step(self, x):
        if self._flat is None:
            self._flat = self.weight.transpose(1, 2).reshape(self.out_channels, -1)  # expect: TL104
        return linear(x, self._flat, self.bias)

    def _drop(self, gradient):
        self._flat = None


class DroppedByHand(nn.Conv1d):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._flat = None
        self.register_full_backward_hook(self._drop)

    def start(self):
        self._drop()

    def step(self, x):
        if self._flat is None:
            self._flat = self.weight.transpose(1, 2).reshape(self.out_channels, -1)  # ok: TL104  start() drops it too
        return linear(x, self._flat, self.bias)

    def _drop(self, *args):
        self._flat = None


class DroppedByAForwardHook(nn.Conv1d):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._flat = None
        self.register_forward_hook(self._drop)

    def step(self, x):
        if self._flat is None:
            self._flat = self.weight.transpose(1, 2).reshape(self.out_channels, -1)  # ok: TL104  each forward drops it
        return linear(x, self._flat, self.bias)

    def _drop(self, *args):
        self._flat = None


def demonstrate():
    x = torch.ones(1, 6)
    for kind in (Stepped, ByGradientOfTheWeight):
        module, other = kind(2, 2, 3), kind(2, 2, 3)
        with torch.no_grad():
            module.step(x)
            module.load_state_dict(other.state_dict())
            assert not torch.equal(module.step(x), other.step(x))
    module, other = DroppedByHand(2, 2, 3), DroppedByHand(2, 2, 3)
    module.step(x)
    module.load_state_dict(other.state_dict())
    module.start()
    assert torch.equal(module.step(x), other.step(x))
    module = DroppedByAForwardHook(2, 2, 3)
    module.step(x)
    module(x.reshape(1, 2, 3))
    assert module._flat is None
