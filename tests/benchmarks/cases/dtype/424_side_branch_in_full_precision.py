"""An adapted layer computes its low-rank side 'in float32' by casting all three factors, inside the region of its own forward.

source: LoRA layers with hand-written upcasts; huggingface/diffusers#13920 kind (a cast before a product is ignored)
rules: [TL401]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Adapted(nn.Module):
    region = dict(device_type=KIND, dtype=torch.bfloat16)

    def __init__(self, base, rank=2, gain=2.0):
        super().__init__()
        self.base, self.gain = base.requires_grad_(False), gain
        self.down = nn.Parameter(torch.randn(rank, base.in_features))
        self.up = nn.Parameter(torch.randn(base.out_features, rank))

    def side(self, x):
        raise NotImplementedError

    def forward(self, x):
        with torch.autocast(**self.region):
            return self.base(x) + self.gain * self.side(x)


class AdaptedByCast(Adapted):
    def forward(self, x):
        with torch.autocast(**self.region):
            main = self.base(x)
            wide = main.new_tensor(self.gain, dtype=torch.float32)
            low = F.linear(x.float(), self.down)  # expect: TL401
            side = low.float() @ self.up.t().float()  # expect: TL401
            return main, wide * side


class AdaptedByIsland(Adapted):
    def forward(self, x):
        with torch.autocast(**self.region):
            main = self.base(x)
            with torch.autocast(KIND, enabled=False):
                side = x.float() @ self.down.t() @ self.up.t()  # ok: TL401
            return main, self.gain * side


class AdaptedAfterwards(Adapted):
    def forward(self, x):
        with torch.autocast(**self.region):
            main = self.base(x)
        return main, self.gain * (x.float() @ self.down.t().float() @ self.up.t().float())  # ok: TL401


class AdaptedSum(Adapted):
    """The casts feed a sum, which honours them."""

    def forward(self, x):
        with torch.autocast(**self.region):
            main = self.base(x)
            side = F.linear(F.linear(x, self.down), self.up)
            return main, self.gain * side.float() + main.float()  # ok: TL401


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 4, device=KIND)
    errors = {}
    for cls in (AdaptedByCast, AdaptedByIsland, AdaptedAfterwards):
        torch.manual_seed(1)
        layer = cls(nn.Linear(4, 5)).to(KIND)
        want = layer.gain * (x.double() @ layer.down.double().t() @ layer.up.double().t())
        errors[cls] = (layer(x)[1].double() - want).abs().max()
    assert errors[AdaptedByCast] > 100 * errors[AdaptedByIsland]
    assert errors[AdaptedAfterwards] < 1e-4
    assert AdaptedSum(nn.Linear(4, 5)).to(KIND)(x)[1].dtype is torch.float32
