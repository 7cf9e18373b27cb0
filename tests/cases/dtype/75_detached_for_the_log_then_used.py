"""Values are detached for a report under their own name, and the regulariser below still uses them.

source: detach-for-logging idiom of sparse coders and router losses; own construction
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


class SparseCoder(nn.Module):
    def __init__(self, dim=6, codes=12):
        super().__init__()
        self.enc, self.gate, self.dec = nn.Linear(dim, codes), nn.Linear(dim, codes), nn.Linear(codes, dim)

    def forward(self, x):
        gate = torch.sigmoid(self.gate(x))
        return torch.relu(self.enc(x)), gate


class Study:
    def __init__(self, net: SparseCoder, rate=0.1):
        self.net, self.rate, self.log = net, rate, {}

    def note(self, **values):
        self.log.update({k: v.mean().item() for k, v in values.items()})

    def objective(self, x):
        code, gate = self.net(x)
        miss = F.mse_loss(self.net.dec(code), x)
        gate = gate.detach()  # expect: TL305
        self.note(gate=gate, code=code.detach())
        sparse = (gate.mean(0) - self.rate).abs().sum()
        return miss + sparse


class StudyFixed(Study):
    def objective(self, x):
        code, gate = self.net(x)
        miss = F.mse_loss(self.net.dec(code), x)
        shown = gate.detach()  # ok: TL305
        self.note(gate=shown)
        return miss + (gate.mean(0) - self.rate).abs().sum()


class StudyStaged(Study):
    """First stage: the gate is trained on a fixed code, on purpose."""

    def objective(self, x):
        code, gate = self.net(x)
        code = code.detach()  # ok: TL305
        kept = self.net.dec(gate * code)
        return F.mse_loss(kept, x)


class StudyShifted(Study):
    def objective(self, x):
        code, gate = self.net(x)
        peak = gate.amax(-1, keepdim=True).detach()  # ok: TL305
        spread = (gate - peak).exp().sum(-1).log() + peak.squeeze(-1)
        return F.mse_loss(self.net.dec(code), x) + spread.mean()


# ---- demonstration ----
def demonstrate():
    def gate_grad(cls):
        torch.manual_seed(0)
        net = SparseCoder()
        cls(net).objective(torch.randn(4, 6)).backward()
        return net.gate.weight.grad

    assert gate_grad(Study) is None
    for cls in (StudyFixed, StudyStaged, StudyShifted):
        assert gate_grad(cls).abs().sum() > 0
