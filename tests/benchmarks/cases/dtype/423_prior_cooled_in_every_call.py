"""A head takes its prior 'in the dtype of the input' and cools it in place; in a float32 model every call cools the buffer itself.

source: NVIDIA/Megatron-LM#1594 kind (.to()/.float() before in-place steps), logit-adjusted heads
rules: [TL308]
"""
import torch
from torch import nn


class Prior(nn.Module):
    def __init__(self, counts, heat=0.5):
        super().__init__()
        share = torch.tensor(counts, dtype=torch.float32)
        self.register_buffer("share", (share / share.sum()).log())
        self.heat = heat

    def cooled(self, like):
        share = self.share.to(like.dtype)
        share *= self.heat  # expect: TL308
        return share

    def forward(self, scores):
        return scores - self.cooled(scores)


class PriorOutOfPlace(Prior):
    def cooled(self, like):
        share = self.share.to(like.dtype)
        return share * self.heat  # ok: TL308


class PriorGuarded(Prior):
    def cooled(self, like):
        share = self.share.to(like.dtype)
        if share is self.share:
            share = share.clone()
        share.mul_(self.heat)  # ok: TL308
        return share


class PriorOfLog(Prior):
    """The logarithm stands between the buffer and the write."""

    def cooled(self, like):
        share = self.share.exp().to(like).log()
        share *= self.heat  # ok: TL308
        return share


class Classifier(nn.Sequential):
    def __init__(self, prior):
        super().__init__(nn.Linear(4, 3), prior([10, 5, 1]))


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 4)

    def steady(prior):
        net = Classifier(prior)
        with torch.no_grad():
            return torch.allclose(net(x), net(x))

    assert not steady(Prior)
    for prior in (PriorOutOfPlace, PriorGuarded, PriorOfLog):
        assert steady(prior), prior
    half = Classifier(Prior).half()
    before = half[1].share.clone()
    with torch.no_grad():
        half(x.half())
    assert not torch.equal(before, half[1].share)  # same dtype again: a half model is hit as well
