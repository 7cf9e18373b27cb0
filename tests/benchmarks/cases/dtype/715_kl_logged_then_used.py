"""The KL term is turned into a number for the log under its own name, and then that name is added to the loss.

source: VAE training loops where only the reconstruction term has an effect
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Vae(nn.Module):
    def __init__(self, dim=6, latent=2):
        super().__init__()
        self.enc = nn.Linear(dim, 2 * latent)
        self.dec = nn.Linear(latent, dim)

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def kl_term(mu, logvar):
    return -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1).mean()


def train_step(model, opt, x, log, beta=4.0):
    recon_x, mu, logvar = model(x)
    recon = F.mse_loss(recon_x, x)
    kl = kl_term(mu, logvar)
    kl = kl.item()  # expect: TL305
    log.append(kl)
    loss = recon + beta * kl
    opt.zero_grad()
    loss.backward()
    opt.step()


def capacity_loss(model, x, capacity=0.5, gamma=10.0):
    recon_x, mu, logvar = model(x)
    kl = kl_term(mu, logvar)
    kl = kl.detach()  # expect: TL305
    return F.mse_loss(recon_x, x) + gamma * (kl - capacity).abs(), {"kl": kl}


def train_step_fixed(model, opt, x, log, beta=4.0):
    recon_x, mu, logvar = model(x)
    recon = F.mse_loss(recon_x, x)
    kl = kl_term(mu, logvar)
    log.append(kl.item())  # ok: TL305
    loss = recon + beta * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
    loss = loss.detach()  # ok: TL305
    return loss


def capacity_loss_fixed(model, x, capacity=0.5, gamma=10.0):
    recon_x, mu, logvar = model(x)
    kl = kl_term(mu, logvar)
    shown = kl.detach()  # ok: TL305
    return F.mse_loss(recon_x, x) + gamma * (kl - capacity).abs(), {"kl": shown}


def self_target_loss(model, x):
    recon_x, mu, _ = model(x)
    target = recon_x + 0.1 * x
    target = target.detach()  # ok: TL305
    return F.mse_loss(recon_x, target) + mu.pow(2).mean()


def unrolled(model, cell, chunks, h):
    losses = []
    for x in chunks:
        h = h.detach()  # ok: TL305
        h = cell(model.enc(x), h)
        losses.append(h.pow(2).mean())
    return torch.stack(losses).mean()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(8, 6)

    def grad_of(loss_fn):
        torch.manual_seed(0)
        model = Vae()
        loss, _ = loss_fn(model, x)
        loss.backward()
        return model.enc.weight.grad.clone()

    def plain(model, x):
        recon_x, _, _ = model(x)
        return F.mse_loss(recon_x, x), None

    assert torch.equal(grad_of(capacity_loss), grad_of(plain)), "the KL term has no effect"
    assert not torch.allclose(grad_of(capacity_loss_fixed), grad_of(plain))

    def weights_after(step, beta):
        torch.manual_seed(0)
        model = Vae()
        step(model, torch.optim.SGD(model.parameters(), lr=0.1), x, [], beta=beta)
        return model.enc.weight.detach()

    assert torch.equal(weights_after(train_step, 0.0), weights_after(train_step, 100.0)), "beta does nothing"
    assert not torch.allclose(weights_after(train_step_fixed, 0.0), weights_after(train_step_fixed, 1.0))
    model = Vae()
    assert self_target_loss(model, x).requires_grad
    assert unrolled(model, nn.GRUCell(4, 3), [x, x], torch.zeros(8, 3)).requires_grad
