"""A calibration script gathers logits of the validation set in eval mode; gradients are recorded although nothing is differentiated.

source: reports of memory that grows with every validation batch; calibration and robustness scripts
rules: [TL304]
"""
import torch
import torch.nn.functional as F
from torch import nn


def calibration_error(model: nn.Module, loader, bins: int = 4) -> float:
    model.eval()  # expect: TL304
    logits, labels = [], []
    for x, y in loader:
        logits.append(model(x))
        labels.append(y)
    conf, pred = torch.cat(logits).softmax(1).max(1)
    hit = (pred == torch.cat(labels)).float()
    slot = (conf * bins).long().clamp(max=bins - 1)
    gaps = [(conf[slot == b].mean() - hit[slot == b].mean()).abs() for b in range(bins) if (slot == b).any()]
    return sum(g.item() for g in gaps) / len(gaps)


def calibration_error_guarded(model: nn.Module, loader) -> float:
    model.eval()  # ok: TL304
    hits = gap = 0.0
    with torch.inference_mode():
        for x, y in loader:
            conf, pred = model(x).softmax(1).max(1)
            hits += (pred == y).float().mean().item()
            gap += conf.mean().item()
    return abs(hits - gap) / len(loader)


class Judge:
    def __init__(self, model: nn.Module):
        self.model = model

    @torch.no_grad()
    def ask(self, x):
        return self.model(x).argmax(1)

    def accuracy(self, loader) -> float:
        self.model.eval()  # ok: TL304
        return sum((self.ask(x) == y).float().mean().item() for x, y in loader) / len(loader)

    def accuracy_under_attack(self, loader, eps: float = 0.1) -> float:
        """The attack needs gradients with respect to the input."""
        self.model.eval()  # ok: TL304
        total = 0.0
        for x, y in loader:
            x = x.clone().requires_grad_()
            loss = F.cross_entropy(self.model(x), y)
            (grad,) = torch.autograd.grad(loss, x)
            total += (self.ask(x.detach() + eps * grad.sign()) == y).float().mean().item()
        return total / len(loader)

    def agreement(self, other: nn.Module, loader) -> float:
        """The guard is there, but it stands around the comparison only."""
        self.model.eval()  # expect: TL304
        same = 0.0
        for x, _ in loader:
            a, b = self.model(x), other(x)
            with torch.no_grad():
                same += (a.argmax(1) == b.argmax(1)).float().mean().item()
        return same / len(loader)


def fit_temperature(model: nn.Module, loader) -> float:
    """Frozen logits first, then a temperature that is really trained."""
    model.eval()  # ok: TL304
    with torch.no_grad():
        logits = torch.cat([model(x) for x, _ in loader])
    labels = torch.cat([y for _, y in loader])
    t = nn.Parameter(torch.ones(1))
    opt = torch.optim.SGD([t], lr=0.1)
    for _ in range(3):
        loss = F.cross_entropy(logits / t, labels)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return t.item()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    loader = [(torch.randn(4, 3), torch.randint(0, 2, (4,))) for _ in range(2)]
    seen = []
    model = nn.Linear(3, 2)
    model.register_forward_hook(lambda m, i, o: seen.append(o.requires_grad))

    def records(fn):
        seen.clear()
        fn()
        return any(seen)

    judge, other = Judge(model), nn.Linear(3, 2)
    assert records(lambda: calibration_error(model, loader))
    assert records(lambda: judge.agreement(other, loader))
    assert not records(lambda: calibration_error_guarded(model, loader))
    assert not records(lambda: judge.accuracy(loader))
    assert not records(lambda: fit_temperature(model, loader))
    assert judge.accuracy_under_attack(loader) >= 0
