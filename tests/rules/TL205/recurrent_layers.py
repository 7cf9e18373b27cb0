"""A recurrent layer puts time first, and stacks its last states layer by layer: turned, they cannot be merged."""
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.both = nn.LSTM(4, 3, bidirectional=True)
        self.deep = nn.GRU(4, 3, 2, batch_first=True)
        self.single = nn.GRU(4, 3)
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        out, _ = self.both(x.transpose(0, 1))
        out = out.transpose(0, 1)
        return self.head(out.view(-1, out.size(2)))  # expect: TL205

    def in_order(self, x):
        out, _ = self.both(x.transpose(0, 1))
        return self.head(out.view(-1, out.size(2)))  # ok: TL205  nothing is turned

    def copied(self, x):
        out, _ = self.both(x.transpose(0, 1))
        out = out.transpose(0, 1).contiguous()
        return self.head(out.view(-1, out.size(2)))  # ok: TL205

    def states(self, x):
        _, (hidden, _) = self.both(x)
        return self.head(hidden.transpose(0, 1).view(x.size(1), -1))  # expect: TL205

    def deep_states(self, x):
        _, hidden = self.deep(x)
        return self.head(hidden.permute(1, 0, 2).view(x.size(0), -1))  # expect: TL205

    def deep_states_copied(self, x):
        _, hidden = self.deep(x)
        return self.head(hidden.permute(1, 0, 2).reshape(x.size(0), -1))  # ok: TL205

    def single_state(self, x):
        _, hidden = self.single(x)
        return hidden.transpose(0, 1).view(x.size(1), -1)  # ok: TL205  there is one layer in one direction


def demonstrate():
    tagger, x = Tagger(), torch.rand(5, 6, 4)
    for call in (tagger, tagger.states, tagger.deep_states):
        try:
            call(x)
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    for call in (tagger.in_order, tagger.copied, tagger.deep_states_copied, tagger.single_state):
        call(x)
