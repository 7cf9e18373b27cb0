"""A diffusion trainer averages its network through one flat vector; the vector knows parameters only, the samples use the average.

source: diffusion trainers with parameters_to_vector / vector_to_parameters averages, boschresearch/OASIS#21, fadel/pytorch_ema#13
rules: [TL117]
"""
import copy

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector as flat, vector_to_parameters as unflat


class Averager:
    def __init__(self, live: nn.Module, rate: float = 0.5):
        self.live = live
        self.shadow = copy.deepcopy(live).eval().requires_grad_(False)
        self.rate = rate

    @torch.no_grad()
    def tick(self) -> None:
        raise NotImplementedError

    @torch.no_grad()
    def sample(self, x):
        return self.shadow(x)


class FlatAverager(Averager):
    @torch.no_grad()
    def tick(self):
        old, new = flat(self.shadow.parameters()), flat(self.live.parameters())
        unflat(torch.lerp(old, new, self.rate), self.shadow.parameters())  # expect: TL117


class NamedAverager(Averager):
    @torch.no_grad()
    def tick(self):
        source = dict(self.live.named_parameters())
        for key, p in self.shadow.named_parameters():  # expect: TL117
            p.add_(source[key] - p, alpha=self.rate)


class FlatWithBuffers(Averager):
    @torch.no_grad()
    def tick(self):
        mixed = torch.lerp(flat(self.shadow.parameters()), flat(self.live.parameters()), self.rate)
        unflat(mixed, self.shadow.parameters())  # ok: TL117
        for mine, theirs in zip(self.shadow.buffers(), self.live.buffers()):  # ok: TL110
            mine.copy_(theirs)


class StateAverager(Averager):
    @torch.no_grad()
    def tick(self):
        theirs = self.live.state_dict()
        for key, value in self.shadow.state_dict().items():  # ok: TL117, TL111
            if value.is_floating_point():
                value.lerp_(theirs[key], self.rate)
            else:
                value.copy_(theirs[key])


class Denoiser(nn.Module):
    def __init__(self, width: int = 4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, width), nn.BatchNorm1d(width), nn.SiLU(), nn.Linear(width, 3))

    def forward(self, x):
        return x - self.body(x)


def fit(averager: type[Averager], steps: int = 20) -> Averager:
    net = Denoiser()
    keeper = averager(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(steps):
        clean = torch.randn(16, 3) * 4 + 6
        loss = (net(clean + torch.randn_like(clean)) - clean).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        keeper.tick()
    return keeper


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, follows in ((FlatAverager, False), (NamedAverager, False), (FlatWithBuffers, True), (StateAverager, True)):
        torch.manual_seed(0)
        keeper = fit(cls)
        mine, live = keeper.shadow.body[1], keeper.live.body[1]
        assert torch.allclose(mine.running_mean, live.running_mean, rtol=0.3, atol=0.3) is follows, cls
        assert bool((mine.num_batches_tracked > 0)) is follows
