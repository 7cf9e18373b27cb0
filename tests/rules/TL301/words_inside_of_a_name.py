"""A count is multiplied with all values of a state: its name only has the letters of a share in it."""
from torch import nn


def times(model: nn.Module, iteration: int):
    state = model.state_dict()
    total = {}
    for key in state:
        total[key] = state[key] * iteration  # ok: TL301
    model.load_state_dict(total)


def steps_of(model: nn.Module, n_steps: int):
    state = model.state_dict()
    total = {}
    for key in state:
        total[key] = state[key] * n_steps  # ok: TL301
    model.load_state_dict(total)


def shares_of(model: nn.Module, decay_rate: float):
    state = model.state_dict()
    total = {}
    for key in state:
        total[key] = state[key] * decay_rate  # expect: TL301
    model.load_state_dict(total)


def demonstrate():
    norm = nn.BatchNorm1d(2)
    norm.num_batches_tracked.fill_(7)
    times(norm, 1)
    assert int(norm.num_batches_tracked) == 7
    shares_of(norm, 0.1)
    assert int(norm.num_batches_tracked) == 0
