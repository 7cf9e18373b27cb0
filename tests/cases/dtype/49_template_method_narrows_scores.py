"""A base class opens the region and calls a hook; one subclass's hook hard-codes float16 beside the bf16 of the region.

source: naver/must3r#10, Parskatt/RoMa#2 (half helpers called under a bf16 region)
rules: [TL403]
"""
import torch
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Retrieval(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.query, self.key = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.register_buffer("anchors", torch.randn(3, dim))

    def extra(self, keys):
        raise NotImplementedError

    def forward(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            q, k = self.query(x), self.key(x)
            k = torch.cat([k, self.extra(k)], dim=0)
            return q @ k.T


class AnchoredRetrieval(Retrieval):
    def extra(self, keys):
        return self.anchors.half()  # expect: TL403


class MatchingRetrieval(Retrieval):
    def extra(self, keys):
        return self.anchors.to(keys.dtype)  # ok: TL403


class WideRetrieval(Retrieval):
    """Float32 is promoted by cat, and the product is cast by the region itself."""

    def extra(self, keys):
        return self.anchors.float().softmax(-1)  # ok: TL403


class Index:
    """The same helper name, called when no region is open."""

    def __init__(self, net):
        self.net = net

    @torch.no_grad()
    def build(self):
        return self.pack(self.net.anchors)

    def pack(self, rows):
        return rows.half()  # ok: TL403


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 4, device=DEVICE_TYPE)
    try:
        AnchoredRetrieval().to(DEVICE_TYPE)(x)
        raise AssertionError("cat mixed float16 and bfloat16 under autocast")
    except RuntimeError as err:
        assert "autocast" in str(err) or "dtype" in str(err), err
    for cls in (MatchingRetrieval, WideRetrieval):
        assert cls().to(DEVICE_TYPE)(x).dtype is torch.bfloat16
    assert Index(MatchingRetrieval()).build().dtype is torch.float16
