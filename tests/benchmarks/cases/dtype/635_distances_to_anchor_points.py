"""A place head takes 'exact' squared distances to anchor points: the expansion with a matmul is bf16 in the region, cast or not.

source: huggingface/diffusers#13920 (large coordinates in a bf16 matmul), naver/must3r#10
rules: [TL401]
"""
import torch
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class AnchorHead(nn.Module):
    def __init__(self, anchors=4):
        super().__init__()
        self.scale = nn.Linear(2, 2)
        self.register_buffer("anchors", 1000.0 + torch.arange(anchors * 2.0).view(anchors, 2))

    @torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16)
    def forward(self, xy, feats):
        gain = self.scale(feats)
        a = self.anchors
        cross = torch.matmul(xy.to(torch.float32), a.t())  # expect: TL401
        dist = xy.pow(2).sum(-1, keepdim=True) - 2 * cross + a.pow(2).sum(-1)
        return dist, gain


class AnchorHeadIsland(AnchorHead):
    @torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16)
    def forward(self, xy, feats):
        gain = self.scale(feats)
        a = self.anchors
        with torch.autocast(xy.device.type, enabled=False):
            cross = torch.matmul(xy.to(torch.float32), a.t())  # ok: TL401
        dist = xy.pow(2).sum(-1, keepdim=True) - 2 * cross + a.pow(2).sum(-1)
        return dist, gain


class AnchorHeadDifference(AnchorHead):
    @torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16)
    def forward(self, xy, feats):
        gain = self.scale(feats).float()  # ok: TL401
        diff = xy.to(torch.float32)[:, None] - self.anchors  # ok: TL401
        return diff.pow(2).sum(-1), gain


def demonstrate():
    torch.manual_seed(0)
    xy = torch.tensor([[1000.0, 1001.0]], device=DEVICE_TYPE)
    feats = torch.randn(1, 2, device=DEVICE_TYPE)
    want = torch.tensor([[0.0, 8.0, 32.0, 72.0]], device=DEVICE_TYPE)
    wrong, _ = AnchorHead().to(DEVICE_TYPE)(xy, feats)
    assert (wrong - want).abs().max() > 100
    for cls in (AnchorHeadIsland, AnchorHeadDifference):
        assert torch.allclose(cls().to(DEVICE_TYPE)(xy, feats)[0], want)
