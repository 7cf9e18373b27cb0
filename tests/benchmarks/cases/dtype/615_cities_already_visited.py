"""A pointer network closes visited cities with -1e9; the planner that uses it is halved for the robot's small card.

source: NVIDIA/apex#1105, facebookresearch/fairseq#3575, huggingface/lerobot#710 (constants beyond half in a fill)
rules: [TL302]
"""
import torch
from torch import nn

CLOSED = -1e9


class Pointer(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.q, self.k = nn.Linear(dim, dim, bias=False), nn.Linear(dim, dim, bias=False)

    def close(self, scores, visited):
        return scores.masked_fill(visited, CLOSED)  # expect: TL302

    def forward(self, state, cities, visited):
        scores = torch.tanh((self.q(state).unsqueeze(1) * self.k(cities)).sum(-1)) * 10
        return self.close(scores, visited).log_softmax(-1)


class PointerInf(Pointer):
    def close(self, scores, visited):
        return scores.masked_fill(visited, float("-inf"))  # ok: TL302


class PointerFinfo(Pointer):
    def close(self, scores, visited):
        return scores.masked_fill(visited, torch.finfo(scores.dtype).min)  # ok: TL302


class PointerMild(Pointer):
    """-1e4 is far enough and fits into half."""

    def close(self, scores, visited):
        return scores.masked_fill(visited, -1e4)  # ok: TL302


class Planner:
    def __init__(self, pointer):
        self.pointer = pointer.half().eval()

    @torch.no_grad()
    def tour(self, cities):
        cities = cities.half()
        visited = torch.zeros(cities.shape[:2], dtype=torch.bool)
        state, order = cities.mean(1), []
        for _ in range(cities.size(1)):
            pick = self.pointer(state, cities, visited).argmax(-1)
            visited = visited.scatter(1, pick.unsqueeze(1), True)
            state = cities[torch.arange(len(pick)), pick]  # ok: TL201
            order.append(pick)
        return torch.stack(order, 1)


def plan(cities):
    return Planner(Pointer()).tour(cities)


def demonstrate():
    torch.manual_seed(0)
    cities = torch.randn(2, 4, 8)
    try:
        plan(cities)
        raise AssertionError("-1e9 written into half")
    except RuntimeError as err:
        assert "overflow" in str(err), err
    for cls in (PointerInf, PointerFinfo, PointerMild):
        assert Planner(cls()).tour(cities).sort(1)[0].tolist() == [[0, 1, 2, 3]] * 2
