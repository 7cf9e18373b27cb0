"""Warm-starting by shrink and perturb: every value of the state is scaled in place and gets noise; counters and tables are integers.

source: reports "result type Float can't be cast to the desired output type Long" in warm-start and soup code
rules: [TL301]
"""
import torch
from torch import nn


def shrink_and_perturb(model, shrink=0.5, sigma=0.01):
    with torch.no_grad():
        for value in model.state_dict().values():
            value.mul_(shrink).add_(sigma * torch.randn(value.shape))  # expect: TL301
    return model


def shrink_and_perturb_parameters(model, shrink=0.5, sigma=0.01):
    with torch.no_grad():
        for p in model.parameters():
            p.mul_(shrink).add_(sigma * torch.randn_like(p))  # ok: TL301
    return model


def shrink_and_perturb_tested(model, shrink=0.5, sigma=0.01):
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if not torch.is_floating_point(value) or "running_" in name:
                continue
            value.mul_(shrink).add_(sigma * torch.randn_like(value))  # ok: TL301
    return model


def interpolated(start, end, alpha=0.5):
    """The path between two solutions, written out of place, integers taken from the end."""
    out = {}
    for key, a in start.items():
        b = end[key]
        out[key] = torch.lerp(a, b, alpha) if a.is_floating_point() else b.clone()  # ok: TL301
    return out


def make():
    return nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU())


def demonstrate():
    torch.manual_seed(0)
    try:
        shrink_and_perturb(make())
        raise AssertionError("integer counter scaled in place")
    except RuntimeError as err:
        assert "can't be cast" in str(err), err
    for good in (shrink_and_perturb_parameters, shrink_and_perturb_tested):
        model = make()
        before = model[0].weight.detach().clone()
        good(model)
        assert (model[0].weight - 0.5 * before).abs().max() < 0.1
        assert model[1].num_batches_tracked.dtype is torch.int64
    mixed = interpolated(make().state_dict(), make().state_dict())
    make().load_state_dict(mixed)
