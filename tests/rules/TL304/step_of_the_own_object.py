"""A method called step() that computes a loss and takes no step, beside one that trains."""

from collections import defaultdict

import torch
import torch.nn.functional as F
from torch import nn

held = []


class Harness:
    def __init__(self, net):
        self.net = net

    def step(self, batch):
        x, y = batch
        return F.mse_loss(self.net(x), y)

    def by_name(self, loaders):
        sums = defaultdict(list)
        self.net.eval()  # expect: TL304
        for name, loader in loaders.items():
            for batch in loader:
                sums[name].append(self.step(batch))
        held.extend(sum(sums.values(), []))
        return {name: float(sum(values)) for name, values in sums.items()}

    def in_comprehensions(self, loaders):
        self.net.eval()  # expect: TL304
        losses = {name: [self.step(batch) for batch in loader] for name, loader in loaders.items()}
        with torch.no_grad():
            means = {name: torch.stack(values).mean() for name, values in losses.items()}
        held.extend(sum(losses.values(), []))
        return means


class QuietHarness(Harness):
    @torch.inference_mode()
    def step(self, batch):
        return super().step(batch)

    def once(self, loader):
        self.net.eval()  # ok: TL304
        held.extend(self.step(batch) for batch in loader)


class Tuner(Harness):
    """Trains in evaluation mode, so that statistics stay."""

    def __init__(self, net):
        super().__init__(net)
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def step(self, batch):
        loss = super().step(batch)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss

    def tune(self, loader):
        self.net.eval()  # ok: TL304
        for batch in loader:
            self.step(batch)


def step(model, batch):
    return model(batch)


def train_with(model, optimizer, loader):
    model.eval()  # ok: TL304
    for x in loader:
        model(x).sum().backward()
        optimizer.step()


def by_a_function(model, loader):
    model.eval()  # expect: TL304
    for batch in loader:
        held.append(step(model, batch))


def demonstrate():
    loader = [(torch.ones(1, 2), torch.ones(1, 1))]
    for evaluate in (Harness(nn.Linear(2, 1)).by_name, Harness(nn.Linear(2, 1)).in_comprehensions):
        held.clear()
        evaluate({"val": loader})
        assert held[0].requires_grad, evaluate
    held.clear()
    QuietHarness(nn.Linear(2, 1)).once(loader)
    assert not held[0].requires_grad
    Tuner(nn.Linear(2, 1)).tune(loader)
    by_a_function(nn.Linear(2, 1), [torch.ones(1, 2)])


if __name__ == "__main__":
    demonstrate()
