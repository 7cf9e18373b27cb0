"""A method registers under the name that it is given; another method calls it in the forward pass."""
import torch
from torch import nn


class Statistics(nn.Module):
    def __init__(self, is_affine: bool = True, dim: int = 3):
        super().__init__()
        self.register_buffer("scale", torch.ones(dim))
        if not is_affine:
            return
        self.register_buffer("mean", None)  # note: TL120
        self.register_buffer("square", None, persistent=False)  # ok: TL120  not saved
        self.register_buffer("start", torch.zeros(dim))  # ok: TL120
        self.register_buffer("never", None)  # ok: TL120  nobody fills it
        self.register_buffer("built", None)  # ok: TL120  filled before construction ends
        self._renew("built", torch.zeros(dim))

    def _renew(self, name: str, value: torch.Tensor) -> None:
        self.register_buffer(name, value.detach())

    def _renew_for_now(self, name: str, value: torch.Tensor) -> None:
        self.register_buffer(name, value.detach(), persistent=False)

    def update(self, x):
        self._renew("mean", x.mean(0))
        self._renew_for_now("square", x.square().mean(0))
        self._renew("start", x[0])

    def forward(self, x):
        if self.training:
            self.update(x)
        return x * self.scale


def demonstrate():
    module = Statistics()
    module(torch.ones(2, 3))
    try:
        Statistics().load_state_dict(module.state_dict())
        raise AssertionError("a fresh instance has no such buffer")
    except RuntimeError as error:
        assert 'Unexpected key(s) in state_dict: "mean"' in str(error) and "square" not in str(error)
