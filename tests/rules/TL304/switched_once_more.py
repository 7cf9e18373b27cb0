"""An eval() after another begins the evaluation: what is told where the loop stands is not told a second time."""
import torch
from torch import nn

held = []


def passed_through(model, batches):
    model.eval()  # expect: TL304
    for x in batches:
        held.append(model(x))
        held.append(model(x.flip(0)))


def compared(model, first, second):
    model.eval()  # ok: TL304  passed_through() switches by itself
    passed_through(model, first)
    passed_through(model, second)


def of_many(model, shares):
    model.eval()  # ok: TL304
    for share in shares:
        passed_through(model, share)


def twice(model, batches):
    model.eval()  # ok: TL304  the next one begins the loop
    print("evaluating", len(batches))
    model.eval()  # expect: TL304
    for x in batches:
        held.append(model(x))


def left_to_the_caller(model, batches):
    for x in batches:
        held.append(model(x))


def told_by_the_caller(model, batches):
    model.eval()  # expect: TL304
    left_to_the_caller(model, batches)


@torch.no_grad()
def quiet(model, batches):
    model.eval()  # ok: TL304
    for x in batches:
        held.append(model(x))


def its_own_loop_too(model, batches):
    model.eval()  # expect: TL304
    passed_through(model, batches[:1])
    for x in batches:
        held.append(model(x))


def demonstrate():
    model, x = nn.Linear(2, 2), torch.ones(1, 2)
    for run in (passed_through, twice, told_by_the_caller, its_own_loop_too):
        held.clear()
        run(model, [x])
        assert held[0].requires_grad
    compared(model, [x], [x]), of_many(model, [[x]])
    held.clear()
    quiet(model, [x])
    assert not held[0].requires_grad
