"""An array that becomes a tensor on the way to a plain attribute; arrays themselves and lists are no tensors."""
import numpy as np
import torch
from torch import nn


def prior_rows(size: int) -> np.ndarray:
    return np.linspace(0, 1, size * 4, dtype=np.float32).reshape(size, 4)


class Priors(nn.Module):
    variances = (0.1, 0.2)

    def __init__(self, size: int = 3):
        super().__init__()
        self.priors = torch.from_numpy(prior_rows(size))  # expect: TL101
        self.spread = torch.as_tensor(self.variances)  # expect: TL101
        self.rows = prior_rows(size)  # ok: TL101  an array is converted where it is used
        self.ratios = [0.5, 1.0]  # ok: TL101
        self.count = len(torch.from_numpy(prior_rows(size)))  # ok: TL101

    def forward(self, x):
        rows = torch.as_tensor(self.rows, device=x.device, dtype=x.dtype)
        return (x + rows + self.priors) * self.spread[0] * self.ratios[0]


def demonstrate():
    module = Priors().double()
    assert module.priors.dtype == module.spread.dtype == torch.float32
    assert not module.to("meta").priors.is_meta
