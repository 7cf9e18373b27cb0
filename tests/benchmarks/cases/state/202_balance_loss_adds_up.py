"""Expert routing: the balance loss is added to what the router already holds, graph of the previous step included.

source: lucidrains-style mixture-of-experts gates, "backward through the graph a second time" reports (jeshraghian/snntorch#250)
rules: [TL102]
"""
import torch
import torch.nn as nn
from torch.nn import functional as F


class Gate(nn.Module):
    def __init__(self, dim: int, experts: int, topk: int = 1):
        super().__init__()
        self.score = nn.Linear(dim, experts, bias=False)
        self.experts, self.topk = experts, topk
        self.penalty = 0.0  # use: TL122

    def balance(self, probs: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
        share = F.one_hot(chosen, self.experts).to(probs).mean((0, 1))
        return self.experts * (share * probs.mean(0)).sum()

    def note(self, value: torch.Tensor) -> None:
        raise NotImplementedError

    def forward(self, x):
        probs = self.score(x).softmax(-1)
        weight, chosen = probs.topk(self.topk, dim=-1)
        if self.training:
            self.note(self.balance(probs, chosen))
        return weight, chosen


class AddingGate(Gate):
    def note(self, value):
        self.penalty = self.penalty + value  # expect: TL102


class ReplacingGate(Gate):
    """Only the value of this very forward is kept, and the loss reads it before the next one."""

    def note(self, value):
        self.penalty = value  # ok: TL102


class DrainedGate(Gate):
    """Several calls per step do add up, and whoever takes the sum leaves an empty gate."""

    def note(self, value):
        self.penalty = self.penalty + value  # ok: TL102

    def drain(self):
        out, self.penalty = self.penalty, 0.0
        return out


class SparseLayer(nn.Module):
    gate_type: type = Gate

    def __init__(self, dim: int = 4, experts: int = 3):
        super().__init__()
        self.gate = self.gate_type(dim, experts)
        self.bodies = nn.ModuleList(nn.Linear(dim, dim) for _ in range(experts))

    def forward(self, x):
        weight, chosen = self.gate(x)
        out = torch.stack([body(x) for body in self.bodies], 1)
        return (weight[..., None] * out.gather(1, chosen[..., None].expand(-1, -1, x.shape[-1]))).sum(1)

    def extra(self):
        take = getattr(self.gate, "drain", None)
        return take() if take else self.gate.penalty


def fit(layer: SparseLayer, batches) -> None:
    opt = torch.optim.SGD(layer.parameters(), lr=0.1)
    for x in batches:
        opt.zero_grad()
        loss = layer(x).pow(2).mean() + 0.01 * layer.extra()
        loss.backward()
        opt.step()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    batches = [torch.randn(6, 4) for _ in range(3)]
    for gate, works in ((AddingGate, False), (ReplacingGate, True), (DrainedGate, True)):
        layer = type("L", (SparseLayer,), {"gate_type": gate})()
        try:
            fit(layer, batches)
            ok = True
        except RuntimeError as exc:
            assert "second time" in str(exc) or "inplace" in str(exc), exc
            ok = False
        assert ok is works, gate
