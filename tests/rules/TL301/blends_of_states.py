"""Two states, or the states of many, are mixed into a new one: the counters are integers, and what is loaded is cut off."""

import copy

import torch
from torch import nn


def mixed(first, second, share=0.5):
    one, other = first.state_dict(), second.state_dict()
    return {name: one[name] * share + other[name] * (1 - share) for name in one}  # expect: TL301


def moved_towards(target, source, rate):
    start, goal = target.state_dict(), source.state_dict()
    for name, value in start.items():
        start[name] = torch.lerp(value, goal[name], rate)  # expect: TL301
    return start


def mean_of_all(models):
    states = [model.state_dict() for model in models]
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}  # expect: TL301


def averaged(parts):
    mean = copy.deepcopy(parts[0])
    for name in mean.keys():
        for part in parts[1:]:
            mean[name] += part[name]
        mean[name] = torch.div(mean[name], len(parts))  # expect: TL301
    return mean


def round_of(models):
    parts = []
    for model in models:
        parts.append(model.state_dict())
    return averaged(parts)


class Noisy:
    def __init__(self, net, size):
        self.net, self.size = net, size

    def sent(self):
        return self.blurred(self.net.state_dict())

    def blurred(self, entries):
        return {name: value + self.size * torch.rand_like(value, dtype=torch.float32) for name, value in entries.items()}  # expect: TL301


def mixed_floats(first, second, share=0.5):
    one, other = first.state_dict(), second.state_dict()
    return {
        name: value * share + other[name] * (1 - share) if value.is_floating_point() else value  # ok: TL301
        for name, value in one.items()
    }


def mixed_where_asked(first, second, is_mixed, share=0.5):
    one, other = first.state_dict(), second.state_dict()
    out = dict(one)
    for name, value in one.items():
        if is_mixed(name, value):
            out[name] = value * share + other[name] * (1 - share)  # ok: TL301  the helper may ask for the dtype
    return out


def mixed_where_wished(first, second, wished, share=0.5):
    one, other = first.state_dict(), second.state_dict()
    out = dict(one)
    for name, value in one.items():
        if wished:
            out[name] = value * share + other[name] * (1 - share)  # expect: TL301
    return out


def mean_of_floats(models):
    states = [model.state_dict() for model in models]
    return {name: torch.stack([state[name].float() for state in states]).mean(0) for name in states[0]}  # ok: TL301


def mixed_weights(first, second, share=0.5):
    one, other = dict(first.named_parameters()), dict(second.named_parameters())
    return {name: value * share + other[name] * (1 - share) for name, value in one.items()}  # ok: TL301


def distances(first, second):
    other = second.state_dict()
    return sum(((value - other[name]).abs() * 0.5).sum() for name, value in first.state_dict().items())  # ok: TL301


def summed(models):
    states = [model.state_dict() for model in models]
    return {name: states[0][name] + states[1][name] for name in states[0]}  # ok: TL301  integers stay integers


def summed_in_place(models):
    total = models[0].state_dict()
    for model in models[1:]:
        for name, value in model.state_dict().items():
            total[name].add_(value)  # ok: TL301  integers stay integers  # expect: TL111
    return total


def added_in_place(model, update, rate):
    for name, value in model.state_dict().items():
        value.add_(update[name], alpha=rate)  # expect: TL301


@torch.no_grad()
def filled_with_floats(model, goal, rate):
    mine, theirs = [], []
    for name, value in model.state_dict().items():
        if value.is_floating_point():
            mine.append(value.clone())
            theirs.append(goal[name])
    for value, other in zip(mine, theirs):
        value.lerp_(other, rate)  # ok: TL301
    return mine


def per_step(totals, count):
    return {name: value / count for name, value in totals.items()}  # ok: TL301  no state


def demonstrate():
    def net(count):
        norm = nn.BatchNorm1d(2)
        norm.num_batches_tracked.fill_(count)
        return norm

    def counted(state):
        fresh = net(0)
        fresh.load_state_dict(state)
        return int(fresh.num_batches_tracked)

    assert counted(mixed(net(3), net(4))) == counted(mean_of_all([net(3), net(4)])) == 3, "three and a half is cut off"
    assert counted(averaged([net(3).state_dict(), net(4).state_dict()])) == 3
    assert counted(mixed_floats(net(3), net(4))) == 3 and counted(mean_of_floats([net(3), net(4)])) == 3
    try:
        moved_towards(net(3), net(4), 0.5)
        raise AssertionError("lerp took integers")
    except RuntimeError as error:
        assert "Long" in str(error) or "lerp" in str(error)
    Noisy(net(3), 0.1).sent(), mixed_weights(net(1), net(2)), distances(net(1), net(2)), summed([net(1), net(2)])
    mixed_where_wished(net(1), net(2), True), mixed_where_asked(net(1), net(2), lambda name, value: False)
    summed_in_place([net(1), net(2)]), added_in_place(net(1), net(2).state_dict(), 2)
    filled_with_floats(net(1), net(2).state_dict(), 0.5)
    round_of([net(1), net(2)]), per_step({"loss": 2.0}, 2)
