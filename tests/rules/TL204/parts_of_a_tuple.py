"""A method returns several tensors that follow the input, and what is not told where to lie meets each of them."""
import torch
from torch import nn


class Buckets(nn.Module):
    def sides(self, x):
        return x.sum(0), x.sum(1)

    def edges(self):
        return torch.linspace(0, 1, 5)  # expect: TL204

    def forward(self, x):
        edges = self.edges()
        return [torch.bucketize(side, edges) for side in self.sides(x)]


class BucketsMoved(Buckets):
    def edges(self):
        return torch.linspace(0, 1, 5)  # ok: TL204

    def forward(self, x):
        edges = self.edges().to(x.device)
        return [torch.bucketize(side, edges) for side in self.sides(x)]


class BucketsOfSizes(nn.Module):
    """The tuple holds sizes, which lie nowhere."""

    def forward(self, x):
        edges = torch.linspace(0, 1, 5)  # ok: TL204
        return [torch.bucketize(side, edges) for side in (x.size(0), x.size(1))]


class Gathered(nn.Module):
    """What stands there before the first round is replaced in it."""

    def both(self, x):
        return x.sum(0), x.sum(1)

    def forward(self, xs):
        rows = torch.zeros(1)  # ok: TL204
        is_first = True
        for x in xs:
            row, _ = self.both(x)
            if is_first:
                rows = row
                is_first = False
            else:
                rows = torch.cat((rows, row))
        return rows


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        x = torch.rand(2, 3, device="cuda")
        try:
            Buckets()(x)
        except RuntimeError as error:
            assert "device" in str(error)
        assert BucketsMoved()(x)[0].device.type == "cuda"
    assert Gathered()(torch.rand(2, 3, 3)).shape == (6,)
    assert len(BucketsOfSizes()(torch.rand(2, 3))) == 2
