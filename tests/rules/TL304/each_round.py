"""eval() at the head of each round: the loop evaluates all the same, unless it trains as well."""
import torch
from torch import nn
from torch.nn.functional import mse_loss

held = []


def in_each_round(model, loader):
    for x, _ in loader:
        model.eval()  # expect: TL304
        held.append(model(x))


def of_files(model, paths, read):
    for path in paths:
        model.eval()  # expect: TL304
        held.append(model(read(path)))


def trained_too(model, loader, optimizer):
    for x, y in loader:
        model.train()
        mse_loss(model(x), y).backward()
        optimizer.step()
        model.eval()  # ok: TL304  one batch, to look at
        held.append(model(x))


def in_epochs(model, train, stream):
    for _ in range(2):
        train(model)
        model.eval()  # ok: TL304  one batch in each epoch
        held.append(model(next(stream)))


def each_made_anew(paths, x):
    for path in paths:
        model = nn.Linear(2, 2) if path else nn.Identity()
        model.eval()  # ok: TL304  one call for each
        held.append(model(x[path]))


def demonstrate():
    model, x = nn.Linear(2, 2), torch.ones(1, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for run in (
        lambda: in_each_round(model, [(x, x)]),
        lambda: of_files(model, ["one"], lambda path: x),
        lambda: trained_too(model, [(x, x)], optimizer),
        lambda: in_epochs(model, lambda model: None, iter([x, x])),
        lambda: each_made_anew([1], {1: x}),
    ):
        held.clear()
        run()
        assert held[0].requires_grad
