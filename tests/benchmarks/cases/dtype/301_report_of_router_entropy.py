"""A mixture of experts reports the entropy of its router; the guard inside the log vanishes once the served model is half.

source: pyg-team/pytorch_geometric#2106 kind (EPS in half models); router entropy and policy entropy terms
rules: [TL302]
"""
import torch
from torch import nn

GUARD = 1e-9


class Gate(nn.Module):
    def __init__(self, dim, experts):
        super().__init__()
        self.to_scores = nn.Linear(dim, experts, bias=False)

    def probabilities(self, x):
        return self.to_scores(x).softmax(-1)

    def forward(self, x):
        p = self.probabilities(x)
        return p, self.measure(p)

    def measure(self, p):
        return -(p * (p + GUARD).log()).sum(-1).mean()  # expect: TL302


class CategoricalGate(Gate):
    def measure(self, p):
        # log of the float32 values, as torch.distributions would do
        q = p.to(torch.float32)
        return -(q * (q + GUARD).log()).sum(-1).mean()  # ok: TL302


class XlogyGate(Gate):
    def measure(self, p):
        return -torch.special.xlogy(p, p).sum(-1).mean()


class Experts(nn.Module):
    gates = {"plain": Gate, "categorical": CategoricalGate, "xlogy": XlogyGate}

    def __init__(self, dim=4, experts=3, gate="plain"):
        super().__init__()
        self.gate = self.gates[gate](dim, experts)
        self.experts = nn.ModuleList(nn.Linear(dim, dim) for _ in range(experts))

    def forward(self, x):
        weights, entropy = self.gate(x)
        mixed = sum(w.unsqueeze(-1) * e(x) for w, e in zip(weights.unbind(-1), self.experts))
        return mixed, entropy


def serve(state, gate="plain"):
    net = Experts(gate=gate)
    net.load_state_dict(state)
    return net.half().eval().requires_grad_(False)


def train_guard(p):
    # the training copy stays in single precision
    return (p.double() + GUARD).log()  # ok: TL302


def demonstrate():
    torch.manual_seed(0)
    donor = Experts()
    with torch.no_grad():
        donor.gate.to_scores.weight.mul_(60.0)  # a confident router
    x = torch.randn(5, 4)
    assert donor(x)[1].isfinite()
    assert serve(donor.state_dict())(x.half())[1].isnan()
    for gate in ("categorical", "xlogy"):
        assert serve(donor.state_dict(), gate)(x.half())[1].isfinite()
    assert train_guard(torch.zeros(2).half()).isfinite().all()
