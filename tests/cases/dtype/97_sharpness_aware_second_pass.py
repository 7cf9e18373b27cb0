"""Sharpness-aware training: weights are perturbed between two forwards of one region; the second pass still uses the old cast.

source: SAM/adversarial-weight recipes under autocast; X-GenGroup/Flow-Factory#186 (param.data.copy_ swaps)
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Climb:
    def __init__(self, net, rho=0.5):
        self.net, self.rho, self.back = net, rho, []

    @torch.no_grad()
    def up(self):
        self.back = [p.detach().clone() for p in self.net.parameters()]
        norm = torch.stack([p.grad.norm() for p in self.net.parameters()]).norm()
        for p in self.net.parameters():
            p.add_(p.grad, alpha=float(self.rho / (norm + 1e-6)))  # use: TL408

    @torch.no_grad()
    def down(self):
        for p, old in zip(self.net.parameters(), self.back):
            p.copy_(old)


class Sharp:
    def __init__(self, net):
        self.net, self.climb = net, Climb(net)
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def losses(self, x, y):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            flat = F.mse_loss(self.net(x), y)
            flat.backward()  # use: TL402, TL408
            self.climb.up()  # expect: TL408
            self.opt.zero_grad()
            sharp = F.mse_loss(self.net(x), y)
        sharp.backward()
        self.climb.down()
        self.opt.step()
        return flat.detach(), sharp.detach()


class SharpTwice(Sharp):
    def losses(self, x, y):
        out = []
        for climb in (self.climb.up, self.climb.down):
            self.opt.zero_grad()
            with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
                loss = F.mse_loss(self.net(x), y)
            loss.backward()
            climb()  # ok: TL408
            out.append(loss.detach())
        self.opt.step()  # ok: TL408
        return out


class SharpFrozenReference(Sharp):
    """The net that is written is not the one the region runs again: the other one is frozen and left alone."""

    def __init__(self, net):
        super().__init__(net)
        self.reference = nn.Linear(4, 1).to(DEVICE_TYPE).requires_grad_(False)

    def losses(self, x, y):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            first = F.mse_loss(self.reference(x), y)
            self.reference.weight.mul_(2.0)  # ok: TL408
            second = F.mse_loss(self.reference(x), y)
        return first, second


# ---- demonstration ----
def demonstrate():
    def pair(cls):
        torch.manual_seed(0)
        x = torch.randn(16, 4, device=DEVICE_TYPE)
        return cls(nn.Linear(4, 1).to(DEVICE_TYPE)).losses(x, x.sum(1, keepdim=True))

    flat, sharp = pair(Sharp)
    assert torch.equal(flat, sharp), "the perturbation was not seen"
    flat, sharp = pair(SharpTwice)
    assert sharp > flat * 1.05
    first, second = pair(SharpFrozenReference)
    assert not torch.equal(first, second), "frozen parameters are not cached"
