"""A routing policy served in half: visited nodes get -1e8, similarity divides by a norm plus 1e-8; neither number exists in half.

source: NVIDIA/apex#1052, dotnet/TorchSharp#1135 (the error texts)
rules: [TL302]
"""
import torch
from torch import nn


class RoutePolicy(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.embed = nn.Linear(2, dim)

    def unit(self, h):
        return h / (h.norm(dim=-1, keepdim=True) + 1e-8)  # expect: TL302

    def step(self, nodes, current, visited):
        h = self.unit(self.embed(nodes))
        logits = torch.einsum("bnd,bd->bn", h, h[torch.arange(len(h)), current])
        logits = logits.masked_fill(visited, -1e8)  # expect: TL302
        return logits.softmax(dim=-1)


class RoutePolicyFixed(RoutePolicy):
    def unit(self, h):
        return h / h.norm(dim=-1, keepdim=True).clamp(min=1e-4)  # ok: TL302

    def step(self, nodes, current, visited):
        h = self.unit(self.embed(nodes))
        logits = torch.einsum("bnd,bd->bn", h, h[torch.arange(len(h)), current])
        logits = logits.masked_fill(visited, torch.finfo(logits.dtype).min)  # ok: TL302
        return logits.softmax(dim=-1)


class RoutePolicyWide(RoutePolicy):
    """Scores are compared in float32, whatever the weights are."""

    def unit(self, h):
        h = h.float()
        return h / (h.norm(dim=-1, keepdim=True) + 1e-8)  # ok: TL302

    def step(self, nodes, current, visited):
        h = self.unit(self.embed(nodes))
        logits = torch.einsum("bnd,bd->bn", h, h[torch.arange(len(h)), current])
        return logits.masked_fill(visited, -1e8).softmax(dim=-1)  # ok: TL302


def serve(policy, nodes):
    policy = policy.half().eval()
    nodes = nodes.half()
    tour = [torch.zeros(len(nodes), dtype=torch.long)]
    visited = torch.zeros(nodes.shape[:2], dtype=torch.bool)
    with torch.no_grad():
        for _ in range(nodes.shape[1] - 1):
            visited.scatter_(1, tour[-1][:, None], True)
            tour.append(policy.step(nodes, tour[-1], visited).argmax(-1))
    return torch.stack(tour, dim=1)


def demonstrate():
    torch.manual_seed(0)
    nodes = torch.rand(2, 5, 2)
    try:
        serve(RoutePolicy(), nodes)
        raise AssertionError("-1e8 fits half")
    except RuntimeError as err:
        assert "without overflow" in str(err)
    silent = torch.zeros(1, 4, dtype=torch.float16)
    assert RoutePolicy().half().unit(silent).isnan().all()
    for cls in (RoutePolicyFixed, RoutePolicyWide):
        tours = serve(cls(), nodes)
        assert all(sorted(row) == list(range(5)) for row in tours.tolist())
        assert torch.isfinite(cls().half().unit(silent)).all()
