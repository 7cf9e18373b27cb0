"""Gram matrices are 'computed in float32': the features are cast, then contracted, all inside the bf16 region.

source: huggingface/diffusers#13920 (cast before a contraction is ignored); style losses, own construction
rules: [TL401]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Stats(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.stem = nn.Conv2d(3, dim, 3, padding=1)

    def flat(self, image):
        return self.stem(image).flatten(2)

    def forward(self, image):
        with torch.autocast(device_type=DEVICE_TYPE, dtype=torch.bfloat16):
            flat = self.flat(image)
            wide = flat.to(torch.float32)  # expect: TL401
            return torch.einsum("bcn,bdn->bcd", wide, wide) / flat.shape[-1]


class StatsIsland(Stats):
    def forward(self, image):
        with torch.autocast(device_type=DEVICE_TYPE, dtype=torch.bfloat16):
            flat = self.flat(image)
            with torch.autocast(device_type=DEVICE_TYPE, enabled=False):
                wide = flat.to(torch.float32)  # ok: TL401
                return torch.einsum("bcn,bdn->bcd", wide, wide) / flat.shape[-1]


class StatsAfter(Stats):
    """The contraction is the statement after the region."""

    def forward(self, image):
        with torch.autocast(device_type=DEVICE_TYPE, dtype=torch.bfloat16):
            flat = self.flat(image)
        wide = flat.to(torch.float32)  # ok: TL401
        return wide @ wide.transpose(1, 2) / flat.shape[-1]


class StatsMoments(Stats):
    """Mean and variance are reductions: the cast is honoured."""

    def forward(self, image):
        with torch.autocast(device_type=DEVICE_TYPE, dtype=torch.bfloat16):
            wide = self.flat(image).float()  # ok: TL401
            return torch.stack([wide.mean(-1), wide.var(-1)], -1)

    def distance(self, a, b):
        with torch.autocast(device_type=DEVICE_TYPE, dtype=torch.bfloat16):
            return F.mse_loss(self.flat(a).float(), self.flat(b).float())  # ok: TL401


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    image = torch.rand(1, 3, 8, 8, device=DEVICE_TYPE)
    state = Stats().state_dict()
    outs = {}
    for cls in (Stats, StatsIsland, StatsAfter, StatsMoments):
        net = cls().to(DEVICE_TYPE)
        net.load_state_dict(state)
        outs[cls] = net(image)
    assert outs[Stats].dtype is torch.bfloat16, "the cast decided nothing"
    for cls in (StatsIsland, StatsAfter, StatsMoments):
        assert outs[cls].dtype is torch.float32, cls
    assert torch.allclose(outs[StatsIsland], outs[StatsAfter], rtol=1e-5)
