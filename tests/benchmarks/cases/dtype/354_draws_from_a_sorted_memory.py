"""Rank-based replay: uniform draws are warped, stretched to the memory and used to fetch transitions and to write new priorities.

source: VSehwag/minimal-diffusion#4 kind (floating t as an index); rank-based prioritised replay re-implementations
rules: [TL201]
"""
import torch


class Memory:
    def __init__(self, size, dim, power=2.0):
        self.rows = torch.zeros(size, dim)
        self.weight = torch.ones(size)
        self.power, self.filled = power, 0

    def add(self, row):
        at = self.filled % len(self.rows)
        self.rows[at] = row  # ok: TL201
        self.filled += 1

    def ranks(self, count):
        spot = torch.rand(count) ** self.power * min(self.filled, len(self.rows))  # expect: TL201
        return spot

    def sample(self, count):
        order = self.weight.argsort(descending=True)
        picked = order[self.ranks(count)]  # use: TL201
        return dict(picked=picked, rows=self.rows[picked])

    def feedback(self, batch, error):
        self.weight[batch["picked"]] = error.abs()  # ok: TL201


class WholeMemory(Memory):
    def ranks(self, count):
        spot = torch.rand(count) ** self.power * min(self.filled, len(self.rows))  # ok: TL201
        return spot.to(dtype=self.weight.argsort().dtype)


class GatheredMemory(Memory):
    """Weights are the data of gather, not its index."""

    def ranks(self, count):
        return torch.multinomial(self.weight[: self.filled], count, replacement=True)  # ok: TL201

    def sample(self, count):
        picked = self.ranks(count)
        return dict(picked=picked, rows=self.rows[picked], weight=self.weight.gather(0, picked))  # ok: TL201


class MaskedMemory(Memory):
    """A threshold on floating draws is a mask, and masks are fine."""

    def sample(self, count):
        draw = torch.rand(len(self.rows))  # ok: TL201
        keep = draw < count / len(self.rows)
        return dict(picked=keep, rows=self.rows[keep])  # ok: TL201


def demonstrate():
    torch.manual_seed(0)

    def use(cls):
        memory = cls(8, 3)
        for _ in range(8):
            memory.add(torch.randn(3))
        batch = memory.sample(4)
        memory.feedback(batch, torch.randn(len(batch["rows"])))
        return batch["rows"]

    try:
        use(Memory)
        raise AssertionError("floating ranks were accepted")
    except IndexError as err:
        assert "indices" in str(err)
    assert use(WholeMemory).shape == (4, 3)
    assert use(GatheredMemory).shape == (4, 3) and use(MaskedMemory).size(1) == 3
