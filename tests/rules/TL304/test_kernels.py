"""Tests run a few small batches with gradients on, and nobody keeps what they compute."""
import unittest

import torch
from torch import nn


class TestKernels(unittest.TestCase):
    def test_loop(self):
        net = nn.Linear(2, 2)
        net.eval()  # ok: TL304
        rows = torch.zeros(2, 2)
        for i in range(2):
            rows[i] = net(torch.ones(2))
        self.assertTrue(rows.requires_grad)


def demonstrate():
    TestKernels().test_loop()
