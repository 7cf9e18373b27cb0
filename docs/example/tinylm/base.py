"""What the layers share."""

from torch import nn


class Layer(nn.Module):
    """A layer whose output is as wide as its input."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
