"""One fused call changes a list of all values of a state_dict, num_batches_tracked included."""

import torch


def halves_of(mine, theirs):
    return [mine[key] for key in mine], [theirs[key] for key in mine]


def blended(average, model, decay):
    mine, theirs = halves_of(average.state_dict(), model.state_dict())
    torch._foreach_mul_(mine, decay)  # expect: TL301
    torch._foreach_add_(mine, theirs, alpha=1 - decay)


def blended_values(average, model, decay):
    mine = list(average.state_dict().values())
    torch._foreach_lerp_(mine, list(model.state_dict().values()), 1 - decay)  # expect: TL301


def blended_floats(average, model, decay):
    mine = [value for value in average.state_dict().values() if value.is_floating_point()]
    theirs = [value for value in model.state_dict().values() if value.is_floating_point()]
    torch._foreach_mul_(mine, decay)  # ok: TL301
    torch._foreach_add_(mine, theirs, alpha=1 - decay)


def blended_by_name(average, decay):
    state = average.state_dict()
    mine = [state[key] for key in state if not key.endswith("num_batches_tracked")]
    torch._foreach_mul_(mine, decay)  # ok: TL301


def floats_of(state):
    return [state[key] for key in state if state[key].is_floating_point()]


def blended_chosen(average, decay):
    mine = floats_of(average.state_dict())
    torch._foreach_mul_(mine, decay)  # ok: TL301


def blended_in_two(average, decay):
    moving, fixed = [], []
    for value in average.state_dict().values():
        (moving if value.dtype.is_floating_point else fixed).append(value)
    torch._foreach_mul_(moving, decay)  # ok: TL301


def blended_weights(average, model, decay):
    mine = list(average.parameters())
    torch._foreach_mul_(mine, decay)  # ok: TL301
    torch._foreach_add_(mine, list(model.parameters()), alpha=1 - decay)  # note: TL117


def copied(average, model):
    mine = list(average.state_dict().values())
    torch._foreach_copy_(mine, list(model.state_dict().values()))  # ok: TL301


def demonstrate():
    from torch import nn

    for blend, works in ((blended, False), (blended_values, False), (blended_floats, True), (blended_weights, True)):
        try:
            with torch.no_grad():
                blend(nn.BatchNorm1d(2), nn.BatchNorm1d(2), 0.9)
            worked = True
        except RuntimeError:
            worked = False
        assert worked is works, blend
