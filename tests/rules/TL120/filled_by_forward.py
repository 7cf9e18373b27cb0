"""A buffer that is None until forward fills it: the key that it saves is unknown to a fresh instance."""

import torch
from torch import nn


class Whiten(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", None)  # note: TL120
        self.register_buffer("unused", None)  # ok: TL120  nothing fills it
        self.register_buffer("scale", None, persistent=False)  # ok: TL120  not saved
        self.register_buffer("count", torch.zeros(()))  # ok: TL120

    def forward(self, x):
        if self.mean is None:
            self.mean = x.detach().mean(0)
            self.scale = x.detach().std(0)
        self.count += 1
        return (x - self.mean) / self.scale


def demonstrate():
    used = Whiten()
    used(torch.randn(5, 3))
    try:
        Whiten().load_state_dict(used.state_dict())
        message = ""
    except RuntimeError as error:
        message = str(error)
    assert "Unexpected key" in message
