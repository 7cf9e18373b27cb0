"""Mixture-of-experts router without a balance loss: the per-expert bias that steers the selection is learnt outside the optimizer and not saved.

source: written from scratch after reports about router biases missing from checkpoints
rules: [TL122]
"""
import torch
from torch import nn


class BiasedRouter(nn.Module):
    def __init__(self, dim: int, experts: int, top_k: int = 2, rate: float = 0.05):
        super().__init__()
        self.gate = nn.Linear(dim, experts, bias=False)
        self.experts = experts
        self.top_k = top_k
        self.rate = rate
        self.last_load: list[float] = []  # ok: TL122, TL105  (for the log only)
        self.make_bias()

    def make_bias(self) -> None:
        raise NotImplementedError

    @torch.no_grad()
    def rebalance(self, chosen: torch.Tensor) -> None:
        load = torch.bincount(chosen.flatten(), minlength=self.experts).to(self.expert_bias.dtype)
        self.last_load = load.tolist()
        self.expert_bias = self.expert_bias + self.rate * (load.mean() - load).sign()

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        scores = self.gate(x).sigmoid()
        chosen = (scores + self.expert_bias).topk(self.top_k, dim=-1).indices
        if self.training:
            self.rebalance(chosen)
        weights = scores.gather(-1, chosen)
        return chosen, weights / weights.sum(-1, keepdim=True)


class PlainBiasRouter(BiasedRouter):
    def make_bias(self):
        self.expert_bias = torch.zeros(self.experts)  # expect: TL122


class TransientBiasRouter(BiasedRouter):
    """Follows .to(), but is left out of the checkpoint all the same."""

    def make_bias(self):
        self.register_buffer("expert_bias", torch.zeros(self.experts), persistent=False)  # expect: TL122


class SavedBiasRouter(BiasedRouter):
    def make_bias(self):
        self.register_buffer("expert_bias", torch.zeros(self.experts))  # ok: TL122


class SparseFeedForward(nn.Module):
    def __init__(self, router: BiasedRouter, dim: int, hidden: int = 8):
        super().__init__()
        self.router = router
        self.tokens_seen = 0  # ok: TL122  (reported, never used)
        self.ffn = nn.ModuleList(
            nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim)) for _ in range(router.experts)
        )

    def extra_repr(self) -> str:
        return f"tokens_seen={self.tokens_seen}"

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.tokens_seen += x.shape[0]
        chosen, weights = self.router(x)
        every = torch.stack([f(x) for f in self.ffn], dim=1)
        picked = every.gather(1, chosen[..., None].expand(-1, -1, x.shape[-1]))
        return x + (weights[..., None] * picked).sum(1)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    batches = [torch.randn(64, 4) for _ in range(30)]
    probe = torch.randn(64, 4)
    for cls, faithful in ((PlainBiasRouter, False), (TransientBiasRouter, False), (SavedBiasRouter, True)):
        src = SparseFeedForward(cls(4, 6), 4)
        for x in batches:
            src(x)
        dst = SparseFeedForward(cls(4, 6), 4)
        dst.load_state_dict(src.state_dict())
        assert torch.allclose(src.eval()(probe), dst.eval()(probe)) is faithful, cls
        assert src.router.expert_bias.abs().max() > 0 and not any("last_load" in k for k in src.state_dict())
