"""A gate is clamped through .data after the sigmoid that saved it for backward: no error, and a wrong gradient.

source: questions about "x.data" against "x.detach()" for in-place edits
rules: [TL305]
"""
import torch
from torch import nn


class GatedUnit(nn.Module):
    def __init__(self, dim=4, low=0.2, high=0.8):
        super().__init__()
        self.low, self.high = low, high
        self.gate = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)

    def forward(self, x):
        g = torch.sigmoid(self.gate(x))
        g.data.clamp_(self.low, self.high)  # expect: TL305
        return g * self.value(x)

    def attend(self, x, blocked):
        w = (self.gate(x) @ x.transpose(-2, -1)).softmax(dim=-1)
        w.data.masked_fill_(blocked, 0.0)  # expect: TL305
        return w @ self.value(x)


class GatedUnitFixed(GatedUnit):
    def forward(self, x):
        g = torch.sigmoid(self.gate(x)).clamp(self.low, self.high)  # ok: TL305
        return g * self.value(x)

    def attend(self, x, blocked):
        w = (self.gate(x) @ x.transpose(-2, -1)).softmax(dim=-1)
        return w.masked_fill(blocked, 0.0) @ self.value(x)  # ok: TL305

    def reset(self, gain=0.5):
        self.gate.weight.data.mul_(gain)  # ok: TL305
        self.gate.bias.data.zero_()  # ok: TL305


def train_step(model, opt, x, limit=0.5):
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    for p in model.parameters():
        p.data.clamp_(-limit, limit)  # ok: TL305
    return loss.detach()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    bad, good = GatedUnit(), GatedUnitFixed()
    good.load_state_dict(bad.state_dict())
    x = 5 * torch.randn(6, 4)
    blocked = torch.rand(6, 6) > 0.5

    def grad(model, run):
        model.zero_grad()
        out = run(model)
        out.pow(2).sum().backward()
        return out.detach(), model.gate.weight.grad.clone()

    for run in (lambda m: m(x), lambda m: m.attend(x, blocked)):
        (out_bad, grad_bad), (out_good, grad_good) = grad(bad, run), grad(good, run)
        assert torch.allclose(out_bad, out_good, atol=1e-5)  # same forward
        assert not torch.allclose(grad_bad, grad_good, rtol=0.05), "and yet another gradient"
    # without .data autograd would have said so
    g = torch.sigmoid(bad.gate(x))
    g.detach().clamp_(0.2, 0.8)
    try:
        g.sum().backward()
        raise AssertionError("the in-place write was not noticed")
    except RuntimeError as err:
        assert "modified by an inplace operation" in str(err)
    good.reset()
    train_step(good, torch.optim.SGD(good.parameters(), lr=0.1), x)
    assert good.value.weight.abs().max() <= 0.5
