"""A total has the keys of a state: begun at 0.0 it holds floats from its first sum on, copied it holds integers."""

import copy

from torch import nn


def mean_from_zero(models, count):
    total = copy.deepcopy(models[0].state_dict())
    for name in total:
        total[name] = 0.0
    for model in models:
        part = model.state_dict()
        for name in total:
            total[name] += part[name]
    for name in total:
        total[name] /= count  # ok: TL301  0.0 + an integer tensor is a float tensor
    return total


def shares_from_zero(models, share):
    total = copy.deepcopy(models[0].state_dict())
    for name in total:
        total[name] = 0.0
    for model in models:
        part = model.state_dict()
        for name in part:
            total[name] += part[name] * share  # ok: TL301
    return total


def mean_of_copies(models, count):
    total = copy.deepcopy(models[0].state_dict())
    for model in models[1:]:
        part = model.state_dict()
        for name in total:
            total[name] += part[name]
    for name in total:
        total[name] /= count  # expect: TL301
    return total


def mean_from_whole_zero(models, count):
    total = copy.deepcopy(models[0].state_dict())
    for name in total:
        total[name] = 0
    for model in models:
        part = model.state_dict()
        for name in total:
            total[name] += part[name]
    for name in total:
        total[name] /= count  # expect: TL301  0 + an integer tensor is one
    return total


def some_from_zero(models, count):
    total = copy.deepcopy(models[0].state_dict())
    for name in total:
        if name.endswith("weight"):
            total[name] = 0.0
    for name in total:
        total[name] /= count  # expect: TL301
    return total


def demonstrate():
    models = [nn.BatchNorm1d(2), nn.BatchNorm1d(2)]
    models[0].num_batches_tracked.fill_(3)
    assert float(mean_from_zero(models, 2)["num_batches_tracked"]) == 1.5
    assert float(shares_from_zero(models, 0.5)["num_batches_tracked"]) == 1.5
    for run in (mean_of_copies, mean_from_whole_zero, some_from_zero):
        try:
            run(models, 2)
            raise AssertionError("integers took a quotient")
        except RuntimeError as error:
            assert "Long" in str(error)


if __name__ == "__main__":
    demonstrate()
