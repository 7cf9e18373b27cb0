"""Tasks are weighed by how fast their losses fall; the weights may be numbers, but the weighed losses are rebuilt as well.

source: dynamic-weight-average recipes for multi-task learning; kengz/SLM-Lab#133 kind (a new tensor has no history)
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Balance:
    def __init__(self, heat=2.0):
        self.heat, self.past = heat, []

    def weights(self, terms):
        now = torch.tensor([float(t.detach()) for t in terms])  # ok: TL305
        self.past.append(now)
        if len(self.past) < 3:
            return torch.ones_like(now)
        speed = self.past[-2] / self.past[-3]
        return len(now) * F.softmax(speed / self.heat, dim=0)

    def __call__(self, terms):
        column = torch.as_tensor(list(terms.values()))  # expect: TL305
        return (self.weights(terms.values()) * column).sum().requires_grad_()


class BalanceStacked(Balance):
    def __call__(self, terms):
        column = torch.stack([*terms.values()])  # ok: TL305
        return self.weights(terms.values()) @ column


class BalanceSummed(Balance):
    def __call__(self, terms):
        shares = self.weights(terms.values()).tolist()
        return sum(s * t for s, t in zip(shares, terms.values()))  # ok: TL305


class ManyHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 6)
        self.heads = nn.ModuleDict({"depth": nn.Linear(6, 1), "class": nn.Linear(6, 3), "normal": nn.Linear(6, 3)})

    def terms(self, batch):
        h = torch.tanh(self.body(batch["x"]))
        out = {name: head(h) for name, head in self.heads.items()}
        return {
            "depth": F.l1_loss(out["depth"], batch["depth"]),
            "class": F.cross_entropy(out["class"], batch["class"]),
            "normal": 1 - F.cosine_similarity(out["normal"], batch["normal"]).mean(),
        }


def fit(balance: Balance, steps=4):
    torch.manual_seed(0)
    net = ManyHeads()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    batch = {"x": torch.randn(8, 4), "depth": torch.randn(8, 1), "class": torch.randint(3, (8,)), "normal": torch.randn(8, 3)}
    before = net.body.weight.detach().clone()
    for _ in range(steps):
        opt.zero_grad()
        balance(net.terms(batch)).backward()
        opt.step()
    return (net.body.weight - before).abs().max()


def demonstrate():
    assert fit(Balance()) == 0  # backward runs, nothing moves
    assert fit(BalanceStacked()) > 0
    assert torch.allclose(fit(BalanceStacked()), fit(BalanceSummed()))
