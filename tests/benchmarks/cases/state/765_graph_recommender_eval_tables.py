"""Graph recommender: leaving training mode propagates the embeddings once; a checkpoint loaded afterwards is ranked with the old tables.

source: written from scratch; cached full-rank tables are usual in graph recommenders
rules: [TL103]
"""
import torch
from torch import nn


def normalised_adjacency(users: int, items: int, pairs: list[tuple[int, int]]) -> torch.Tensor:
    n = users + items
    adj = torch.zeros(n, n)
    for u, i in pairs:
        adj[u, users + i] = adj[users + i, u] = 1.0
    deg = adj.sum(1).clamp_min(1.0).rsqrt()
    return deg[:, None] * adj * deg[None, :]


class PropagatingRecommender(nn.Module):
    def __init__(self, users: int, items: int, pairs: list[tuple[int, int]], dim: int = 4, layers: int = 2):
        super().__init__()
        self.users, self.layers = users, layers
        self.table = nn.Embedding(users + items, dim)
        self.register_buffer("adj", normalised_adjacency(users, items, pairs), persistent=False)
        self.setup_tables()

    def setup_tables(self) -> None:
        self.final = None

    def propagate(self) -> torch.Tensor:
        out = total = self.table.weight
        for _ in range(self.layers):
            out = self.adj @ out
            total = total + out
        return total / (self.layers + 1)

    def forward(self, user: torch.Tensor) -> torch.Tensor:
        tables = self.propagate() if self.training else self.final
        return tables[user] @ tables[self.users :].t()


class EvalTables(PropagatingRecommender):
    def train(self, mode: bool = True):
        super().train(mode)
        if mode:
            self.final = None
        else:
            with torch.no_grad():
                self.final = self.propagate()  # expect: TL103
        return self


class BufferedEvalTables(PropagatingRecommender):
    """As a buffer it follows .to(); it is as stale after a load as the plain attribute."""

    def setup_tables(self):
        self.register_buffer("final", torch.zeros_like(self.table.weight), persistent=False)  # ok: TL106

    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            self.final = self.propagate().detach()  # expect: TL103
        return self


class RefreshedTables(BufferedEvalTables):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.register_load_state_dict_post_hook(lambda module, keys: module.refresh())

    @torch.no_grad()
    def refresh(self) -> None:
        self.final = self.propagate()  # ok: TL103, TL102

    def train(self, mode: bool = True):  # ok: TL108
        nn.Module.train(self, mode)
        if not mode:
            self.final = self.propagate().detach()  # ok: TL103
        return self


class DegreeBaseline(PropagatingRecommender):
    """Its train() leaves a number behind, nothing learned."""

    def train(self, mode: bool = True):
        super().train(mode)
        self.edges = int((self.adj > 0).sum()) // 2  # ok: TL103
        return self

    def forward(self, user):
        tables = self.propagate()
        return tables[user] @ tables[self.users :].t() / max(self.edges, 1)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    args = (3, 4, [(0, 0), (0, 1), (1, 2), (2, 3)])
    user = torch.tensor([0, 2])
    for cls, load, move in (
        (EvalTables, False, False), (BufferedEvalTables, False, True), (RefreshedTables, True, True), (DegreeBaseline, True, True),
    ):
        src, net = cls(*args).eval(), cls(*args).eval()
        net(user)
        net.load_state_dict(src.state_dict())
        assert torch.allclose(net(user), _fresh(cls, args, src)(user)) is load, cls
        net = cls(*args).eval()
        assert (nn.Sequential(net).double()(user).dtype == torch.float64) is move, cls


def _fresh(cls, args, src):
    new = cls(*args)
    new.load_state_dict(src.state_dict())
    return new.train().eval()
