"""A model in eval mode may well be differentiated: attacks, frozen statistics, saliency."""
import torch
from torch import nn


def measured(model, loader, criterion):
    model.eval()  # expect: TL304
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()  # note: TL307
    return total


def finetuned(model, loader, criterion, optimizer):
    model.eval()  # ok: TL304
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def step_of(loss, optimizer):
    loss.backward()
    optimizer.step()


def finetuned_by_helper(model, loader, criterion, optimizer):
    model.eval()  # ok: TL304
    for x, y in loader:
        step_of(criterion(model(x), y), optimizer)


def attacked(model, loader, criterion):
    model.eval()  # ok: TL304
    for x, y in loader:
        x = x.clone().requires_grad_(True)
        yield torch.autograd.grad(criterion(model(x), y), x)


def frozen(model, loader):
    model.eval()  # ok: TL304
    for parameter in model.parameters():
        parameter.requires_grad = False
    return [model(x) for x, _ in loader]


def trained_between(model, loader, criterion, optimizer):
    for _ in range(2):
        model.train()
        for x, y in loader:
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()  # expect: TL304
        for x, y in loader:
            print(criterion(model(x), y).item())  # note: TL307


def demonstrate():
    model, loader = nn.Linear(2, 2), [(torch.ones(1, 2), torch.zeros(1, 2))]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = model.weight.clone()
    for train in (finetuned, finetuned_by_helper):
        train(model, loader, nn.functional.mse_loss, optimizer)
    assert not torch.equal(before, model.weight)
    assert next(attacked(model, loader, nn.functional.mse_loss))[0].shape == (1, 2)
    trained_between(model, loader, nn.functional.mse_loss, optimizer)
    assert not frozen(model, loader)[0].requires_grad
