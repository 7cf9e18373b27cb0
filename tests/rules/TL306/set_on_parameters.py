"""What the program sets on a parameter is no parameter; its data and its gradient are not recorded either."""
import numpy as np
import torch
from torch import nn


def averages(model: nn.Module):
    for parameter in model.parameters():
        parameter.average = parameter.data * 0
    for parameter in model.parameters():
        parameter.average = parameter.average + parameter.grad.data
    return [parameter.average.cpu().numpy() for parameter in model.parameters()]  # ok: TL306


def gradients(model: nn.Module):
    return [parameter.grad.cpu().numpy() for parameter in model.parameters()]  # ok: TL306


def weights(model: nn.Module):
    return [parameter.cpu().numpy() for parameter in model.parameters()]  # expect: TL306


def turned(model: nn.Module):
    return [parameter.T.cpu().numpy() for parameter in model.parameters()]  # expect: TL306


def demonstrate():
    model = nn.Sequential(nn.Linear(2, 2, bias=False))
    model(torch.ones(1, 2)).sum().backward()
    assert all(isinstance(one, np.ndarray) for one in (*averages(model), *gradients(model)))
    for function in (weights, turned):
        try:
            function(model)
        except RuntimeError as error:
            assert "requires grad" in str(error)
        else:
            raise AssertionError("numpy took a tensor that requires grad")
