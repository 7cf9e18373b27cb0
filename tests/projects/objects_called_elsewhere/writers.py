"""Objects that are called in other files: whether their loops record is decided there."""
from torch import nn


class Summarizer:
    """Made in serving.py, and handed down under its own name; both calls stand in no_grad()."""

    def __init__(self, net: nn.Module):
        self.net = net

    def __call__(self, texts):
        self.net.eval()  # ok: TL304  serving.py and serving_by_name.py switch gradients off
        return [self.net(x) for x in texts]


class Translator:
    """serving_by_name.py calls one with gradients on."""

    def __init__(self, net: nn.Module):
        self.net = net

    def __call__(self, texts):
        self.net.eval()  # expect: TL304
        return [self.net(x) for x in texts]


class Captioner:
    """Nobody is seen to call it."""

    def __init__(self, net: nn.Module):
        self.net = net

    def __call__(self, images):
        self.net.eval()  # expect: TL304
        return [self.net(x) for x in images]
