"""A span reader marks impossible answers with tensors that it sends to cuda by hand, in a loss helper two calls below forward.

source: amzn/refuel-open-domain-qa#10 (hard-coded .cuda() in the span loss)
rules: [TL207]
"""
import torch
import torch.nn.functional as F
from torch import nn


class SpanLoss:
    """Mixed into readers: several answers may be right, the best one counts."""

    def slots(self, starts):
        return torch.zeros(starts.size(0), 1).cuda()  # expect: TL207

    def best(self, losses, starts):
        table = torch.cat([self.slots(starts), *losses], dim=1)
        return -torch.logsumexp(-table[:, 1:], dim=1)

    def spans(self, begin, end, starts, ends):
        losses = []
        for a, b in zip(starts.unbind(1), ends.unbind(1)):
            one = F.cross_entropy(begin, a, reduction="none") + F.cross_entropy(end, b, reduction="none")
            losses.append(one[:, None])
        return self.best(losses, starts).mean()


class Reader(SpanLoss, nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.edges = nn.Linear(dim, 2)

    def forward(self, x, starts, ends):
        begin, end = self.edges(x).unbind(-1)
        return self.spans(begin, end, starts, ends)


class ReaderFollows(Reader):
    def slots(self, starts):
        return torch.zeros(starts.size(0), 1).to(starts.device)  # ok: TL207


class ReaderAsks(Reader):
    """Goes to the card only when the labels are there."""

    def slots(self, starts):
        slots = torch.zeros(starts.size(0), 1)
        return slots.cuda(starts.get_device()) if starts.is_cuda else slots  # ok: TL207


def serve(reader, batch):
    """A script's own choice of device, made once for model and data alike."""
    if torch.cuda.is_available():
        reader, batch = reader.cuda(), [t.cuda() for t in batch]  # ok: TL207
    return reader(*batch)


def demonstrate():
    torch.manual_seed(0)
    batch = torch.randn(2, 5, 4), torch.randint(0, 5, (2, 3)), torch.randint(0, 5, (2, 3))
    for cls in (ReaderFollows, ReaderAsks):
        assert torch.isfinite(cls()(*batch)) and torch.isfinite(serve(cls(), batch))
    try:
        Reader()(*batch)  # inputs on the CPU
        worked = True
    except (AssertionError, RuntimeError) as err:
        assert "cuda" in str(err).lower() or "device" in str(err), err
        worked = False
    assert not worked
