"""A layer learns two small factors; eval mode writes their Kronecker product out once. Loading and converting happen afterwards.

source: microsoft/LoRA#61 (what eval() of a child does), pytorch/pytorch#108863 (old weight remembered for evaluation)
rules: [TL103, TL303]
"""
import torch
import torch.nn.functional as F
from torch import Tensor, nn


class KroneckerBase(nn.Module):
    def __init__(self, p: int = 2, q: int = 3):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.randn(p, p)), nn.Parameter(torch.randn(q, q))

    def weight(self) -> Tensor:
        return torch.kron(self.a, self.b)


class WrittenOutKronecker(KroneckerBase):
    def __init__(self, p: int = 2, q: int = 3):
        super().__init__(p, q)
        self.dense = None

    def train(self, mode: bool = True):
        super().train(mode)
        self.dense = None if mode else self.weight().detach()  # expect: TL103
        return self

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight() if self.dense is None else self.dense)


class HandledKronecker(KroneckerBase):
    """Every event drops what was written out; forward writes it again."""

    def __init__(self, p: int = 2, q: int = 3):
        super().__init__(p, q)
        self.dense = None

    def train(self, mode: bool = True):  # ok: TL103
        self.dense = None
        return super().train(mode)

    def _apply(self, fn, recurse=True):
        self.dense = None
        return super()._apply(fn, recurse)

    def _load_from_state_dict(self, *args, **kwargs):
        self.dense = None
        super()._load_from_state_dict(*args, **kwargs)

    def forward(self, x: Tensor) -> Tensor:
        if self.training:
            return F.linear(x, self.weight())
        if self.dense is None:
            with torch.no_grad():
                self.dense = self.weight()  # ok: TL103, TL104
        return F.linear(x, self.dense)


class Net(nn.Module):
    def __init__(self, layer: type = WrittenOutKronecker):
        super().__init__()
        self.layer = layer()

    def forward(self, x):
        return self.layer(x)


def open_session(state: dict) -> nn.Module:
    model = Net(WrittenOutKronecker)
    model.load_state_dict(state)
    model.eval()
    return model.to(torch.bfloat16)  # expect: TL303


def open_session_in_order(state: dict) -> nn.Module:
    model = Net(WrittenOutKronecker)
    model.load_state_dict(state)
    model = model.to(torch.bfloat16)
    return model.eval()  # ok: TL303


def open_handled(state: dict) -> nn.Module:
    model = Net(HandledKronecker)
    model.load_state_dict(state)
    model.eval()
    return model.to(torch.bfloat16)  # ok: TL303


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(1, 6)
    for cls, fresh in ((WrittenOutKronecker, False), (HandledKronecker, True)):
        m, other = cls().eval(), cls()
        m(x)
        m.load_state_dict(other.state_dict())
        assert torch.allclose(m(x), F.linear(x, other.weight())) is fresh, cls
    state = Net().state_dict()
    for make, works in ((open_session, False), (open_session_in_order, True), (open_handled, True)):
        try:
            make(state)(x.bfloat16())
            ok = True
        except RuntimeError as exc:
            assert "dtype" in str(exc), exc
            ok = False
        assert ok is works, make
