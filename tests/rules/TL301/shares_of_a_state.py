"""A total over the values of states takes in shares of them: the integer counters refuse a floating addend."""
import copy

import torch
from torch import nn


def of_zeros(model, others, shares):
    total = {key: torch.zeros_like(value) for key, value in model.state_dict().items()}
    for share, other in zip(shares, others):
        for key, value in other.state_dict().items():
            total[key] += share * value  # expect: TL301
    return total


def of_a_copy(others, weights):
    total = copy.deepcopy(others[0].state_dict())
    for key in total:
        for weight, other in zip(weights, others):
            total[key] += other.state_dict()[key] * weight  # expect: TL301
    return total


def divided(others):
    total = {key: torch.zeros_like(value) for key, value in others[0].state_dict().items()}
    for other in others:
        for key, value in other.state_dict().items():
            total[key] += value / len(others)  # expect: TL301
    return total


def summed(others):
    total = {key: torch.zeros_like(value) for key, value in others[0].state_dict().items()}
    for other in others:
        for key, value in other.state_dict().items():
            total[key] += value  # ok: TL301  integers stay integers
    return total


def in_floats(others, shares):
    total = {key: torch.zeros_like(value, dtype=torch.float32) for key, value in others[0].state_dict().items()}
    for share, other in zip(shares, others):
        for key, value in other.state_dict().items():
            total[key] += share * value  # ok: TL301
    return total


def from_nothing(others, shares):
    total = {}
    for share, other in zip(shares, others):
        for key, value in other.state_dict().items():
            if key not in total:
                total[key] = 0.0
            total[key] += share * value  # ok: TL301  a number takes what it gets
    return total


def by_counts(others, counts):
    total = {key: torch.zeros_like(value) for key, value in others[0].state_dict().items()}
    for count, other in zip(counts, others):
        for key, value in other.state_dict().items():
            total[key] += count * value  # ok: TL301  whole numbers
    return total


def floats_only(others, shares):
    total = {key: torch.zeros_like(value) for key, value in others[0].state_dict().items()}
    for share, other in zip(shares, others):
        for key, value in other.state_dict().items():
            if value.is_floating_point():
                total[key] += share * value  # ok: TL301
    return total


def of_parameters(others, shares):
    total = {key: torch.zeros_like(value) for key, value in others[0].named_parameters()}
    for share, other in zip(shares, others):
        for key, value in other.named_parameters():
            total[key] += share * value.detach()  # ok: TL301
    return total


def begun_with_a_share(others, shares):
    total = copy.deepcopy(others[0].state_dict())
    for index, other in enumerate(others):
        values = other.state_dict()
        if index == 0:
            for key in values:
                total[key] = values[key] * shares[index]  # expect: TL301  of the counter
        else:
            for key in values:
                total[key] += values[key] * shares[index]  # ok: TL301  what is there is floating by then
    return total


def begun_with_a_value(others, shares):
    total = copy.deepcopy(others[0].state_dict())
    for index, other in enumerate(others):
        values = other.state_dict()
        if index == 0:
            for key in values:
                total[key] = values[key].clone()
        else:
            for key in values:
                total[key] += values[key] * shares[index]  # expect: TL301
    return total


def demonstrate():
    others = [nn.BatchNorm1d(2), nn.BatchNorm1d(2)]
    shares = (0.25, 0.75)
    for merge in (lambda: of_zeros(others[0], others, shares), lambda: of_a_copy(others, shares), lambda: divided(others),
                  lambda: begun_with_a_value(others, shares)):
        try:
            merge()
            raise AssertionError("an integer took a floating addend")
        except RuntimeError as error:
            assert "can't be cast" in str(error)
    for merge in (in_floats, from_nothing, floats_only, of_parameters, begun_with_a_share):
        assert torch.equal(merge(others, shares)["weight"], torch.ones(2))
    assert summed(others)["num_batches_tracked"] == 0 and by_counts(others, (2, 3))["bias"].sum() == 0
