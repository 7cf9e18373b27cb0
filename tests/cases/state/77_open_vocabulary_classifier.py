"""eval() of an open-vocabulary head prepares the normalised class embeddings through a helper of its base class.

source: facebookresearch/Detic, AILab-CVC/YOLO-World (re-parametrised text embeddings), rewritten as a small head
rules: [TL103, TL108]
"""
import torch
import torch.nn.functional as F
from torch import nn


class EmbeddingHead(nn.Module):
    def __init__(self, dim: int = 6, names: int = 3):
        super().__init__()
        self.text = nn.Embedding(names, dim)
        self.adapt = nn.Linear(dim, dim, bias=False)
        self.logit_scale = nn.Parameter(torch.tensor(1.0))
        self._ready = None

    def classes(self):
        return F.normalize(self.adapt(self.text.weight), dim=-1) * self.logit_scale.exp()

    def _prepare(self, attr: str = "_ready") -> None:
        with torch.no_grad():
            self.__dict__[attr] = self.classes()

    def forward(self, x):
        w = self.classes() if self._ready is None else self._ready
        return F.normalize(x, dim=-1) @ w.mT


class PreparedHead(EmbeddingHead):
    def train(self, mode: bool = True):
        out = super().train(mode)
        self._ready = None
        if not mode:
            w = self.classes()
            self._ready = w.detach().clone()  # expect: TL103
        return out


class DroppingHead(EmbeddingHead):
    def train(self, mode: bool = True):
        out = super().train(mode)
        self._ready = None if mode else self.classes().detach()  # ok: TL103
        return out

    def _apply(self, *args, **kwargs):
        self._ready = None
        return super()._apply(*args, **kwargs)

    def _load_from_state_dict(self, state_dict, prefix, *rest):
        self._ready = None
        return super()._load_from_state_dict(state_dict, prefix, *rest)


class Exported(EmbeddingHead):
    """Explicit, documented one-shot: nothing happens in train() or eval()."""

    def fuse_classes(self) -> "Exported":
        """Freeze the class weights for deployment; the module must not be trained or loaded afterwards."""
        self._prepare()
        self.requires_grad_(False)
        return self

    def train(self, mode: bool = True):  # ok: TL103, TL108
        if self._ready is not None and mode:
            raise RuntimeError("already fused")
        return super().train(mode)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 6)
    for cls, faithful in ((PreparedHead, False), (DroppingHead, True)):
        wrap = nn.ModuleDict({"head": cls()}).eval()
        other = nn.ModuleDict({"head": cls()})
        wrap.load_state_dict(other.state_dict())
        assert torch.allclose(wrap["head"](x), other["head"](x), atol=1e-5) is faithful, cls
        wrap = nn.ModuleDict({"head": cls()}).eval().double()
        try:
            wrap["head"](x.double())
            ok = True
        except RuntimeError:
            ok = False
        assert ok is faithful, cls
    m = Exported().eval().fuse_classes()
    assert m(x).shape == (2, 3)
