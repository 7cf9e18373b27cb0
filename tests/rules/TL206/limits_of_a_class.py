"""A dtype that a class keeps is one for certain, and so is what stands beside it."""
import torch


class Widening:
    least = torch.float32

    def is_narrow(self, tensor):
        return tensor.dtype < self.least  # expect: TL206

    def is_other(self, tensor):
        return tensor.dtype != self.least  # ok: TL206


class WideningByBits:
    least = 32

    def is_narrow(self, tensor):
        return torch.finfo(tensor.dtype).bits < self.least  # ok: TL206


def demonstrate():
    x = torch.rand(2).half()
    try:
        Widening().is_narrow(x)
        raise AssertionError("dtypes were put in order")
    except TypeError:
        pass
    assert Widening().is_other(x) and WideningByBits().is_narrow(x)
