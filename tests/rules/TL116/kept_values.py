"""Lists of snapshots, detached values and a Lightning module that keeps its best weights."""

import copy

import torch
from torch import nn


def snapshots(model: nn.Module, optimizer, batches):
    kept = []
    for x in batches:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
        kept.append(model.state_dict())  # expect: TL116
    return {name: sum(one[name] for one in kept) / len(kept) for name in kept[0]}  # expect: TL301


def snapshots_cloned(model: nn.Module, optimizer, batches):
    kept = []
    for x in batches:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
        kept.append(copy.deepcopy(model.state_dict()))  # ok: TL116
    return {name: sum(one[name] for one in kept) / len(kept) for name in kept[0]}  # expect: TL301


def best_detached(model: nn.Module, optimizer, batches):
    best, lowest = None, float("inf")
    for x in batches:
        loss = model(x).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if loss.item() < lowest:
            lowest = loss.item()
            best = {name: value.detach() for name, value in model.state_dict().items()}  # expect: TL116
    model.load_state_dict(best)


class Keeping:
    def on_validation_end(self, model: nn.Module):
        self.best_weights = model.state_dict()  # expect: TL116

    def on_train_end(self, model: nn.Module):
        model.load_state_dict(self.best_weights)


class Copying:
    def on_validation_end(self, model: nn.Module):
        self.best_weights = copy.deepcopy(model.state_dict())  # ok: TL116

    def on_train_end(self, model: nn.Module):
        model.load_state_dict(self.best_weights)


def demonstrate():
    layer = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    batches = [torch.ones(1, 2)] * 3
    same = snapshots(layer, optimizer, batches)
    assert torch.allclose(same["weight"], layer.weight.detach())
    snapshots_cloned(layer, optimizer, batches), best_detached(layer, optimizer, batches)
    for keeper, is_kept in ((Keeping(), False), (Copying(), True)):
        keeper.on_validation_end(layer)
        before = layer.weight.detach().clone()
        with torch.no_grad():
            layer.weight.add_(1)
        keeper.on_train_end(layer)
        assert torch.equal(before, layer.weight.detach()) is is_kept
