"""A module that evaluates with its own running average: eval mode puts the average in, train mode puts the raw weights back.

source: schedule-free and self-averaging models (mode decides which weights are live); rebuilt from scratch
rules: [TL103]
"""
import torch
from torch import nn


class SelfAveraging(nn.Module):
    def __init__(self, inner: nn.Module, decay: float = 0.5):
        super().__init__()
        self.inner = inner
        self.decay = decay
        for k, v in inner.named_parameters():
            self.register_buffer(self._slot(k), v.detach().clone())

    @staticmethod
    def _slot(name: str) -> str:
        return "avg_" + name.replace(".", "_")

    @torch.no_grad()
    def track(self) -> None:
        for k, v in self.inner.named_parameters():
            getattr(self, self._slot(k)).lerp_(v, 1 - self.decay)

    def forward(self, x):
        return self.inner(x)


class SwappingAverage(SelfAveraging):
    def __init__(self, inner: nn.Module, decay: float = 0.5):
        super().__init__(inner, decay)
        self.raw = {}

    @torch.no_grad()
    def train(self, mode: bool = True):
        super().train(mode)
        if not mode and not self.raw:
            for k, v in self.inner.named_parameters():
                self.raw[k] = v.clone()  # expect: TL103
                v.copy_(getattr(self, self._slot(k)))
        elif mode and self.raw:
            for k, v in self.inner.named_parameters():
                v.copy_(self.raw.pop(k))
        return self


class CalledAverage(SelfAveraging):
    """No swap: in eval mode the inner network is called with the averaged tensors."""

    def train(self, mode: bool = True):  # ok: TL103, TL108
        return super().train(mode)

    def forward(self, x):
        if self.training:
            return self.inner(x)
        live = {k: getattr(self, self._slot(k)) for k, _ in self.inner.named_parameters()}
        return torch.func.functional_call(self.inner, live, (x,))


class CountingAverage(SelfAveraging):
    """train() leaves only a number and a name behind."""

    def train(self, mode: bool = True):
        super().train(mode)
        self.size = sum(v.numel() for v in self.inner.parameters())  # ok: TL103
        self.phase = "fit" if mode else "score"  # ok: TL103
        return self


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 4)
    for cls, faithful in ((SwappingAverage, False), (CalledAverage, True), (CountingAverage, True)):
        donor = cls(nn.Linear(4, 2))
        sd = {k: v.clone() for k, v in donor.state_dict().items()}
        m = cls(nn.Linear(4, 2))
        m.track()
        m.eval()  # a validation ran before the checkpoint is loaded
        m.load_state_dict(sd)
        m.train()
        assert torch.allclose(m(x), donor(x)) is faithful, cls
