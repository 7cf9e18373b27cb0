"""A test that is asked twice of the same parameter: what one branch makes never meets what the other computes."""

import torch
from torch import nn


class Sampler(nn.Module):
    def forward(self, x, count: int):
        if count < 0:
            parents = torch.arange(len(x))  # ok: TL204  the other branch concatenates
        else:
            parents = torch.arange(len(x)).to(x.device)
        if count < 0:
            return x
        return torch.cat([parents.unsqueeze(-1), x], dim=1)


class Mixed(nn.Module):
    def forward(self, x, count: int):
        parents = torch.arange(len(x), device=x.device)
        if count < 0:
            parents = torch.arange(len(x))  # expect: TL204
        if count < 3:
            x = torch.cat([parents.unsqueeze(-1), x], dim=1)
        return x


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(4, 2)

    def init_table(self, rows, shares=None):
        start = torch.cat([torch.from_numpy(rows), torch.zeros(2, 2)], 0)  # ok: TL204  a script sets it up
        if shares is not None:
            start = shares.matmul(start)
        self.table.weight.data[:] = start

    def init_state(self, x):
        return x.unsqueeze(-1) * torch.zeros(2)  # expect: TL204

    def forward(self, x):
        return self.table(x) + self.init_state(x)


def demonstrate():
    assert Sampler()(torch.ones(2, 3), -1).shape == (2, 3)
    assert Mixed()(torch.ones(2, 3), 4).shape == (2, 3)
    on_meta = torch.ones(2, 3, device="meta")
    assert Sampler()(on_meta, -1).shape == (2, 3) and Sampler()(on_meta, 1).shape == (2, 4)
    words = Words()
    words.init_table(torch.ones(2, 2).numpy(), torch.eye(4))
    assert words(torch.ones(2, dtype=torch.long)).shape == (2, 2)


if __name__ == "__main__":
    demonstrate()
