"""Private federated learning: what a client uploads is clipped and noised, in some variants in the tensors of its own model.

source: differential-privacy add-ons to federated averaging code; kind of thunlp/OpenKE#131 (state_dict shares memory)
rules: [TL111]
"""
from typing import Iterator

import torch
from torch import nn


class Client:
    def __init__(self, net: nn.Module, sigma: float = 1.0, limit: float = 1.0):
        self.net, self.sigma, self.limit = net, sigma, limit

    def report(self) -> dict[str, torch.Tensor]:
        raise NotImplementedError

    def floats(self) -> Iterator[tuple[str, torch.Tensor]]:
        for k, v in self.net.state_dict().items():
            if v.is_floating_point():
                yield k, v


class NoisyClient(Client):
    def report(self):
        out = {}
        for k, v in self.net.state_dict().items():
            if v.is_floating_point():
                v += torch.randn_like(v) * self.sigma  # expect: TL111
            out[k] = v
        return out


class ClippingClient(Client):
    def report(self):
        payload = self.net.state_dict()
        norm = torch.stack([v.norm() for _, v in self.floats()]).norm()
        for k in payload:
            payload[k].mul_(self.limit / norm)  # expect: TL111
        return payload


class CleanClient(Client):
    def report(self):
        out = {k: v.clone() for k, v in self.net.state_dict().items()}
        for v in out.values():
            v.add_(torch.randn_like(v), alpha=self.sigma)  # ok: TL111
        return out


class RebindingClient(Client):
    def report(self):
        payload = self.net.state_dict()
        for k, v in self.floats():
            payload[k] = v + torch.randn_like(v) * self.sigma  # ok: TL111
        return payload


def shrink_and_perturb(net: nn.Module, keep: float = 0.4, sigma: float = 0.01) -> None:
    """Here the live model is what is meant to change."""
    with torch.no_grad():
        for p in net.parameters():
            p.mul_(keep).add_(torch.randn_like(p), alpha=sigma)  # ok: TL111


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    for cls, intact in ((NoisyClient, False), (ClippingClient, False), (CleanClient, True), (RebindingClient, True)):
        net = nn.Linear(3, 2)
        before = net.weight.detach().clone()
        sent = cls(net).report()
        assert set(sent) == {"weight", "bias"} and not torch.equal(sent["weight"], before)
        assert torch.equal(net.weight, before) is intact, cls
    shrink_and_perturb(nn.Linear(3, 2))
