"""Prefix tuning: the reparametrisation network runs once when eval() is called; loading other prefixes changes nothing.

source: prefix/prompt encoders with an inference cache (PEFT-like re-implementations), microsoft/LoRA#190 for the same life cycle
rules: [TL103]
"""
import torch
from torch import nn


class PrefixEncoder(nn.Module):
    def __init__(self, length: int = 3, width: int = 4, layers: int = 2):
        super().__init__()
        self.tokens = nn.Embedding(length, width)
        self.lift = nn.Sequential(nn.Linear(width, 2 * width), nn.Tanh(), nn.Linear(2 * width, layers * width))
        self.layers = layers

    def build(self) -> tuple[torch.Tensor, ...]:
        return self.lift(self.tokens.weight).chunk(self.layers, -1)

    def prefixes(self):
        return self.build()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for p in self.prefixes():
            x = x + torch.softmax(x @ p.mT, -1) @ p
        return x


class FrozenAtEval(PrefixEncoder):
    ready = None

    def prefixes(self):
        return self.build() if self.ready is None else self.ready

    def train(self, mode: bool = True):
        super().train(mode)
        if mode:
            self.ready = None
        else:
            with torch.no_grad():
                self.ready = self.build()  # expect: TL103
        return self


class RefreshedPrefix(FrozenAtEval):
    """Drops the tuple wherever weights may change, and a step can only happen after train()."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.register_load_state_dict_post_hook(self._rebuild)

    @staticmethod
    def _rebuild(module, _keys) -> None:
        module.train(module.training)

    def _apply(self, fn, *args, **kwargs):
        out = super()._apply(fn, *args, **kwargs)
        self.train(self.training)
        return out

    def train(self, mode: bool = True):  # ok: TL103, TL108
        nn.Module.train(self, mode)
        with torch.no_grad():
            self.ready = None if mode else self.build()  # ok: TL103
        return self


class LengthAtEval(PrefixEncoder):
    """train() keeps numbers only."""

    def train(self, mode: bool = True):  # ok: TL103, TL108
        super().train(mode)
        self.ready = (self.tokens.num_embeddings, self.layers)  # ok: TL103
        return self


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 5, 4)
    for cls, right in ((FrozenAtEval, False), (RefreshedPrefix, True), (LengthAtEval, True)):
        served, other = nn.Sequential(cls()).eval(), nn.Sequential(cls()).eval()
        served.load_state_dict(other.state_dict())
        if cls is not FrozenAtEval:
            assert torch.allclose(served(x), other(x))
        assert torch.allclose(served(x), other.train()(x), atol=1e-6) is right, cls
        try:
            assert served.double()(x.double()).dtype == torch.float64
            moved = served[0].prefixes()[0].dtype == torch.float64
        except RuntimeError:
            moved = False
        assert moved is right, cls
