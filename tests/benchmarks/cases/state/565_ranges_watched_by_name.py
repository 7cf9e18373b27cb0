"""A quantiser watches the layers of any network and registers a range per layer; names of nested layers have dots, and the start comes too early.

source: pytorch/pytorch#3232, lightning-type quantisation callbacks; pyg-team/pytorch_geometric#681 (assignment before the base constructor)
rules: [TL107, TL109]
"""
import torch
from torch import nn


class Watch(nn.Module):
    def __init__(self, net: nn.Module):
        super().__init__()
        self.net = net
        self.slots = {}
        for name, layer in net.named_modules():
            if isinstance(layer, nn.Linear):
                self.slots[name] = self.place(name)
                layer.register_forward_hook(self.hook(name))

    def place(self, name: str) -> str:
        raise NotImplementedError

    def hook(self, name):
        def seen(layer, args, out):
            box = getattr(self, self.slots[name])
            box.copy_(torch.maximum(box, out.detach().abs().amax()))

        return seen

    def forward(self, x):
        return self.net(x)


class DottedWatch(Watch):
    def place(self, name):
        self.register_buffer(f"amax_{name}", torch.zeros(()))  # expect: TL107
        return f"amax_{name}"


class FlatWatch(Watch):
    def place(self, name):
        slot = "amax_" + name.replace(".", "_")
        self.register_buffer(slot, torch.zeros(()))  # ok: TL107
        return slot


class NumberedWatch(Watch):
    def place(self, name):
        slot = f"amax_{len(self.slots)}"
        self.register_buffer(slot, torch.zeros(()))  # ok: TL107
        return slot


class TakenWatch(FlatWatch):
    """The total has the name of a method of every module."""

    def __init__(self, net):
        super().__init__(net)
        self.register_buffer("apply", torch.zeros(()))  # expect: TL107


class EagerScale(nn.Module):
    def __init__(self, start: float = 1.0):
        self.scale = nn.Parameter(torch.tensor(start))  # expect: TL109
        super().__init__()

    def forward(self, x):
        return x * self.scale


class PreparedScale(nn.Module):
    """Numbers and plain tensors may come before."""

    def __init__(self, start: float = 1.0):
        self.start = start  # ok: TL109
        first = torch.tensor(start)  # ok: TL109
        super().__init__()
        self.scale = nn.Parameter(first)  # ok: TL109

    def forward(self, x):
        return x * self.scale


# ---- demonstration: not part of the graded code ----
def demonstrate():
    def net():
        return nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 2)))

    for cls, works in ((DottedWatch, False), (FlatWatch, True), (NumberedWatch, True), (TakenWatch, False)):
        try:
            watch = cls(net())
            watch(torch.randn(4, 2))
            ok = all(getattr(watch, s) > 0 for s in watch.slots.values())
        except KeyError as exc:
            assert "contain" in str(exc) or "already exists" in str(exc), exc
            ok = False
        assert ok is works, cls
    try:
        EagerScale()
        raise AssertionError("a parameter was taken before the base constructor")
    except AttributeError as exc:
        assert "before Module.__init__" in str(exc), exc
    assert PreparedScale()(torch.ones(1)).item() == 1.0
