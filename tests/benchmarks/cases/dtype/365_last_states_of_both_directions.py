"""A reader puts the last states of a recurrent net batch first and merges layers and directions with view.

source: LSTM classifiers that flatten h_n after a transpose; aimagelab/show-control-and-tell#23, Rose-STL-Lab/Spatiotemporal_UQ#5
rules: [TL205]
"""
import torch
from torch import nn


def batch_first(states):
    return tuple(s.permute(1, 0, 2) for s in states)


class Reader(nn.Module):
    def __init__(self, vocab=20, dim=6, layers=2):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.rnn = nn.LSTM(dim, dim, layers, bidirectional=True, batch_first=True)
        self.out = nn.Linear(self.rnn.num_layers * 2 * dim, 3)

    def summary(self, states):
        hidden, _ = batch_first(states)
        return hidden.view(hidden.size(0), -1)  # expect: TL205

    def forward(self, ids):
        _, states = self.rnn(self.embed(ids))
        return self.out(self.summary(states))


class ReaderFlat(Reader):
    def summary(self, states):
        hidden, _ = batch_first(states)
        return hidden.flatten(start_dim=1)  # ok: TL205


class ReaderCopied(Reader):
    def summary(self, states):
        hidden = batch_first(states)[0].contiguous()
        return hidden.view(len(hidden), -1)  # ok: TL205


class ReaderJoined(Reader):
    """cat writes fresh memory, whatever the strides of its parts."""

    def summary(self, states):
        hidden = torch.cat([s[:, None] for s in states[0]], dim=1)
        return hidden.view(hidden.size(0), -1)  # ok: TL205


class ReaderSplit(Reader):
    """Splits the first dimension of a transposed tensor; nothing is merged."""

    def summary(self, states):
        hidden = states[0].transpose(0, 2)
        layers = hidden.view(hidden.size(0), hidden.size(1), self.rnn.num_layers, 2)  # ok: TL205
        return layers.permute(1, 2, 3, 0).reshape(hidden.size(1), -1)


def demonstrate():
    torch.manual_seed(0)
    ids, base = torch.randint(0, 20, (4, 7)), Reader()
    try:
        base(ids)
        raise AssertionError("view merged layers and batch")
    except RuntimeError as err:
        assert "view size is not compatible" in str(err), err
    outs = []
    for cls in (ReaderFlat, ReaderCopied, ReaderJoined, ReaderSplit):
        net = cls()
        net.load_state_dict(base.state_dict())
        outs.append(net(ids))
    assert all(torch.allclose(outs[0], o, atol=1e-6) for o in outs)
