"""Keys that are joined from the parts of tuples, which a table holds as its keys."""
from torch import nn

EDGES = {("user", "likes", "film"): 3, ("film", "liked_by", "user"): 2}


class Dotted(nn.Module):
    def __init__(self, dim: int = 2):
        super().__init__()
        self.layers = nn.ModuleDict()
        for edge, width in EDGES.items():
            self.layers[".".join(edge)] = nn.Linear(width, dim)  # expect: TL107


class Underlined(nn.Module):
    def __init__(self, dim: int = 2):
        super().__init__()
        self.layers = nn.ModuleDict()
        for edge, width in EDGES.items():
            self.layers["__".join(edge)] = nn.Linear(width, dim)  # ok: TL107
        for source, _, target in EDGES:
            self.add_module(f"{source}_to_{target}", nn.Linear(dim, dim))  # ok: TL107


class OfOnePart(nn.Module):
    def __init__(self, dim: int = 2):
        super().__init__()
        self.layers = nn.ModuleDict()
        for edge in EDGES:
            self.layers[".".join(edge[:1])] = nn.Linear(dim, dim)  # ok: TL107


def demonstrate():
    try:
        Dotted()
        raise AssertionError("torch refuses")
    except KeyError as refusal:
        assert "can't contain" in refusal.args[0]
    assert len(Underlined().layers) == 2
    assert len(OfOnePart().layers) == 2
