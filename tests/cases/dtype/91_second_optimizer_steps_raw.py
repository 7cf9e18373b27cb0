"""Adversarial training: both losses are scaled, but the discriminator's optimizer is stepped directly, with gradients 65536 times too big.

source: GAN training scripts moved to GradScaler for one optimizer only; pytorch amp examples (several optimizers)
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.amp import GradScaler

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Adversary:
    def __init__(self, gen, dis, lr=0.1):
        self.gen, self.dis = gen, dis
        self.opt_g = torch.optim.SGD(gen.parameters(), lr=lr)
        self.opt_d = torch.optim.SGD(dis.parameters(), lr=lr)
        self.amp = GradScaler(DEVICE_TYPE)

    def dis_loss(self, real, noise):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            fake = self.gen(noise).detach()
            return F.softplus(-self.dis(real)).mean() + F.softplus(self.dis(fake)).mean()

    def gen_loss(self, noise):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            return F.softplus(-self.dis(self.gen(noise))).mean()

    def step(self, real, noise):
        self.opt_d.zero_grad()
        self.amp.scale(self.dis_loss(real, noise)).backward()
        self.opt_d.step()  # expect: TL406
        self.opt_g.zero_grad()
        self.amp.scale(self.gen_loss(noise)).backward()
        self.amp.step(self.opt_g)
        self.amp.update()


class AdversaryScaled(Adversary):
    def step(self, real, noise):
        self.opt_d.zero_grad()
        self.amp.scale(self.dis_loss(real, noise)).backward()
        self.amp.step(self.opt_d)  # ok: TL406
        self.opt_g.zero_grad()
        self.amp.scale(self.gen_loss(noise)).backward()
        self.amp.step(self.opt_g)
        self.amp.update()  # ok: TL406


class AdversaryPlain(Adversary):
    """Only the generator is scaled; the discriminator's own backward is not."""

    def step(self, real, noise):
        self.opt_d.zero_grad()
        self.dis_loss(real, noise).backward()
        self.opt_d.step()  # ok: TL406
        self.opt_g.zero_grad()
        self.amp.scale(self.gen_loss(noise)).backward()
        self.amp.step(self.opt_g)
        self.amp.update()


# ---- demonstration ----
def demonstrate():
    def moved(cls):
        torch.manual_seed(0)
        gen, dis = nn.Linear(4, 4).to(DEVICE_TYPE), nn.Linear(4, 1).to(DEVICE_TYPE)
        start = dis.weight.detach().clone()
        cls(gen, dis).step(torch.randn(8, 4, device=DEVICE_TYPE), torch.randn(8, 4, device=DEVICE_TYPE))
        return (dis.weight - start).norm().item()

    right = moved(AdversaryScaled)
    assert moved(Adversary) > 1000 * right
    assert abs(moved(AdversaryPlain) - right) < 1e-3 + right
