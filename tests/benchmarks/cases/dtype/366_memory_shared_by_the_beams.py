"""Beam search: the encoder's memory is expanded over the beams and folded into the batch with view, several fields at once.

source: beam-search decoders that widen a dict of encoder outputs; JDAI-CV/Down-to-the-Last-Detail-Virtual-Try-on-with-Detail-Carving#28 kind (view on a tensor with zero strides)
rules: [TL205]
"""
import torch
from torch import nn


def widen(value, beams):
    rows, *rest = value.shape
    wide = value.unsqueeze(1).expand(rows, beams, *rest)
    return wide.view(rows * beams, *rest)  # expect: TL205


def widen_copy(value, beams):
    return value.repeat_interleave(beams, dim=0).view(len(value) * beams, *value.shape[1:])  # ok: TL205


def widen_shape(value, beams):
    rows, *rest = value.shape
    wide = value.unsqueeze(1).expand(rows, beams, *rest)
    return wide.reshape(rows * beams, *rest)  # ok: TL205


class Decoder(nn.Module):
    spread = staticmethod(widen)

    def __init__(self, dim=4, words=7):
        super().__init__()
        self.enc, self.dec, self.words = nn.Linear(dim, dim), nn.Linear(dim, words), words

    def encode(self, x):
        return {"memory": self.enc(x), "mask": x.abs().sum(-1) > 0}

    def start(self, x, beams):
        return {k: self.spread(v, beams) for k, v in self.encode(x).items()}

    def step(self, state):
        mean = (state["memory"] * state["mask"][..., None]).mean(1)
        return self.dec(mean).log_softmax(-1)

    @torch.no_grad()
    def search(self, x, beams=3):
        logp = self.step(self.start(x, beams))
        return logp.view(len(x), beams * self.words).topk(beams)  # ok: TL205


class CopyDecoder(Decoder):
    spread = staticmethod(widen_copy)


class ShapeDecoder(Decoder):
    spread = staticmethod(widen_shape)


def heads_over(value, beams):
    """Merges only the trailing dimensions, which stay adjacent under the expanded one."""
    rows, time, dim = value.shape
    return value[:, None].expand(rows, beams, time, dim).view(rows, beams, time * dim)  # ok: TL205


def demonstrate():
    torch.manual_seed(0)
    x, base = torch.randn(2, 5, 4), Decoder()
    try:
        base.search(x)
        raise AssertionError("view folded an expanded dimension")
    except RuntimeError as err:
        assert "view size is not compatible" in str(err), err
    for cls in (CopyDecoder, ShapeDecoder):
        net = cls()
        net.load_state_dict(base.state_dict())
        assert net.search(x).indices.shape == (2, 3)
    assert heads_over(x, 3).shape == (2, 3, 20)
