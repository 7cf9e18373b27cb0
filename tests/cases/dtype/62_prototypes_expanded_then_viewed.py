"""Few-shot distances: prototypes are expanded over the queries, stored in a dict and merged with .view.

source: prototypical and relation networks that expand and then .view(-1, d); own construction
rules: [TL205]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Matcher(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.embed = nn.Linear(dim, dim)
        self.relation = nn.Linear(2 * dim, 1)

    def pairs(self, protos, queries):
        n, q = protos.shape[0], queries.shape[0]
        return {
            "left": protos.unsqueeze(0).expand(q, n, -1),
            "right": queries.unsqueeze(1).expand(q, n, -1),
        }

    def stack(self, both, dim):
        left = both["left"].view(-1, dim)  # expect: TL205
        return torch.cat([left, both["right"].reshape(-1, dim)], dim=-1)  # ok: TL205

    def forward(self, protos, queries):
        both = self.pairs(self.embed(protos), self.embed(queries))
        score = self.relation(self.stack(both, protos.shape[-1]))
        return score.view(queries.shape[0], protos.shape[0])  # ok: TL205


class MatcherFlattened(Matcher):
    def stack(self, both, dim):
        return torch.cat([part.flatten(0, 1) for part in both.values()], dim=-1)  # ok: TL205


class MatcherRepeated(Matcher):
    """repeat copies, so its result may be viewed."""

    def pairs(self, protos, queries):
        n, q = protos.shape[0], queries.shape[0]
        return {"left": protos.repeat(q, 1, 1), "right": queries.unsqueeze(1).repeat(1, n, 1)}

    def stack(self, both, dim):
        return torch.cat([both["left"].view(-1, dim), both["right"].view(-1, dim)], dim=-1)  # ok: TL205


def tile_channels(gate, maps):
    """expand, then a view that splits the expanded size and merges nothing."""
    b, c = gate.shape
    wide = gate[:, :, None].expand(b, c, maps.shape[-1] * maps.shape[-2])
    return F.relu(maps * wide.view(b, c, maps.shape[-2], maps.shape[-1]))  # ok: TL205


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    protos, queries = torch.randn(3, 4), torch.randn(2, 4)
    try:
        Matcher()(protos, queries)
        raise AssertionError("an expanded dimension was merged by view")
    except RuntimeError as err:
        assert "view size is not compatible" in str(err), err
    for cls in (MatcherFlattened, MatcherRepeated):
        assert cls()(protos, queries).shape == (2, 3)
    assert tile_channels(torch.randn(2, 3), torch.randn(2, 3, 4, 5)).shape == (2, 3, 4, 5)
