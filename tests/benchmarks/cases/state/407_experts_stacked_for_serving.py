"""A mixture of experts stacks the experts' weights into one tensor when it goes to eval mode, so that one batched product serves all.

source: mixture-of-experts serving paths (stacked expert weights); kind of microsoft/LoRA#190 (a load is not seen)
rules: [TL103]
"""
from operator import attrgetter

import torch
from torch import nn


class Routed(nn.Module):
    def __init__(self, dim: int = 4, experts: int = 3):
        super().__init__()
        self.gate = nn.Linear(dim, experts)
        self.experts = nn.ModuleList(nn.Linear(dim, dim) for _ in range(experts))
        self.pack = ()

    def _gather(self, *names: str) -> list[torch.Tensor]:
        return [torch.stack([attrgetter(n)(e) for e in self.experts]).detach() for n in names]

    def each(self, x: torch.Tensor) -> torch.Tensor:
        if self.pack:
            w, b = self.pack
            return torch.einsum("bd,eod->beo", x, w) + b
        return torch.stack([e(x) for e in self.experts], 1)

    def forward(self, x):
        return (self.gate(x).softmax(-1)[..., None] * self.each(x)).sum(1)


class StackedAtEval(Routed):
    def train(self, mode: bool = True):
        out = super().train(mode)
        out.pack = () if mode else tuple(self._gather("weight", "bias"))  # expect: TL103
        return out


class StackedThroughBuffers(Routed):
    """The stacks move with the module, yet a checkpoint that is loaded in eval mode does not reach them."""

    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            for name in ("weight", "bias"):
                self.register_buffer("all_" + name, self._gather(name)[0], persistent=False)  # expect: TL103
        return self

    def each(self, x):
        if self.training:
            return super().each(x)
        return torch.einsum("bd,eod->beo", x, self.all_weight) + self.all_bias


class StackedPerCall(Routed):
    """The stack is a local value of the call."""

    def train(self, mode: bool = True):
        super().train(mode)
        self.fast = not mode  # ok: TL103
        return self

    def each(self, x):
        if not getattr(self, "fast", False):
            return super().each(x)
        w, b = self._gather("weight", "bias")
        return torch.einsum("bd,eod->beo", x, w) + b


class StackedWithHooks(Routed):
    def __init__(self, dim: int = 4, experts: int = 3):
        super().__init__(dim, experts)
        self.register_load_state_dict_post_hook(lambda mod, keys: mod._restack())

    def _restack(self) -> None:
        self.pack = () if self.training else tuple(self._gather("weight", "bias"))  # ok: TL103

    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self._restack()
        return self

    def train(self, mode: bool = True):  # ok: TL103, TL108
        super().train(mode)
        self._restack()
        return self


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(5, 4)
    for cls, load, move in (
        (StackedAtEval, False, False), (StackedThroughBuffers, False, True), (StackedPerCall, True, True), (StackedWithHooks, True, True),
    ):
        m, other = cls().eval(), cls()
        assert torch.allclose(m(x), Routed.forward(m.train(), x), atol=1e-5)
        m.eval().load_state_dict(other.state_dict())
        assert torch.allclose(m(x), other(x), atol=1e-5) is load, cls
        try:
            ok = cls().eval().double()(x.double()).dtype == torch.float64
        except RuntimeError as exc:
            assert "dtype" in str(exc) or "expected" in str(exc), exc
            ok = False
        assert ok is move, cls
