"""A saliency collector fetches masks with one small lambda, which widens booleans on the device before they cross the bus.

source: facebookresearch/habitat-lab#297 kind (cast on the wrong side of the transfer); evaluation loops of segmentation code
rules: [TL307]
"""
import torch
from torch import nn

fetch = lambda t: t.float().cpu()  # noqa: E731  # expect: TL307
fetch_narrow = lambda t: t.cpu().float()  # noqa: E731  # ok: TL307


class Collector:
    take = staticmethod(fetch)

    def __init__(self, model, level=0.5):
        self.model, self.level = model, level

    def masks(self, x):
        return torch.sigmoid(self.model(x)) > self.level

    @torch.inference_mode()
    def collect(self, batches):
        return torch.cat([self.take(self.masks(x)) for x in batches])


class NarrowCollector(Collector):
    take = staticmethod(fetch_narrow)


class CountingCollector(Collector):
    """Widens on the device, reduces there and fetches one number."""

    @staticmethod
    def take(t):
        share = t.float().mean(dim=(1, 2, 3))
        return share.cpu()  # ok: TL307


class NarrowingCollector(Collector):
    """Makes it smaller before the transfer: that way round it saves."""

    def masks(self, x):
        return torch.sigmoid(self.model(x))

    @staticmethod
    def take(t):
        return t.half().cpu()  # ok: TL307


def demonstrate():
    torch.manual_seed(0)
    model, batches = nn.Conv2d(3, 1, 1), [torch.randn(2, 3, 4, 4) for _ in range(2)]
    wide, narrow = Collector(model).collect(batches), NarrowCollector(model).collect(batches)
    assert torch.equal(wide, narrow)
    mask = Collector(model).masks(batches[0])
    assert mask.float().nbytes == 4 * mask.nbytes  # what crosses the bus
    assert torch.allclose(CountingCollector(model).collect(batches), wide.mean((1, 2, 3)))
    assert NarrowingCollector(model).collect(batches).dtype is torch.float16
