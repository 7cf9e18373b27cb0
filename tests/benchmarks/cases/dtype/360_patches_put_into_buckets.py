"""A vision encoder maps the relative place of each patch to a position id; the edges of its buckets are made on the default device.

source: huggingface/transformers#39947 (boundaries of bucketize left on the CPU)
rules: [TL204]
"""
import torch
from torch import nn


def edges(side, like=None):
    step = 1.0 / side
    where = {} if like is None else {"device": like.device}
    return torch.arange(step, 1.0, step, **where)  # ok: TL204


class Places(nn.Module):
    side = 4

    def __init__(self, dim=6):
        super().__init__()
        self.table = nn.Embedding(self.side**2, dim)

    def axes(self, mask):
        rows, cols = mask[:, :, 0].sum(1), mask[:, 0].sum(1)
        step = torch.arange(self.side)  # expect: TL204
        return step / rows[:, None], step / cols[:, None]

    def bounds(self, mask):
        return edges(self.side, like=mask)

    def ids(self, mask):
        bounds = self.bounds(mask)
        down, right = (torch.bucketize(a.clamp(max=0.999).contiguous(), bounds, right=True) for a in self.axes(mask))
        return (down[:, :, None] * self.side + right[:, None]).flatten(1)

    def forward(self, patches, mask):
        return patches + self.table(self.ids(mask))


class PlacesSplit(Places):
    """The axes follow the mask, the bounds do not."""

    def axes(self, mask):
        rows, cols = mask[:, :, 0].sum(1), mask[:, 0].sum(1)
        step = torch.arange(self.side, device=rows.device)  # ok: TL204
        return step / rows[:, None], step / cols[:, None]

    def bounds(self, mask):
        return torch.linspace(1 / self.side, 1 - 1 / self.side, self.side - 1)  # expect: TL204


class PlacesMoved(PlacesSplit):
    def bounds(self, mask):
        cuts = torch.linspace(1 / self.side, 1 - 1 / self.side, self.side - 1)  # ok: TL204
        return cuts.to(mask.device, non_blocking=True)


class PlacesHeld(PlacesSplit):
    """Made once, kept as a buffer."""

    def __init__(self, dim=6):
        super().__init__(dim)
        self.register_buffer("cuts", edges(self.side), persistent=False)

    def bounds(self, mask):
        return self.cuts


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    mask = torch.ones(2, 4, 4, dtype=torch.bool)
    assert Places()(torch.randn(2, 16, 6), mask).shape == (2, 16, 6)  # the CPU hides it
    with FakeTensorMode():
        shares = torch.rand(2, 4, device="cuda")
        try:
            torch.bucketize(shares, PlacesSplit().bounds(shares))
            raise AssertionError("edges on the CPU, values elsewhere")
        except RuntimeError as err:
            assert "same device" in str(err), err
        assert torch.bucketize(shares, PlacesMoved().bounds(shares)).device.type == "cuda"
    with torch.device("meta"):
        patches, mask = torch.randn(2, 16, 6), torch.ones(2, 4, 4, dtype=torch.bool)
    try:
        Places().to("meta")(patches, mask)
        raise AssertionError("steps on the CPU, counts elsewhere")
    except RuntimeError as err:
        assert "is not on the expected device" in str(err), err
    for cls in (PlacesMoved, PlacesHeld):
        assert cls().to("meta")(patches, mask).device.type == "meta"
