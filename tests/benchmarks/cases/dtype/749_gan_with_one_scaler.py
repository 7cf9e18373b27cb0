"""A GAN with one GradScaler: the critic is stepped without the scaler, the generator is clipped on scaled gradients.

source: harubaru/waifu-diffusion#64, pytorch/examples#1196
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Gan:
    def __init__(self, dim=4, max_norm=0.5):
        self.gen = nn.Linear(2, dim).to(DEVICE_TYPE)
        self.critic = nn.Linear(dim, 1).to(DEVICE_TYPE)
        self.opt_g = torch.optim.SGD(self.gen.parameters(), lr=0.1)
        self.opt_d = torch.optim.SGD(self.critic.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(DEVICE_TYPE)
        self.max_norm = max_norm

    def critic_loss(self, real, z):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            fake = self.gen(z).detach()
            return F.softplus(-self.critic(real)).mean() + F.softplus(self.critic(fake)).mean()

    def gen_loss(self, z):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            return F.softplus(-self.critic(self.gen(z))).mean()


def train_step(gan, real, z):
    gan.opt_d.zero_grad()
    gan.scaler.scale(gan.critic_loss(real, z)).backward()
    gan.opt_d.step()  # expect: TL406

    gan.opt_g.zero_grad()
    gan.scaler.scale(gan.gen_loss(z)).backward()
    nn.utils.clip_grad_norm_(gan.gen.parameters(), gan.max_norm)  # expect: TL406
    gan.scaler.step(gan.opt_g)
    gan.scaler.update()


def train_step_fixed(gan, real, z):
    gan.opt_d.zero_grad()
    gan.scaler.scale(gan.critic_loss(real, z)).backward()
    gan.scaler.step(gan.opt_d)  # ok: TL406

    gan.opt_g.zero_grad()
    gan.scaler.scale(gan.gen_loss(z)).backward()
    gan.scaler.unscale_(gan.opt_g)
    nn.utils.clip_grad_norm_(gan.gen.parameters(), gan.max_norm)  # ok: TL406
    gan.scaler.step(gan.opt_g)
    gan.scaler.update()


def train_step_full_precision(gan, real, z):
    gan.opt_d.zero_grad()
    F.softplus(-gan.critic(real)).mean().backward()
    gan.opt_d.step()  # ok: TL406
    gan.opt_g.zero_grad()
    F.softplus(-gan.critic(gan.gen(z))).mean().backward()
    nn.utils.clip_grad_norm_(gan.gen.parameters(), gan.max_norm)  # ok: TL406
    gan.opt_g.step()  # ok: TL406


def demonstrate():
    def moved(step):
        torch.manual_seed(0)
        gan = Gan()
        real, z = torch.randn(8, 4, device=DEVICE_TYPE) + 1, torch.randn(8, 2, device=DEVICE_TYPE)
        g, d = gan.gen.weight.detach().clone(), gan.critic.weight.detach().clone()
        step(gan, real, z)
        return (gan.gen.weight - g).norm().item(), (gan.critic.weight - d).norm().item()

    gen, critic = moved(train_step_fixed)
    assert 0 < critic < 1 and gen > 1e-4
    _, wild = moved(train_step)
    assert wild > 1000 * critic, "the critic took a step 65536 times too long"

    def clipped(fix):
        torch.manual_seed(0)
        gan = Gan()
        gan.scaler.scale(gan.gen_loss(torch.randn(8, 2, device=DEVICE_TYPE))).backward()
        if fix:
            gan.scaler.unscale_(gan.opt_g)
        nn.utils.clip_grad_norm_(gan.gen.parameters(), gan.max_norm)
        before = gan.gen.weight.detach().clone()
        gan.scaler.step(gan.opt_g)
        return (gan.gen.weight - before).norm().item()

    assert clipped(fix=True) > 1000 * clipped(fix=False)
    assert all(value > 0 for value in moved(train_step_full_precision))
