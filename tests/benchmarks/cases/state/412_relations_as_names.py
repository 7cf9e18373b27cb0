"""A heterogeneous graph network keys its submodules by node type and by relation triple, and the schema decides the spelling.

source: pytorch/pytorch#3232 (attribute already exists), heterogeneous graph layers keyed by joined triples; rebuilt from scratch
rules: [TL107]
"""
import torch
from torch import nn

SCHEMA = {
    ("user", "rates", "movie"): 3,
    ("movie", "rated_by", "user"): 2,
}


class HeteroBase(nn.Module):
    sep = "__"

    def __init__(self, dim: int = 2):
        super().__init__()
        self.dim = dim
        self.build()

    def build(self) -> None:
        raise NotImplementedError

    def key(self, triple: tuple[str, str, str]) -> str:
        return self.sep.join(triple)


class DottedHetero(HeteroBase):
    def build(self):
        self.rel = nn.ModuleDict()
        for triple, width in SCHEMA.items():
            self.rel[".".join(triple)] = nn.Linear(width, self.dim)  # expect: TL107


class SplitHetero(HeteroBase):
    def build(self):
        self.rel = nn.ModuleDict({self.key(t): nn.Linear(w, self.dim) for t, w in SCHEMA.items()})  # ok: TL107
        for (src, verb, dst), width in SCHEMA.items():
            self.register_buffer(f"deg_{src}_{verb}_{dst}", torch.ones(width))  # ok: TL107

    def paths(self) -> list[str]:
        return [".".join(t) for t in SCHEMA]  # ok: TL107


class ShopHetero(HeteroBase):
    """A ModuleDict has methods of its own, and one node type of this shop is called like one of them."""

    def build(self):
        self.by_type = nn.ModuleDict({"users": nn.Linear(2, self.dim), "items": nn.Linear(3, self.dim)})  # expect: TL107


class CountedHetero(HeteroBase):
    """An attribute of the base class has the name that the child registers."""

    def build(self):
        self.lin = nn.ModuleDict({"item": nn.Linear(2, self.dim)})  # ok: TL107
        self.register_buffer("dim", torch.tensor(self.dim))  # expect: TL107


class NumberedHetero(HeteroBase):
    def build(self):
        self.stack = nn.ModuleDict()
        for i, t in enumerate(SCHEMA):
            self.stack[str(i)] = nn.Linear(SCHEMA[t], self.dim)  # ok: TL107
        self.register_buffer("width", torch.tensor(self.dim))  # ok: TL107


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, text in ((DottedHetero, "can't contain"), (ShopHetero, "already exists"), (CountedHetero, "already exists")):
        try:
            cls()
            raise AssertionError(f"{cls} should not construct")
        except KeyError as exc:
            assert text in exc.args[0], exc
    assert len(SplitHetero().paths()) == 2
    assert len(NumberedHetero().stack) == 2
