"""Table columns become submodule names: "type" is a method of every module, a dot is not allowed, "scale" is taken.

source: pytorch/vision#809, KarhouTam/FL-bench#75 (dotted names), pytorch/pytorch#1874 (taken names); classes written from scratch
rules: [TL107]
"""
import torch
from torch import nn

CARDINALITY = {"colour": 5, "type": 4, "region": 7}


class TableBase(nn.Module):
    def __init__(self, dim: int = 3, layers: int = 2):
        super().__init__()
        self.dim = dim
        self.widths = {"type": 4, "price.net": 1}  # ok: TL107
        self.build(layers)

    def build(self, layers: int) -> None:
        raise NotImplementedError

    def mix(self, h):
        for i in range(2):
            h = getattr(self, f"norm_{i}")(h)
        return h


class RawColumnTable(TableBase):
    def build(self, layers):
        self.embed = nn.ModuleDict({"colour": nn.Embedding(5, self.dim), "type": nn.Embedding(4, self.dim)})  # expect: TL107


class DottedBlocksTable(TableBase):
    def build(self, layers):
        self.embed = nn.ModuleDict({"colour": nn.Embedding(5, self.dim)})  # ok: TL107
        for i in range(layers):
            self.add_module(f"norm.{i}", nn.LayerNorm(self.dim))  # expect: TL107


class ScaledTable(TableBase):
    def build(self, layers):
        self.scale = self.dim**-0.5
        self.embed = nn.Embedding(5, self.dim)
        self.register_parameter("scale", nn.Parameter(torch.full((1,), self.scale)))  # expect: TL107


class PrefixedTable(TableBase):
    def build(self, layers):
        self.embed = nn.ModuleDict({f"col_{name}": nn.Embedding(n, self.dim) for name, n in CARDINALITY.items()})  # ok: TL107
        for i in range(layers):
            self.add_module(f"norm_{i}", nn.LayerNorm(self.dim))  # ok: TL107
        self.init_scale = self.dim**-0.5
        self.register_parameter("scale", nn.Parameter(torch.full((1,), self.init_scale)))  # ok: TL107

    def forward(self, columns: dict[str, torch.Tensor]) -> torch.Tensor:
        h = sum(self.embed[f"col_{name}"](ids) for name, ids in columns.items())
        return self.mix(h) * self.scale


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, why in ((RawColumnTable, "already exists"), (DottedBlocksTable, 'contain "."'), (ScaledTable, "already exists")):
        try:
            cls()
            raise AssertionError(f"{cls} should not construct")
        except KeyError as exc:
            assert why in exc.args[0], exc
    good = PrefixedTable()
    out = good({"colour": torch.tensor([0, 4]), "type": torch.tensor([1, 3])})
    assert out.shape == (2, 3) and "embed.col_type.weight" in good.state_dict()
    assert callable(good.type)
