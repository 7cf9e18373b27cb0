"""A federated server averages what clients learned into a global network and scores that network in eval mode.

source: HiLab-git/SSL4MIS#77, saltoricristiano/cosmix-uda#21 (buffers never follow); federated server rebuilt from scratch
rules: [TL117]
"""
import copy

import torch
from torch import nn


def small_net(norm: bool = True) -> nn.Module:
    return nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6) if norm else nn.LayerNorm(6), nn.Linear(6, 2))


class Server:
    def __init__(self, clients: int = 2):
        self.world = small_net()
        self.clients = [copy.deepcopy(self.world) for _ in range(clients)]

    def local_round(self, data) -> None:
        for net, x in zip(self.clients, data):
            net.train()
            opt = torch.optim.SGD(net.parameters(), lr=0.1)
            net(x).pow(2).mean().backward()
            opt.step()

    def merge(self) -> None:
        raise NotImplementedError

    @torch.no_grad()
    def score(self, x: torch.Tensor) -> float:
        self.world.eval()
        return float(self.world(x).pow(2).mean())


class WeightsServer(Server):
    @torch.no_grad()
    def merge(self):
        share = 1.0 / len(self.clients)
        books = [dict(c.named_parameters()) for c in self.clients]
        for name, p in self.world.named_parameters():  # expect: TL117
            p.copy_(sum(b[name] * share for b in books))


class CompleteServer(Server):
    @torch.no_grad()
    def merge(self):
        books = [c.state_dict() for c in self.clients]  # ok: TL116
        out = {}
        for name, v in self.world.state_dict().items():
            stack = torch.stack([b[name] for b in books])
            out[name] = stack.mean(0) if v.is_floating_point() else stack[0]  # ok: TL117
        self.world.load_state_dict(out)


class TwoWalksServer(Server):
    @torch.no_grad()
    def merge(self):
        for mine, *theirs in zip(self.world.parameters(), *(c.parameters() for c in self.clients)):  # ok: TL117
            mine.copy_(torch.stack(theirs).mean(0))
        for mine, theirs in zip(self.world.buffers(), self.clients[0].buffers()):  # ok: TL117, TL110
            mine.copy_(theirs)


class StatelessServer(Server):
    """No module of the pair has a buffer."""

    def __init__(self, clients: int = 2):
        self.world = nn.Sequential(nn.Linear(4, 6), nn.LayerNorm(6), nn.Linear(6, 2))
        self.clients = [copy.deepcopy(self.world) for _ in range(clients)]

    @torch.no_grad()
    def merge(self):
        for mine, *theirs in zip(self.world.parameters(), *(c.parameters() for c in self.clients)):  # ok: TL117
            mine.copy_(torch.stack(theirs).mean(0))


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    data = [torch.randn(8, 4) + 5 for _ in range(2)]
    for cls, moved in ((WeightsServer, False), (CompleteServer, True), (TwoWalksServer, True)):
        s = cls()
        s.local_round(data)
        s.merge()
        assert (float(s.world[1].running_mean.abs().sum()) > 0) is moved, cls
        assert s.score(data[0]) >= 0
    s = StatelessServer()
    s.local_round(data)
    s.merge()
    assert torch.allclose(s.world[0].weight, (s.clients[0][0].weight + s.clients[1][0].weight) / 2, atol=1e-6)
