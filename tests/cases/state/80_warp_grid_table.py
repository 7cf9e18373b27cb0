"""A module-level table of sampling grids, keyed by the text of the flow's size, serves every network of the process.

source: sniklaus/pytorch-pwc, sniklaus/pytorch-spynet (grids remembered by str(size)), descendants with half inference
rules: [TL104]
"""
import torch
import torch.nn.functional as F
from torch import nn

_grids: dict[str, torch.Tensor] = {}
_exact: dict[tuple, torch.Tensor] = {}


def lattice(h: int, w: int, **kw) -> torch.Tensor:
    ys, xs = (torch.linspace(-1 + 1 / n, 1 - 1 / n, n, **kw) for n in (h, w))
    return torch.stack([xs.expand(h, w), ys[:, None].expand(h, w)], -1)[None]


def warp(img: torch.Tensor, flow: torch.Tensor) -> torch.Tensor:
    tag = str(tuple(flow.shape))
    if tag not in _grids:
        _grids[tag] = lattice(*flow.shape[-2:], device=flow.device, dtype=flow.dtype)  # expect: TL104
    where = _grids[tag] + flow.permute(0, 2, 3, 1)
    return F.grid_sample(img, where, align_corners=False)


def warp_exact(img, flow):
    tag = (flow.shape[-2:], flow.device, flow.dtype)
    if tag not in _exact:
        _exact[tag] = lattice(*tag[0], device=flow.device, dtype=flow.dtype)  # ok: TL104
    return F.grid_sample(img, _exact[tag] + flow.permute(0, 2, 3, 1), align_corners=False)


class FlowNet(nn.Module):
    sampler = staticmethod(warp)

    def __init__(self):
        super().__init__()
        self.est = nn.Conv2d(6, 2, 3, padding=1)

    def forward(self, a, b):
        flow = self.est(torch.cat([a, b], 1)) * 0.1
        return self.sampler(b, flow)


class ExactFlowNet(FlowNet):
    sampler = staticmethod(warp_exact)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    a, b = torch.rand(1, 3, 6, 6), torch.rand(1, 3, 6, 6)
    for cls, follows in ((FlowNet, False), (ExactFlowNet, True)):
        net = cls()
        net(a, b)
        try:
            out = cls().bfloat16()(a.bfloat16(), b.bfloat16())
            assert out.dtype == torch.bfloat16 and follows
        except RuntimeError as exc:
            assert "type" in str(exc) and not follows, exc
        try:
            ok = cls().to("meta")(a.to("meta"), b.to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is follows, cls
