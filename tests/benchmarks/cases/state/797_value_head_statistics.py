"""Value head: output statistics kept as plain tensors are lost on resume; an input scale is updated after it was used.

source: mujocolab/mjlab#484 (state lost on resume); heads written from scratch
rules: [TL121, TL122]
"""
import torch
from torch import nn


class ValueHead(nn.Module):
    """Predicts normalised returns; mean and spread of the returns are tracked while training."""

    def __init__(self, dim: int = 4, rate: float = 0.3):
        super().__init__()
        self.rate = rate
        self.fc = nn.Linear(dim, 1)
        self.largest_return = 0.0  # ok: TL122
        self.make_statistics()

    def make_statistics(self) -> None:
        raise NotImplementedError

    def extra_repr(self) -> str:
        return f"largest_return={self.largest_return:.2f}"

    @torch.no_grad()
    def observe(self, returns: torch.Tensor) -> None:
        self.largest_return = max(self.largest_return, float(returns.max()))
        self.mean = torch.lerp(self.mean, returns.mean().view(1), self.rate)
        self.spread = torch.lerp(self.spread, returns.std().view(1), self.rate)

    def forward(self, h):
        return self.fc(h) * self.spread + self.mean


class ForgetfulValueHead(ValueHead):
    def make_statistics(self):
        self.mean = torch.zeros(1)  # expect: TL122
        self.spread = torch.ones(1)  # expect: TL122


class SavedValueHead(ValueHead):
    def make_statistics(self):
        self.register_buffer("mean", torch.zeros(1))  # ok: TL122
        self.register_buffer("spread", torch.ones(1))  # ok: TL122


def train_value(head: ValueHead, batches, lr: float = 0.01) -> None:
    opt = torch.optim.SGD(head.parameters(), lr=lr)
    for h, returns in batches:
        head.observe(returns)
        loss = (head(h).squeeze(-1) - returns).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()


class InputScale(nn.Module):
    def __init__(self, dim: int = 4, rate: float = 0.3):
        super().__init__()
        self.rate = rate
        self.gain = nn.Parameter(torch.ones(dim))
        self.register_buffer("rms", torch.ones(dim))


class LateInputScale(InputScale):
    def forward(self, x):
        out = self.gain * x / self.rms
        if self.training:
            with torch.no_grad():
                self.rms.lerp_(x.square().mean(0).sqrt(), self.rate)  # expect: TL121
        return out


class EarlyInputScale(InputScale):
    def forward(self, x):
        if self.training:
            with torch.no_grad():
                self.rms.lerp_(x.square().mean(0).sqrt(), self.rate)  # ok: TL121
        return self.gain * x / self.rms


class ReboundInputScale(InputScale):
    def forward(self, x):
        out = self.gain * x / self.rms
        if self.training:
            self.rms = torch.lerp(self.rms, x.detach().square().mean(0).sqrt(), self.rate)  # ok: TL121, TL102
        return out


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    h = torch.randn(6, 4)
    for cls, kept in ((ForgetfulValueHead, False), (SavedValueHead, True)):
        head = cls()
        train_value(head, [(torch.randn(16, 4), torch.randn(16) * 5 + 20) for _ in range(3)], lr=1e-4)
        fresh = cls()
        fresh.load_state_dict(head.state_dict())
        assert torch.allclose(fresh.eval()(h), head.eval()(h)) is kept, cls
        assert "largest_return" in repr(head)
    for cls, works in ((LateInputScale, False), (EarlyInputScale, True), (ReboundInputScale, True)):
        layer = cls()
        loss = layer(h).square().sum()
        try:
            loss.backward()
            ok = True
        except RuntimeError as exc:
            assert "inplace" in str(exc), exc
            ok = False
        assert ok is works, cls
        assert not torch.equal(layer.rms, torch.ones(4))
