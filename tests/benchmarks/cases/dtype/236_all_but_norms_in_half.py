"""A helper given to apply() turns everything but the norms to half, as before amp; the loop was later moved to autocast and a scaler.

source: mk-minchul/AdaFace#127, mst272/LLM-Dojo#11; network_to_half helpers kept next to torch.amp
rules: [TL404]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"
NORMS = (nn.BatchNorm1d, nn.LayerNorm)


def narrow(part):
    if not isinstance(part, NORMS) and not list(part.children()):
        part.half()  # expect: TL404


def build(fast):
    net = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.ReLU(), nn.Linear(8, 1))
    if fast:
        net.apply(narrow)  # use: TL404
    return net.to(KIND)


def reference(net):
    """A frozen companion may be as narrow as it likes."""
    other = nn.Linear(4, 1).to(KIND).requires_grad_(False)
    other.to(dtype=torch.float16)  # ok: TL404
    return lambda x: other(x.half()).float()


class Loop:
    def __init__(self, fast):
        self.net = build(fast)
        self.guide = reference(self.net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(KIND, init_scale=8.0)

    def step(self, x):
        with torch.autocast(KIND, dtype=torch.float16):
            loss = F.mse_loss(self.net(x).float(), self.guide(x))
        self.opt.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opt)
        self.scaler.step(self.opt)
        self.scaler.update()
        return loss.detach()


def export(net, path=None):
    clone = nn.Sequential(*net).eval()
    weights = {k: v.detach().clone().half() for k, v in clone.state_dict().items()}  # ok: TL404
    return weights if path is None else torch.save(weights, path)


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(6, 4, device=KIND)
    try:
        Loop(fast=True).step(x)
        raise AssertionError("half gradients were unscaled")
    except ValueError as err:
        assert "unscale FP16 gradients" in str(err)
    loop = Loop(fast=False)
    assert loop.step(x).isfinite() and export(loop.net)["0.weight"].dtype is torch.float16
