"""A cache that the base's train() drops by a method that this class overrides: a conversion leaves it."""
import torch
from base import Kernel


class CachedKernel(Kernel):
    root = None

    def forget(self) -> None:
        self.root = None

    def forward(self, x):
        if self.training:
            return x * self.scale.exp()
        if self.root is None:
            self.root = self.scale.exp().detach()  # expect: TL103
        return x * self.root


def demonstrate():
    module = CachedKernel().eval()
    module(torch.ones(3))
    assert module.double().root.dtype is torch.float32
