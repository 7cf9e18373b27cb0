"""A model that a file of tests makes for its own checks: the tests know what they convert it to."""

import pytest
import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.layer = nn.Linear(dim, dim)
        self.dtype = torch.float  # ok: TL119  a test that converts the model sets it by hand

    def forward(self, x):
        return self.layer(x.to(self.dtype))


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_regressor(dtype):
    model = Regressor(3).to(dtype)
    model.dtype = dtype
    assert model(torch.ones(2, 3)).dtype == dtype
