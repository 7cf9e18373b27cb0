"""A while loop, a comprehension over batches, tqdm and enumerate evaluate a model as a for loop does."""

import torch
from torch import nn


def scores(model: nn.Module, batches):
    model.eval()  # expect: TL304
    return sum((model(x).argmax(-1) == y).sum().item() for x, y in batches)  # note: TL307


def scores_quietly(model: nn.Module, batches):
    model.eval()
    with torch.inference_mode():
        return sum((model(x).argmax(-1) == y).sum().item() for x, y in batches)  # ok: TL304  # note: TL307


def losses(model: nn.Module, batches):
    model.train(mode=False)  # expect: TL304
    iterator = iter(batches)
    total = []
    while True:
        try:
            x, y = next(iterator)
        except StopIteration:
            break
        total.append(nn.functional.cross_entropy(model(x), y).item())  # note: TL307
    return total


def attack(model: nn.Module, batches):
    model.eval()
    for x, y in batches:
        x.requires_grad_(True)
        loss = nn.functional.cross_entropy(model(x), y)  # ok: TL304  the gradient is wanted
        (gradient,) = torch.autograd.grad(loss, x)
        yield x + gradient.sign()


def demonstrate():
    batches = [(torch.randn(2, 3), torch.tensor([0, 1]))]
    scores(nn.Linear(3, 2), batches), scores_quietly(nn.Linear(3, 2), batches)
    losses(nn.Linear(3, 2), batches), list(attack(nn.Linear(3, 2), batches))
