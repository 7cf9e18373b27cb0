"""What a loop repeats: waiting for the accelerator in each step, and casts of what stays the same."""
import torch
from torch import nn
from torch.nn import functional as F


def train(model, loader, optimizer, device):
    total, shown = 0.0, []
    for step, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()  # note: TL307
        shown.append(loss.cpu())  # note: TL307
        if step % 100 == 0:
            shown.append(loss.item())  # ok: TL307  now and then
    return total, shown


def train_without_waiting(model, loader, optimizer):
    total = torch.zeros(())
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return total.item()  # ok: TL307  once


def epochs(model, loader, count):
    means = []
    for _ in range(count):
        total = torch.zeros(())
        for x, y in loader:
            total += F.mse_loss(model(x), y).detach()
        means.append(total.item())  # ok: TL307  once in an epoch
    return means


@torch.no_grad()
def predictions(model, loader):
    found = []
    for x in loader:
        found.append(model(x).cpu())  # ok: TL307  an evaluation loop hands its results over
    return found


def until_it_is_good(model, loader, optimizer, enough):
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        if loss.item() < enough:  # ok: TL307  the number decides
            break


def lengths(batches):
    return [batch.sum().item() for batch in batches]  # ok: TL307  no network runs


def counted(batches: list):
    total = 0
    for batch in batches:
        total += batch.sum().item()  # ok: TL307  no network runs
    return total


class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.register_buffer("basis", torch.eye(2, dtype=torch.float64))

    def forward(self, x):
        for _ in range(3):
            x = self.linear(x) @ self.basis.float()  # note: TL307
        return x

    def once(self, x):
        basis = self.basis.float()  # ok: TL307
        for _ in range(3):
            x = self.linear(x) @ basis
        return x

    def of_what_changes(self, x):
        for _ in range(3):
            x = self.linear(x).double().float()  # ok: TL307
        return x


def weighted(model, loader, scale: torch.Tensor, device):
    found = []
    for x in loader:
        found.append((model(x) * scale.to(device)).sum())  # note: TL307
    return found


def demonstrate():
    torch.manual_seed(0)
    model, loader = nn.Linear(2, 2), [(torch.ones(1, 2), torch.zeros(1, 2))] * 3
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    total, shown = train(model, loader, optimizer, "cpu")
    assert abs(total - train_without_waiting(model, loader, optimizer)) < 1e-5 and len(shown) == 4
    epochs(model, loader, 2), predictions(model, [x for x, _ in loader])
    until_it_is_good(model, loader, optimizer, 0.0)
    lengths([torch.ones(2)]), counted([torch.ones(2)])
    steps = Steps()
    assert torch.equal(steps(torch.ones(1, 2)), steps.once(torch.ones(1, 2)))
    steps.of_what_changes(torch.ones(1, 2)), weighted(model, [x for x, _ in loader], torch.ones(2), "cpu")
