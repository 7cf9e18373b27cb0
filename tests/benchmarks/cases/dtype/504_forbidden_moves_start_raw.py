"""A hidden Markov model starts its log transitions as raw memory minus infinity; memory that holds NaN or inf stays what it is.

source: jmschrei/pomegranate#1121 (operations on uninitialised memory in HMMs)
rules: [TL202]
"""
import torch
from torch import nn

INF = float("inf")


class Chain(nn.Module):
    def __init__(self, states: int, edges: list[tuple[int, int]]):
        super().__init__()
        self.states, self.links = states, edges
        self.emit = nn.Linear(2, states)
        self.register_buffer("moves", self.table())

    def table(self):
        raise NotImplementedError

    def fill(self, log):
        for a, b in self.links:
            log[a, b] = 0.0
        return log - log.logsumexp(-1, keepdim=True)

    def forward(self, x):
        e = self.emit(x).log_softmax(-1)
        score = e[0]
        for step in e[1:]:
            score = (score.unsqueeze(-1) + self.moves).logsumexp(0) + step
        return score.logsumexp(0)


class RawChain(Chain):
    def table(self):
        return self.fill(torch.Tensor(self.states, self.states) - INF)  # expect: TL202


class TupleChain(Chain):
    """The size comes as a pair: the constructor takes the pair for two values."""

    def table(self):
        size = (self.states, self.states)
        log = torch.Tensor(size)  # expect: TL202
        return self.fill(log.fill_(-INF))


class FullChain(Chain):
    def table(self):
        return self.fill(torch.full((self.states, self.states), -INF))  # ok: TL202


class FilledChain(Chain):
    def table(self):
        return self.fill(torch.Tensor(self.states, self.states).fill_(-INF))  # ok: TL202


class EmptyFilled(Chain):
    def table(self):
        log = torch.empty(self.states, self.states)  # ok: TL202
        nn.init.constant_(log, -INF)
        return self.fill(log)


def demonstrate():
    torch.manual_seed(0)
    links, x = [(0, 0), (0, 1), (1, 1), (2, 0)], torch.randn(5, 2)
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(True)  # raw memory is filled with NaN, so that it can be seen
    try:
        assert RawChain(3, links)(x).isnan()
        for cls in (FullChain, FilledChain, EmptyFilled):
            assert cls(3, links)(x).isfinite(), cls
        try:
            TupleChain(3, links)
            raise AssertionError("a pair was taken for a size")
        except IndexError as err:
            assert "too many indices" in str(err), err
    finally:
        torch.use_deterministic_algorithms(before)
