"""A frozen backbone is kept in half to save memory; the new head is given the backbone's dtype, and the head is what the scaler trains.

source: transfer-learning scripts over a half encoder; huggingface/diffusers#6442, pytorch/pytorch#74739 kind
rules: [TL404]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Probe(nn.Module):
    def __init__(self, backbone, classes=3):
        super().__init__()
        self.backbone = backbone.requires_grad_(False).half().eval()  # ok: TL404
        self.head = nn.Sequential(nn.LayerNorm(8), nn.Linear(8, classes))
        self.place()

    @property
    def dtype(self):
        return next(self.backbone.parameters()).dtype

    def place(self):
        self.head.to(self.dtype)  # expect: TL404

    def forward(self, x):
        with torch.no_grad():
            h = self.backbone(x.to(self.dtype))
        return self.head(h)


class WideProbe(Probe):
    def place(self):
        self.head.to(KIND)  # ok: TL404

    def forward(self, x):
        return self.head(super_features(self, x).float())  # ok: TL401


def super_features(probe, x):
    with torch.no_grad():
        return probe.backbone(x.to(probe.dtype))


class Fit:
    def __init__(self, probe: Probe):
        self.probe = probe.to(KIND)
        learn = [p for p in self.probe.parameters() if p.requires_grad]
        self.opt = torch.optim.AdamW(learn, lr=1e-2)
        self.scaler = torch.amp.GradScaler(KIND, init_scale=128.0)

    def step(self, x, y):
        with torch.autocast(KIND, dtype=torch.float16):
            loss = F.cross_entropy(self.probe(x).float(), y)  # ok: TL401
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()
        return loss


def export(probe):
    """After training the whole thing may become half."""
    with torch.no_grad():
        return {k: v.half() for k, v in probe.named_parameters()}  # ok: TL404


def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(5, 4, device=KIND), torch.randint(3, (5,), device=KIND)
    try:
        Fit(Probe(nn.Linear(4, 8))).step(x, y)
        raise AssertionError("half gradients were unscaled")
    except ValueError as err:
        assert "FP16 gradients" in str(err), err
    fit = Fit(WideProbe(nn.Linear(4, 8)))
    fit.step(x, y)
    assert fit.probe.head[1].weight.dtype is torch.float32 and fit.probe.dtype is torch.float16
    assert export(fit.probe)["head.1.weight"].dtype is torch.float16
