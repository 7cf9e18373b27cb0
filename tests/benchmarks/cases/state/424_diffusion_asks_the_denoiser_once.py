"""A diffusion wrapper asks its denoiser for device and dtype in the constructor and draws all its noise with what it heard.

source: pytorch/rl#4224 (device remembered on the loss module); diffusion wrappers rebuilt from scratch
rules: [TL119]
"""
import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.net = nn.Linear(dim + 1, dim)

    def forward(self, x, t):
        return self.net(torch.cat([x, t.expand(x.shape[0], 1)], 1))


class Diffusion(nn.Module):
    def __init__(self, denoiser: nn.Module, dim: int = 3, steps: int = 3):
        super().__init__()
        self.denoiser, self.dim, self.steps = denoiser, dim, steps
        self.look_at(next(denoiser.parameters()))

    def look_at(self, ref: torch.Tensor) -> None:
        raise NotImplementedError

    def blank(self, *size: int) -> dict:
        raise NotImplementedError

    @torch.no_grad()
    def sample(self, count: int) -> torch.Tensor:
        kw = self.blank()
        x = torch.randn(count, self.dim, **kw)
        for i in reversed(range(self.steps)):
            x = x - 0.1 * self.denoiser(x, torch.full((1, 1), i / self.steps, **kw))
        return x


class RememberingDiffusion(Diffusion):
    def look_at(self, ref):
        self.device = ref.device  # expect: TL119
        self.dtype = ref.dtype  # expect: TL119

    def blank(self):
        return {"device": self.device, "dtype": self.dtype}


class AskingDiffusion(Diffusion):
    def look_at(self, ref):
        self.born_on = str(ref.device)  # ok: TL119

    @property
    def device(self) -> torch.device:  # ok: TL119
        return next(self.denoiser.parameters()).device

    def blank(self):
        return {"device": self.device, "dtype": next(self.parameters()).dtype}


class AnchoredDiffusion(Diffusion):
    """An empty buffer follows every move and conversion and is asked at each call."""

    def look_at(self, ref):
        self.register_buffer("anchor", ref.new_empty(0), persistent=False)  # ok: TL119, TL106

    def blank(self):
        return {"device": self.anchor.device, "dtype": self.anchor.dtype}


def serve(kind: type[Diffusion], half: bool = True) -> Diffusion:
    model = RememberingDiffusion(Denoiser()) if kind is RememberingDiffusion else kind(Denoiser())
    model.eval()
    return model.half() if half else model


def dry_run() -> RememberingDiffusion:
    return RememberingDiffusion(Denoiser()).to(torch.device("meta"))


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, follows in ((RememberingDiffusion, False), (AskingDiffusion, True), (AnchoredDiffusion, True)):
        m = serve(cls)
        try:
            ok = m.sample(2).dtype == torch.float16
        except RuntimeError as exc:
            assert "dtype" in str(exc), exc
            ok = False
        assert ok is follows, cls
    assert dry_run().device.type == "cpu"
    assert AskingDiffusion(Denoiser()).to("meta").sample(2).is_meta
