"""A wrapper keeps any module out of autocast; the wrapped projection stands between bf16 layers and nobody casts what comes in.

source: pytorch/pytorch#79085 kind; `Fp32(module)` wrappers of vision code ("mat1 and mat2 must have the same dtype, but got BFloat16 and Float")
rules: [TL409]
"""
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Wide(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    @torch.autocast(KIND, enabled=False)
    def forward(self, x):
        return self.inner(x)  # ok: TL409


class WideCasting(Wide):
    @torch.autocast(KIND, enabled=False)
    def forward(self, x):
        return self.inner(x.to(torch.float32))  # ok: TL409


class Tail(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.squeeze, self.score = nn.Linear(dim, dim), nn.Linear(dim, classes)

    def hidden(self, x):
        return torch.relu(self.squeeze(x))

    def forward(self, x):
        h = self.hidden(x)
        with torch.autocast(device_type=KIND, enabled=False):
            return {"hidden": h, "score": self.score(h)}  # expect: TL409


class TailCast(Tail):
    def forward(self, x):
        h = self.hidden(x)
        with torch.autocast(device_type=KIND, enabled=False):
            h = h.float()
            return {"hidden": h, "score": self.score(h)}  # ok: TL409


class TailWhole(Tail):
    """Everything in the island: what enters is the caller's float32 input."""

    def forward(self, x):
        with torch.autocast(device_type=KIND, enabled=False):
            return {"score": self.score(self.hidden(x))}  # ok: TL409


class Model(nn.Module):
    def __init__(self, tail=Tail, stem=None):
        super().__init__()
        self.stem = stem or nn.Identity()
        self.tail = tail(4, 3)

    def predict(self, x):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            return self.tail(self.stem(x))["score"]


def norm_first():
    return nn.Sequential(nn.Linear(4, 4), WideCasting(nn.LayerNorm(4)))


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 4, device=KIND)
    try:
        Model(Tail).to(KIND).predict(x)
        raise AssertionError("bf16 met float32 in the island")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    assert Model(TailCast).to(KIND).predict(x).dtype is torch.float32
    assert Model(TailWhole).to(KIND).predict(x).dtype is torch.float32
    assert Model(TailCast, norm_first()).to(KIND).predict(x).shape == (2, 3)
    assert Wide(nn.Linear(4, 2)).to(KIND)(x).dtype is torch.float32
