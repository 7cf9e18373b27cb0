"""A layer is one of two that both hold parameters, a function gives several tensors: what is pinned meets them."""

import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, dim=4, deep=True):
        super().__init__()
        self.project = nn.Conv1d(dim, dim, 1)
        self.shorten = nn.Identity()
        if deep:
            self.project = nn.Linear(dim, dim)
            self.shorten = nn.ReLU()
        self.parts = nn.ModuleList([nn.Linear(dim, dim)])

    def forward(self, x):
        for part in self.parts:
            rows = torch.zeros(x.shape).cuda()  # expect: TL207
            rows[:, :2] = part(x)[:, :2]
            x = rows
        return self.project(x)

    def shortened(self, x):
        rows = torch.zeros(3, 4).cuda()  # ok: TL207  no parameter is in there
        return self.shorten(rows), self.project(x)

    def delayed(self, x):
        places = torch.arange(x.shape[0]).cuda()  # expect: TL207
        best = torch.topk(torch.mean(x, dim=1), 2, dim=-1)[1]
        return places[:2] + best

    def delayed_there(self, x):
        places = torch.arange(x.shape[0], device=x.device)  # ok: TL207
        best = torch.topk(torch.mean(x, dim=1), 2, dim=-1)[1]
        return places[:2] + best

    def named(self, x):
        names = torch.arange(2).cuda()  # ok: TL207  a size is a number
        return names * torch.topk(torch.mean(x, dim=1), 2, dim=-1)[1].size(0), x


class Judge(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.score = nn.Linear(dim, 3)

    def forward(self, x, kinds):
        return self.score(x)[:, kinds]

    def loss(self, x, kinds):
        return self.forward(x, kinds).mean()


class Pair(nn.Module):
    def __init__(self):
        super().__init__()
        self.judge = Judge()

    def forward(self, rows):
        x = rows[0].cuda()  # expect: TL207
        kinds = rows[1].cuda()  # ok: TL207  it only indexes
        return self.judge(x, kinds).mean() + self.judge.loss(x, kinds)


def demonstrate():
    decoder, x = Decoder(), torch.rand(3, 4)
    assert decoder.delayed_there(x).shape == (2,)
    assert Judge().loss(x, torch.zeros(1, dtype=torch.long)).ndim == 0
    if not torch.cuda.is_available():
        for call in (decoder, decoder.delayed):
            try:
                call(x)
                raise AssertionError("there is no CUDA")
            except (RuntimeError, AssertionError) as error:
                assert "CUDA" in str(error) or "NVIDIA" in str(error)
