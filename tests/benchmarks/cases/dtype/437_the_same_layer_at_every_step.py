"""A wrapper applies one layer at every time step by folding time into the batch; the sequences come time-last-swapped from a collator.

source: TimeDistributed wrappers ported without .contiguous(); dmlc/gluon-cv#1618 kind (a permuted batch reaches view)
rules: [TL205]
"""
import torch
from torch import nn


def collate(samples):
    """Time first, as the recurrent parts want it."""
    xs, ys = zip(*samples)
    return {"x": torch.stack(xs).transpose(0, 1), "y": torch.stack(ys)}


def collate_batch_first(samples):
    xs, ys = zip(*samples)
    return {"x": torch.stack(xs), "y": torch.stack(ys)}


class AtEveryStep(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def fold(self, x):
        return x.view(-1, x.size(-1))  # expect: TL205

    def forward(self, x):
        y = self.inner(self.fold(x))
        return y.view(x.size(0), x.size(1), -1)  # ok: TL205


class AtEveryStepCopying(AtEveryStep):
    def fold(self, x):
        return x.contiguous().view(-1, x.size(-1))  # ok: TL205


class AtEveryStepFlat(AtEveryStep):
    def fold(self, x):
        return x.flatten(0, 1)  # ok: TL205


class AtEveryStepSplit(AtEveryStep):
    """Only adds dimensions; the layer takes any number of leading ones."""

    def fold(self, x):
        return x.view(*x.shape[:2], 1, -1)  # ok: TL205


class Net(nn.Module):
    def __init__(self, wrap=AtEveryStep):
        super().__init__()
        self.lift = wrap(nn.Linear(3, 4))
        self.rnn = nn.GRU(4, 2)

    def forward(self, batch):
        out, _ = self.rnn(self.lift(batch["x"]))
        return out[-1]


def loader(data, fn=collate):
    return torch.utils.data.DataLoader(data, batch_size=2, collate_fn=fn)


def run(wrap=AtEveryStep, fn=collate):
    torch.manual_seed(0)
    data = [(torch.randn(5, 3), torch.tensor(i)) for i in range(4)]
    net = Net(wrap)
    return [net(batch) for batch in loader(data, fn)]


def demonstrate():
    try:
        run(AtEveryStep)
        raise AssertionError("view merged swapped dimensions")
    except RuntimeError as err:
        assert "view size" in str(err), err
    run(AtEveryStep, collate_batch_first)  # this collator hides it
    one = run(AtEveryStepCopying)
    for wrap in (AtEveryStepFlat, AtEveryStepSplit):
        assert torch.allclose(one[0], run(wrap)[0])
