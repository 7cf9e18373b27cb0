"""An object makes the tensor: a parameter is called like its class, or asks for what only that class has."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class NoiseSchedule:
    def __init__(self, steps):
        self.kept = np.cumprod(1.0 - np.linspace(1e-4, 0.02, steps))

    def level_at(self, step):
        return torch.from_numpy(self.kept)[step]  # expect: TL203


class NarrowSchedule:
    def __init__(self, steps):
        self.kept = np.cumprod(1.0 - np.linspace(1e-4, 0.02, steps))

    def narrow_level_at(self, step):
        return torch.from_numpy(self.kept).float()[step]  # ok: TL203


class Discounts:
    def weights_of(self, count):
        return torch.as_tensor(np.ones(count) * 0.99)  # expect: TL203


class Sharing:
    def __call__(self, images):
        share = torch.from_numpy(np.random.default_rng(0).beta(0.4, 0.4, size=len(images)))  # expect: TL203
        share = share[:, None]
        return share * images + (1 - share) * images.flip(0), share


class Report:
    def curve_of(self, count):
        return torch.from_numpy(np.linspace(0, 1, count))  # ok: TL203  printed


def diffused(noise_schedule, model, x, step):
    level = noise_schedule.level_at(step).view(-1, 1)
    noise = torch.randn_like(x)
    return F.mse_loss(model(level.sqrt() * x + (1 - level).sqrt() * noise), noise)


def diffused_narrow(schedule, model, x, step):
    level = schedule.narrow_level_at(step).view(-1, 1)
    return model(level * x).mean()


def returns(critic, given, x):
    value = critic(x)[:, 0]
    return (value * given.weights_of(len(value))).mean()


def shared(model, sharing, images):
    mixed, _ = sharing(images)
    return model(mixed).mean()


def show(report, model, x):
    print(report.curve_of(3).tolist(), model(x).shape)


def demonstrate():
    model, x, step = nn.Linear(2, 2), torch.rand(3, 2), torch.tensor([0, 1, 2])
    assert returns(model, Discounts(), x).dtype == torch.float64
    for refused in (
        lambda: diffused(NoiseSchedule(4), model, x, step),
        lambda: shared(model, Sharing(), x),
    ):
        try:
            refused()
            raise AssertionError("float64 was accepted beside float32")
        except RuntimeError as error:
            assert "dtype" in str(error)
    assert diffused_narrow(NarrowSchedule(4), model, x, step).dtype == torch.float32
    show(Report(), model, x)
