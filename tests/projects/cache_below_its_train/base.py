"""The base drops what it knows of when the mode changes; what classes of other files keep is not its fault."""
import torch
from torch import nn


class Kernel(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(dim))

    def forget(self) -> None:
        return None

    def train(self, mode: bool = True):  # ok: TL103  the cache is another class's
        self.forget()
        return super().train(mode)

    def _load_from_state_dict(self, *args, **kwargs):
        self.forget()
        super()._load_from_state_dict(*args, **kwargs)
