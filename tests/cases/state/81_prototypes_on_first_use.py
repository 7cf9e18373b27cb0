"""Few-shot head: class prototypes, computed from the backbone on first use, survive fine-tuning and another support set.

source: sicara/easy-few-shot-learning (prototypes kept on the module), a cache guard seen in several re-implementations
rules: [TL104]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Matcher(nn.Module):
    def __init__(self, dim: int = 5, code: int = 3):
        super().__init__()
        self.body = nn.Linear(dim, code)
        self.anchors = nn.Parameter(torch.randn(4, dim))
        self._protos = None

    def _encode(self, x):
        return F.normalize(self.body(x), dim=-1)

    def protos(self):
        raise NotImplementedError

    def forward(self, x):
        return self._encode(x) @ self.protos().mT


class OnceMatcher(Matcher):
    def protos(self):
        if self._protos is None:
            self._protos = self._encode(self.anchors).detach()  # expect: TL104
        return self._protos


class HasattrMatcher(Matcher):
    def protos(self):
        if not self.__dict__.get("done", False):
            with torch.no_grad():
                self.bank = self._encode(self.anchors)  # expect: TL104
            self.done = True
        return self.bank


class FreshMatcher(Matcher):
    def protos(self):
        now = self._encode(self.anchors)
        self._protos = now.detach()  # ok: TL104, TL102
        return now


class SupportMatcher(Matcher):
    """Prototypes come from outside, through a method whose whole business is to set them."""

    def fit_support(self, shots: torch.Tensor) -> "SupportMatcher":
        with torch.no_grad():
            self.register_buffer("centres", self._encode(shots), persistent=False)  # ok: TL104
        return self

    def protos(self):
        return self.centres


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 5)
    for cls, right in ((OnceMatcher, False), (HasattrMatcher, False), (FreshMatcher, True)):
        m = cls()
        m(x)
        with torch.no_grad():
            m.body.weight.add_(torch.randn_like(m.body.weight))
        want = m._encode(x) @ m._encode(m.anchors).mT
        assert torch.allclose(m(x), want, atol=1e-5) is right, cls
    m = SupportMatcher().fit_support(torch.randn(4, 5)).double()
    assert m(x.double()).dtype == torch.float64
