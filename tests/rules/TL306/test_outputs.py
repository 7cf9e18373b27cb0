"""A file of tests: they run on the CPU, whatever the program can do; what autograd records raises there as well."""
import unittest

import numpy as np
import torch
from torch import nn


class Setup:
    def __init__(self, device="cpu"):
        self.net = nn.Linear(2, 2).to(torch.device(device))


class TestOutputs(unittest.TestCase):
    def test_bias(self):
        setup = Setup()
        setup.net(torch.ones(1, 2)).sum().backward()
        np.testing.assert_allclose(setup.net.bias.grad.data.numpy(), 1)  # ok: TL306

    def test_output(self):
        net = Setup().net.eval()
        with torch.no_grad():
            first, second = net(torch.ones(1, 2)), net(torch.ones(1, 2))
            np.testing.assert_allclose(first.numpy(), second.numpy())  # ok: TL306

    def test_recorded(self):
        net = nn.Linear(2, 2)
        np.testing.assert_allclose(net(torch.zeros(1, 2)).numpy(), net.bias.detach().numpy())  # expect: TL306


def demonstrate():
    TestOutputs().test_bias(), TestOutputs().test_output()
    try:
        TestOutputs().test_recorded()
    except RuntimeError as error:
        assert "requires grad" in str(error)
    else:
        raise AssertionError("numpy took what autograd records")
