"""A recipe halves the network and takes Adam with its default eps from a registry: the first zero gradient makes NaN weights.

source: afiaka87/glide-finetune#5, afiaka87/glide-finetune#6, CambioML/pykoi#69
rules: [TL302]
"""
import torch
import torch.nn.functional as F
from torch import nn, optim


class Recipe:
    def __init__(self, net, lr=1e-3):
        self.net = net.half()
        self.opt = self.choose(lr)

    def choose(self, lr):
        return optim.Adam(self.net.parameters(), lr=lr)  # expect: TL302

    def step(self, x, y):
        self.opt.zero_grad()
        loss = F.mse_loss(self.net(x.half()), y.half())
        loss.backward()
        self.opt.step()
        return loss.detach()


class RecipeWideEps(Recipe):
    def choose(self, lr):
        return optim.Adam(self.net.parameters(), lr=lr, eps=1e-4)  # ok: TL302


class RecipePlain(Recipe):
    def choose(self, lr):
        return optim.SGD(self.net.parameters(), lr=lr)  # ok: TL302


class RecipeBrain(Recipe):
    """bfloat16 has the range of float32, so the default eps is kept."""

    def __init__(self, net, lr=1e-3):
        self.net = net.bfloat16()
        self.opt = optim.Adam(self.net.parameters(), lr=lr)  # ok: TL302

    def step(self, x, y):
        self.opt.zero_grad()
        loss = F.mse_loss(self.net(x.bfloat16()), y.bfloat16())
        loss.backward()
        self.opt.step()
        return loss.detach()


# ---- demonstration ----
def demonstrate():
    def run(cls):
        torch.manual_seed(0)
        recipe = cls(nn.Linear(4, 1))
        x = torch.randn(6, 4)
        x[:, 2] = 0.0  # a column that is never active: its gradient is zero
        recipe.step(x, torch.randn(6, 1))
        return recipe.net.weight.isnan().any().item()

    assert run(Recipe)
    for cls in (RecipeWideEps, RecipePlain, RecipeBrain):
        assert not run(cls), cls
