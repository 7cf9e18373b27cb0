"""A rotation built from Householder vectors, and row norms of a prototype matrix, are computed once in the constructor.

source: flow and metric-learning layers whose derived matrix stops following its parameters; classes written from scratch
rules: [TL106]
"""
import torch
import torch.nn.functional as F
from torch import nn


def compose(vectors: torch.Tensor) -> torch.Tensor:
    dim = vectors.shape[1]
    q = torch.eye(dim, device=vectors.device, dtype=vectors.dtype)
    for v in vectors:
        q = q - 2.0 * (q @ v)[:, None] * v[None, :] / (v @ v)
    return q


class FixedRotation(nn.Module):
    def __init__(self, dim: int = 4, reflections: int = 2):
        super().__init__()
        self.vectors = nn.Parameter(torch.randn(reflections, dim))
        self.reflections = self.vectors.shape[0]  # ok: TL106
        self.rotation = compose(self.vectors.detach())  # expect: TL106

    def forward(self, z):
        return z @ self.rotation


class LiveRotation(nn.Module):
    def __init__(self, dim: int = 4, reflections: int = 2):
        super().__init__()
        self.vectors = nn.Parameter(torch.randn(reflections, dim))

    @property
    def rotation(self) -> torch.Tensor:
        return compose(self.vectors)  # ok: TL106, TL112

    def forward(self, z):
        return z @ self.rotation


class CosineHead(nn.Module):
    """Divides by the norms that the prototypes had on the first day."""

    def __init__(self, dim: int = 4, classes: int = 3, scale: float = 10.0):
        super().__init__()
        self.scale = scale
        self.proto = nn.Parameter(torch.randn(classes, dim))
        self.register_buffer("proto_norm", self.proto.detach().norm(dim=1), persistent=False)  # expect: TL106

    def forward(self, h):
        return self.scale * F.linear(F.normalize(h, dim=-1), self.proto) / self.proto_norm


class AveragedCosineHead(nn.Module):
    """The second matrix only starts from the first; average() moves it on, and the checkpoint has both."""

    def __init__(self, dim: int = 4, classes: int = 3, scale: float = 10.0):
        super().__init__()
        self.scale = scale
        self.proto = nn.Parameter(torch.randn(classes, dim))
        self.register_buffer("slow_proto", self.proto.detach().clone())  # ok: TL106

    @torch.no_grad()
    def average(self, rate: float = 0.1) -> None:
        self.slow_proto.lerp_(self.proto, rate)

    def forward(self, h):
        proto = self.proto if self.training else self.slow_proto
        return self.scale * F.normalize(h, dim=-1) @ F.normalize(proto, dim=-1).t()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    z = torch.randn(5, 4)
    for cls, right in ((FixedRotation, False), (LiveRotation, True)):
        src, dst = cls(), cls()
        dst.load_state_dict(src.state_dict())
        assert torch.allclose(src(z), dst(z)) is right, cls
        with torch.no_grad():
            src.vectors.add_(torch.randn_like(src.vectors))
        assert torch.allclose(src(z), z @ compose(src.vectors), atol=1e-5) is right, cls
    src, dst = CosineHead(), CosineHead()
    dst.load_state_dict(src.state_dict())
    assert not torch.allclose(src(z), dst(z))
    src, dst = AveragedCosineHead(), AveragedCosineHead()
    src.average()
    dst.load_state_dict(src.state_dict())
    assert torch.allclose(src.eval()(z), dst.eval()(z))
