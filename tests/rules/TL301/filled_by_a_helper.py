"""A helper fills a dict in a loop: with parameters alone, or with whatever the state holds."""

import torch
from torch import nn


def learned_weights(model):
    found = {}
    for name, value in model.named_parameters():
        found[name] = value.detach().cpu()
    return found


def all_weights(model):
    found = {}
    for name, value in model.state_dict().items():
        found[name] = value.detach().cpu()
    return found


def both_weights(model):
    found = {}
    for name, value in model.named_parameters():
        found[name] = value.detach()
    for name, value in model.named_buffers():
        found[name] = value.detach()
    return found


def cast_weights(model, is_first):
    found = dict()
    for name, value in model.named_parameters():
        if hasattr(value, "gathered"):
            one = value.data.cpu().half()
        else:
            one = value.cpu().half()
        if is_first:
            found[name] = one.detach()
    return found


def blend_learned(model, average, decay):
    weights = learned_weights(model)
    for name, value in weights.items():
        average[name] = average[name] * decay + value * (1 - decay)  # ok: TL301


def halved_learned(model):
    state_dict = learned_weights(model)
    return {name: value.half() for name, value in state_dict.items()}  # ok: TL301


def blend_cast(model, average, decay):
    state_dict = cast_weights(model, True)
    for name, value in state_dict.items():
        average[name] = average[name] * decay + value.half() * (1 - decay)  # ok: TL301


def blend_everything(model, average, decay):
    weights = all_weights(model)
    for name, value in weights.items():
        average[name] = average[name] * decay + value * (1 - decay)  # expect: TL301


def halved_both(model):
    state_dict = both_weights(model)
    return {name: value.half() for name, value in state_dict.items()}  # expect: TL301


def demonstrate():
    model = nn.BatchNorm1d(2)
    assert all(value.is_floating_point() for value in learned_weights(model).values())
    assert all(value.is_floating_point() for value in cast_weights(model, True).values())
    assert not all(value.is_floating_point() for value in both_weights(model).values())
    average = learned_weights(model)
    blend_learned(model, average, 0.5), blend_cast(model, average, 0.5)
    assert all(value.is_floating_point() for value in average.values())
    counted = all_weights(model)
    blend_everything(model, counted, 0.5)
    assert counted["num_batches_tracked"].is_floating_point(), "and what is loaded from it is cut off"
    assert halved_learned(model)["weight"].dtype == torch.float16
    assert halved_both(model)["num_batches_tracked"].dtype == torch.float16


if __name__ == "__main__":
    demonstrate()
