"""An encoder is loaded in bfloat16 for speed; its embeddings go to numpy, which has no such type.

source: embeddings-benchmark/mteb#1297, locuslab/open-unlearning#156, xwying/torchshow#23
rules: [TL306]
"""
import numpy as np
import torch
from torch import nn


class Encoder:
    def __init__(self, net: nn.Module, batch=2):
        self.net, self.batch = net.to(torch.bfloat16).eval(), batch

    def chunks(self, rows):
        for i in range(0, len(rows), self.batch):
            yield torch.tensor(rows[i : i + self.batch], dtype=torch.bfloat16)

    def to_array(self, part):
        return part.cpu().numpy()  # expect: TL306

    @torch.inference_mode()
    def encode(self, rows):
        return np.concatenate([self.to_array(self.net(part)) for part in self.chunks(rows)])


class EncoderWidened(Encoder):
    def to_array(self, part):
        return part.float().cpu().numpy()  # ok: TL306


class EncoderOfNorms(Encoder):
    """Scalars leave by item(): no array is made of the narrow type."""

    def to_array(self, part):
        return np.array([row.norm().item() for row in part])  # ok: TL306


class EncoderCasting(Encoder):
    def to_array(self, part):
        wide = part.to(torch.float32)
        return np.asarray(wide.cpu())  # ok: TL306


class WeightReport:
    def __init__(self, net: nn.Module):
        self.net = net

    def largest(self):
        return max(float(np.abs(p.numpy()).max()) for p in self.net.parameters())  # expect: TL306

    def largest_detached(self):
        return max(float(np.abs(p.data.numpy()).max()) for p in self.net.parameters())  # ok: TL306


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    rows = [[1.0, 2.0, 3.0]] * 3
    try:
        Encoder(nn.Linear(3, 2)).encode(rows)
        raise AssertionError("numpy took bfloat16")
    except TypeError as err:
        assert "BFloat16" in str(err), err
    assert EncoderWidened(nn.Linear(3, 2)).encode(rows).shape == (3, 2)
    assert EncoderCasting(nn.Linear(3, 2)).encode(rows).dtype == np.float32
    assert EncoderOfNorms(nn.Linear(3, 2)).encode(rows).shape == (3,)
    try:
        WeightReport(nn.Linear(3, 2)).largest()
        raise AssertionError("numpy took a tensor that requires grad")
    except RuntimeError as err:
        assert "requires grad" in str(err), err
    assert WeightReport(nn.Linear(3, 2)).largest_detached() > 0
