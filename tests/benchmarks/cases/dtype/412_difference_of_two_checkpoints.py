"""A fine-tune is shipped as the difference to its base, packed in half; counters and number tables are packed with the weights.

source: delta-weight tools (a fine-tune shipped as a difference) applied to whole state dicts; own construction
rules: [TL301]
"""
from collections import OrderedDict

import torch
from torch import nn


class Delta:
    def pack(self, name, value):
        return value.half()  # expect: TL301

    def make(self, base, tuned):
        before, after = base.state_dict(), tuned.state_dict()
        return OrderedDict((k, self.pack(k, after[k] - before[k])) for k in after)

    def apply(self, base, delta):
        state = {k: v + delta.get(k, 0) for k, v in base.state_dict().items()}
        base.load_state_dict(state)
        return base


class DeltaFloating(Delta):
    def pack(self, name, value):
        return value.half() if torch.is_floating_point(value) else value  # ok: TL301


class DeltaByName(Delta):
    """Goes over the weights only; the rest is sent whole."""

    def make(self, base, tuned):
        old = dict(base.named_parameters())
        out = {k: (p.detach() - old[k].detach()).half() for k, p in tuned.named_parameters()}  # ok: TL301
        out.update((k, b - dict(base.named_buffers())[k]) for k, b in tuned.named_buffers())
        return out


class DeltaOfTable(Delta):
    narrow = {torch.float32: torch.float16, torch.float64: torch.float32}

    def pack(self, name, value):
        return value.to(self.narrow.get(value.dtype, value.dtype))  # ok: TL301


class Net(nn.Module):
    def __init__(self, words=8):
        super().__init__()
        self.body, self.norm = nn.Linear(3, 3), nn.BatchNorm1d(3)
        self.register_buffer("ids", torch.arange(words))

    def forward(self, x):
        return self.norm(self.body(x))


def demonstrate():
    def trip(kind):
        base, tuned = Net(), Net()
        tuned.ids += 2049
        tuned.norm.num_batches_tracked.fill_(4099)
        tool = kind()
        return tuned, tool.apply(base, tool.make(base, tuned))

    tuned, back = trip(Delta)
    assert not torch.equal(tuned.ids, back.ids)  # 2049 is no half number
    assert tuned.norm.num_batches_tracked != back.norm.num_batches_tracked
    for kind in (DeltaFloating, DeltaByName, DeltaOfTable):
        tuned, back = trip(kind)
        assert torch.equal(tuned.ids, back.ids) and tuned.norm.num_batches_tracked == back.norm.num_batches_tracked, kind
        assert torch.allclose(tuned.body.weight, back.body.weight, atol=1e-3)
