"""A flag of the constructor that is on by default decides for CUDA unless its user turns it off; any other is a choice."""

import torch
from torch import nn


class Centres(nn.Module):
    def __init__(self, classes=3, use_gpu=True, on_gpu=False, place=None):
        super().__init__()
        self.classes, self.use_gpu, self.on_gpu, self.place = classes, use_gpu, on_gpu, place
        self.asked = torch.cuda.is_available()
        self.points = nn.Parameter(torch.zeros(classes))

    def forward(self, labels):
        numbers = torch.arange(self.classes)
        if self.use_gpu:
            numbers = numbers.cuda()  # expect: TL207
        return labels[:, None].eq(numbers[None]) * self.points

    def chosen(self, labels):
        numbers = torch.arange(self.classes)
        if self.on_gpu:
            numbers = numbers.cuda()  # ok: TL207  off by default
        return labels[:, None].eq(numbers[None]) * self.points

    def available(self, labels):
        numbers = torch.arange(self.classes)
        if self.asked:
            numbers = numbers.cuda()  # ok: TL207  what the machine has
        return labels[:, None].eq(numbers[None]) * self.points

    def asking(self, labels):
        numbers = torch.arange(self.classes)
        if labels.is_cuda:
            numbers = numbers.cuda()  # ok: TL207
        return labels[:, None].eq(numbers[None]) * self.points


def demo():
    labels = torch.zeros(2)
    assert Centres(use_gpu=False)(labels).shape == (2, 3)
    assert Centres().chosen(labels).shape == Centres().asking(labels).shape == (2, 3)
    if not torch.cuda.is_available():
        try:
            Centres()(labels)
            raise AssertionError("CUDA is not there")
        except (RuntimeError, AssertionError) as error:
            assert "CUDA" in str(error) or "cuda" in str(error)
