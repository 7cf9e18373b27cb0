"""Quantile levels and horizon weights of a forecasting loss live in plain attributes, so the loss does not follow the model.

source: the "loss buffers stay on the CPU" family (pytorch/audio#369, OpenNMT/OpenNMT-py#240); classes written from scratch
rules: [TL101]
"""
import torch
from torch import nn


def horizon_decay(horizon: int, tau: float) -> torch.Tensor:
    w = torch.exp(-torch.arange(horizon, dtype=torch.float32) / tau)
    return w / w.mean()


class PinballLoss(nn.Module):
    def __init__(self, quantiles=(0.1, 0.5, 0.9)):
        super().__init__()
        if sorted(quantiles) != list(quantiles):
            raise ValueError("quantiles must be increasing")
        self.levels = tuple(quantiles)  # ok: TL101, TL105
        self.median_index = int(torch.tensor(quantiles).sub(0.5).abs().argmin())  # ok: TL101
        self.quantiles = torch.tensor(quantiles)  # expect: TL101

    def forward(self, pred: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        err = target.unsqueeze(-1) - pred
        return torch.maximum(self.quantiles * err, (self.quantiles - 1) * err).mean()


class BufferedPinballLoss(nn.Module):
    def __init__(self, quantiles=(0.1, 0.5, 0.9)):
        super().__init__()
        self.register_buffer("quantiles", torch.tensor(quantiles), persistent=False)
        self.quantiles = self.quantiles.clamp(1e-3, 1 - 1e-3)  # ok: TL101

    def forward(self, pred, target):
        err = target.unsqueeze(-1) - pred
        return torch.maximum(self.quantiles * err, (self.quantiles - 1) * err).mean()


class ForecasterBase(nn.Module):
    def __init__(self, lookback: int, horizon: int, num_quantiles: int = 3):
        super().__init__()
        self.horizon, self.num_quantiles = horizon, num_quantiles
        self.net = nn.Sequential(nn.Linear(lookback, 8), nn.GELU(), nn.Linear(8, horizon * num_quantiles))

    def forward(self, past):
        return self.net(past).view(-1, self.horizon, self.num_quantiles)


class WeightedForecaster(ForecasterBase):
    def __init__(self, lookback: int = 6, horizon: int = 4, tau: float = 3.0):
        super().__init__(lookback, horizon)
        self.criterion = PinballLoss()
        self.step_weight = horizon_decay(horizon, tau).unsqueeze(-1)  # expect: TL101

    def training_step(self, past, future):
        pred = self(past)
        return self.criterion(pred * self.step_weight, future * self.step_weight[:, 0])


class MovableForecaster(ForecasterBase):
    def __init__(self, lookback: int = 6, horizon: int = 4, tau: float = 3.0):
        super().__init__(lookback, horizon)
        self.criterion = BufferedPinballLoss()
        self.register_buffer("step_weight", horizon_decay(horizon, tau).unsqueeze(-1), persistent=False)
        # start values for the bias of the last layer; nothing looks at them after construction
        self.bias_init = torch.linspace(-1.0, 1.0, self.num_quantiles).repeat(horizon)  # ok: TL101
        with torch.no_grad():
            self.net[-1].bias.copy_(self.bias_init)

    def training_step(self, past, future):
        pred = self(past)
        return self.criterion(pred * self.step_weight, future * self.step_weight[:, 0])


# ---- demonstration: not part of the graded code ----
def demonstrate():
    past, future = torch.randn(5, 6), torch.randn(5, 4)
    bad, good = WeightedForecaster(), MovableForecaster()
    bad.training_step(past, future), good.training_step(past, future)
    bad.half(), good.half()
    assert bad.criterion.quantiles.dtype == bad.step_weight.dtype == torch.float32
    assert good.criterion.quantiles.dtype == good.step_weight.dtype == torch.float16
    bad.float().to("meta"), good.float().to("meta")
    assert bad.criterion.quantiles.device.type == "cpu" and good.criterion.quantiles.is_meta
    meta_pred, meta_y = torch.empty(5, 4, 3, device="meta"), torch.empty(5, 4, device="meta")
    for fails in (lambda: bad.criterion(meta_pred, meta_y), lambda: bad.training_step(past.to("meta"), meta_y)):
        try:
            fails()
            raise AssertionError("expected a device clash")
        except RuntimeError:
            pass
    assert good.training_step(past.to("meta"), meta_y).is_meta
