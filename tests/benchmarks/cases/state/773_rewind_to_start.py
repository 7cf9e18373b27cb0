"""Pruning with rewinding, and a learning-rate sweep: the "initial" weights that are put back are the live ones.

source: written from scratch after forum threads on resetting a model between runs
rules: [TL116]
"""
import copy
from collections.abc import Callable, Iterable

import torch
import torch.nn as nn

Batches = Iterable[tuple[torch.Tensor, torch.Tensor]]


def train_for(model: nn.Module, batches: Batches, lr: float = 0.1) -> float:
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    loss = torch.zeros(())
    for x, y in batches:
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def masks_of(model: nn.Module, keep: float) -> dict[str, torch.Tensor]:
    out = {}
    for name, p in model.named_parameters():
        k = max(1, int(keep * p.numel()))
        out[name] = p.detach().abs() >= p.detach().abs().flatten().topk(k).values[-1]
    return out


@torch.no_grad()
def apply_masks(model: nn.Module, masks: dict[str, torch.Tensor]) -> None:
    for name, p in model.named_parameters():
        p.mul_(masks[name])


def find_ticket(model: nn.Module, batches: Batches, rounds: int = 2) -> nn.Module:
    start = model.state_dict()  # expect: TL116
    for _ in range(rounds):
        train_for(model, batches)
        masks = masks_of(model, keep=0.5)
        model.load_state_dict(start)
        apply_masks(model, masks)
    return model


def find_ticket_copied(model: nn.Module, batches: Batches, rounds: int = 2) -> nn.Module:
    start = copy.deepcopy(model.state_dict())  # ok: TL116
    for _ in range(rounds):
        train_for(model, batches)
        masks = masks_of(model, keep=0.5)
        model.load_state_dict(start)
        apply_masks(model, masks)
    return model


class RateSweep:
    """Tries several learning rates from the same starting point."""

    def __init__(self, model: nn.Module):
        self.model = model
        self.initial = dict(model.state_dict())  # expect: TL116

    def run(self, batches: Batches, rates: tuple[float, ...]) -> dict[float, float]:
        losses = {}
        for lr in rates:
            losses[lr] = train_for(self.model, batches, lr)
            self.model.load_state_dict(self.initial)
        return losses


class ClonedRateSweep(RateSweep):
    def __init__(self, model: nn.Module):
        self.model = model
        self.initial = {k: v.clone() for k, v in model.state_dict().items()}  # ok: TL116


def ensemble(make: Callable[[], nn.Module], batches: Batches, members: int = 2) -> list[nn.Module]:
    """Every member starts from the weights of the first; load_state_dict copies them at once."""
    first = make()
    out = []
    for _ in range(members):
        net = make()
        weights = first.state_dict()  # ok: TL116
        net.load_state_dict(weights)
        out.append(net)
    for net in out:
        train_for(net, batches)
    return out


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    make = lambda: nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    batches = [(torch.randn(8, 3), torch.randn(8, 1)) for _ in range(4)]
    for find, rewinds in ((find_ticket, False), (find_ticket_copied, True)):
        net = make()
        before = net[0].weight.detach().clone()
        find(net, batches)
        kept = net[0].weight != 0
        assert torch.equal(net[0].weight[kept], before[kept]) is rewinds, find
    for cls, rewinds in ((RateSweep, False), (ClonedRateSweep, True)):
        net = make()
        before = net[0].weight.detach().clone()
        cls(net).run(batches, (0.01, 0.1))
        assert torch.equal(net[0].weight, before) is rewinds, cls
    a, b = ensemble(make, batches)
    assert torch.equal(a[0].weight, b[0].weight) and a is not b
