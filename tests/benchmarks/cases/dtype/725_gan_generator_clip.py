"""In an adversarial loop the discriminator unscales before it clips; the generator half of the step forgot it.

source: GAN repositories with two optimizers and one scaler
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def bce(logits, real):
    target = torch.ones_like(logits) if real else torch.zeros_like(logits)
    return F.binary_cross_entropy_with_logits(logits, target)


class Trainer:
    def __init__(self, latent=3, dim=4, clip=0.5):
        self.latent, self.clip = latent, clip
        self.gen = nn.Linear(latent, dim).to(DEVICE_TYPE)
        self.disc = nn.Linear(dim, 1).to(DEVICE_TYPE)
        self.opt_g = torch.optim.SGD(self.gen.parameters(), lr=1.0)
        self.opt_d = torch.optim.SGD(self.disc.parameters(), lr=1.0)
        self.amp = torch.amp.GradScaler(DEVICE_TYPE)

    def noise(self, n):
        return torch.randn(n, self.latent, device=DEVICE_TYPE)

    def train_disc(self, real):
        self.opt_d.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            fake = self.gen(self.noise(len(real))).detach()
            loss = bce(self.disc(real), True) + bce(self.disc(fake), False)
        self.amp.scale(loss).backward()
        self.amp.unscale_(self.opt_d)
        nn.utils.clip_grad_norm_(self.disc.parameters(), self.clip)  # ok: TL406
        self.amp.step(self.opt_d)

    def train_gen(self, n):
        self.opt_g.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = bce(self.disc(self.gen(self.noise(n))), True)
        self.amp.scale(loss).backward()
        nn.utils.clip_grad_norm_(self.gen.parameters(), self.clip)  # expect: TL406
        self.amp.step(self.opt_g)

    def step(self, real):
        self.train_disc(real)
        self.train_gen(len(real))
        self.amp.update()  # ok: TL406


class TrainerFixed(Trainer):
    def train_gen(self, n):
        self.opt_g.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = bce(self.disc(self.gen(self.noise(n))), True)
        self.amp.scale(loss).backward()
        self.amp.unscale_(self.opt_g)
        norm = nn.utils.clip_grad_norm_(self.gen.parameters(), self.clip)  # ok: TL406
        self.amp.step(self.opt_g)
        return norm


class TrainerFloat(Trainer):
    """Full precision generator step: the gradient was never scaled."""

    def train_gen(self, n):
        self.opt_g.zero_grad()
        bce(self.disc(self.gen(self.noise(n))), True).backward()
        nn.utils.clip_grad_norm_(self.gen.parameters(), self.clip)  # ok: TL406
        self.opt_g.step()  # ok: TL406


# ---- demonstration: not part of the graded code ----
def demonstrate():
    def moved(cls):
        torch.manual_seed(0)
        run = cls()
        start = [run.gen.weight.detach().clone(), run.disc.weight.detach().clone()]
        run.step(torch.randn(8, 4, device=DEVICE_TYPE))
        return [(w - s).norm().item() for w, s in zip((run.gen.weight, run.disc.weight), start)]

    gen, disc = moved(TrainerFixed)
    bad_gen, bad_disc = moved(Trainer)
    assert gen > 0.05 and abs(disc - bad_disc) < 1e-6
    assert bad_gen < gen / 1000
    assert abs(moved(TrainerFloat)[0] - gen) < 0.05
