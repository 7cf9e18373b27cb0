"""A face loss subtracts its margin at the right class through a table of zeros, which the forward pass makes on the default device.

source: zhongyy/Face-Transformer#37 (devices differ in scatter), davepl and MatAnyone style device reports; margin heads
rules: [TL204]
"""
import torch
import torch.nn.functional as F
from torch import nn


class MarginHeadBase(nn.Module):
    def __init__(self, dim=6, classes=4, margin=0.3, scale=16.0):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(classes, dim))
        self.margin, self.scale = margin, scale

    def cosine(self, feats):
        return F.normalize(feats) @ F.normalize(self.weight).t()


class MarginHead(MarginHeadBase):
    def forward(self, feats, labels):
        cos = self.cosine(feats)
        hot = torch.zeros(cos.size())  # expect: TL204
        hot.scatter_(1, labels.view(-1, 1), self.margin)
        return self.scale * (cos - hot)


class MarginHeadNew(MarginHeadBase):
    def forward(self, feats, labels):
        cos = self.cosine(feats)
        hot = cos.new_zeros(cos.size())  # ok: TL204
        hot.scatter_(1, labels.view(-1, 1), self.margin)
        return self.scale * (cos - hot)


class MarginHeadIndexed(MarginHeadBase):
    """The row numbers only subscript; a CPU arange may do that on any device."""

    def forward(self, feats, labels):
        cos = self.cosine(feats)
        rows = torch.arange(len(cos))  # ok: TL204
        margin = torch.tensor(self.margin)  # ok: TL204
        out = cos.clone()
        out[rows, labels] = cos[rows, labels] - margin
        return self.scale * out


class MarginHeadWhere(MarginHeadBase):
    def forward(self, feats, labels):
        cos = self.cosine(feats)
        classes = torch.arange(cos.size(1), device=labels.device)  # ok: TL204
        return self.scale * torch.where(classes == labels.view(-1, 1), cos - self.margin, cos)


def demonstrate():
    torch.manual_seed(0)
    feats, labels = torch.randn(3, 6), torch.tensor([0, 3, 1])
    heads = [cls() for cls in (MarginHead, MarginHeadNew, MarginHeadIndexed, MarginHeadWhere)]
    for head in heads[1:]:
        head.load_state_dict(heads[0].state_dict())
        assert torch.allclose(head(feats, labels), heads[0](feats, labels))
    feats, labels = feats.to("meta"), labels.to("meta")
    for head in heads:
        try:
            ok = head.to("meta")(feats, labels).is_meta
        except (RuntimeError, NotImplementedError) as err:
            assert "device" in str(err) or "meta" in str(err), err
            ok = False
        assert ok is (type(head) is not MarginHead), type(head)
