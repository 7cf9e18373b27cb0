"""GAN training: the averaged generator gets the weights but not the batch statistics, and draws its noise on a remembered device.

source: written from scratch; both habits are common in GAN training scripts
rules: [TL117, TL119]
"""
import copy

import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, latent: int = 4, width: int = 8, out: int = 3, device: str = "cpu"):
        super().__init__()
        self.latent = latent
        self.device = torch.device(device)  # expect: TL119
        self.body = nn.Sequential(nn.Linear(latent, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, out))

    def forward(self, z: torch.Tensor) -> torch.Tensor:
        return self.body(z)

    @torch.no_grad()
    def sample(self, n: int) -> torch.Tensor:
        z = torch.randn(n, self.latent, device=self.device)
        return self(z)


class FollowingGenerator(nn.Module):
    def __init__(self, latent: int = 4, width: int = 8, out: int = 3):
        super().__init__()
        self.latent = latent
        self.body = nn.Sequential(nn.Linear(latent, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, out))

    @property
    def device(self) -> torch.device:  # ok: TL119
        return self.body[0].weight.device

    def forward(self, z):
        return self.body(z)

    @torch.no_grad()
    def sample(self, n: int) -> torch.Tensor:
        z = torch.randn(n, self.latent, device=self.device)
        return self(z)


@torch.no_grad()
def accumulate(average: nn.Module, net: nn.Module, decay: float = 0.9) -> None:
    for a, p in zip(average.parameters(), net.parameters()):  # expect: TL117
        a.mul_(decay).add_(p, alpha=1 - decay)


@torch.no_grad()
def accumulate_all(average: nn.Module, net: nn.Module, decay: float = 0.9) -> None:
    for a, p in zip(average.parameters(), net.parameters()):  # ok: TL117
        a.mul_(decay).add_(p, alpha=1 - decay)
    for a, b in zip(average.buffers(), net.buffers()):
        a.copy_(b)


class GanTrainer:
    """Only the generator's half of the game."""

    def __init__(self, generator: Generator):
        self.net = generator
        self.average = copy.deepcopy(generator).requires_grad_(False).eval()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def update(self) -> None:
        accumulate(self.average, self.net)

    def step(self, critic, z: torch.Tensor) -> float:
        self.net.train()
        loss = -critic(self.net(z)).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.update()
        return loss.item()

    def preview(self, n: int = 4) -> torch.Tensor:
        return self.average.eval().sample(n)


class CompleteGanTrainer(GanTrainer):
    def update(self):
        accumulate_all(self.average, self.net)


def run(device: str = "cpu") -> torch.Tensor:
    generator = Generator().to(device)
    trainer = GanTrainer(generator)
    trainer.step(lambda x: x.sum(1), torch.randn(16, 4, device=device))
    return trainer.preview()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    critic = lambda x: x.sum(1)
    for cls, follows in ((GanTrainer, False), (CompleteGanTrainer, True)):
        t = cls(FollowingGenerator())
        for _ in range(20):
            t.step(critic, torch.randn(16, 4) + 5)
        a, b = t.average.body[1], t.net.body[1]
        assert torch.allclose(a.running_mean, b.running_mean) is follows, cls
        assert t.preview().shape == (4, 3)
    assert run().shape == (4, 3)
    bad, good = Generator().to("meta"), FollowingGenerator().to("meta")
    assert bad.device.type == "cpu" and good.device.type == "meta"
    try:
        bad.eval().sample(2)
        raise AssertionError("CPU noise should clash with the moved weights")
    except RuntimeError:
        pass
    assert good.eval().sample(2).is_meta
