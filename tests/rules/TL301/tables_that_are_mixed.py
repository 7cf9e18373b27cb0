"""States with a table of indices are mixed: shares of equal whole numbers add up to less, and what is loaded is cut off."""
import torch
from torch import nn


class Bias(nn.Module):
    def __init__(self, side: int = 12):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(2 * side - 1))
        at = torch.arange(side)
        self.register_buffer("where", at[:, None] - at[None] + side - 1)

    def forward(self, scores: torch.Tensor) -> torch.Tensor:
        return scores + self.bias[self.where]


def mixed(one: nn.Module, other: nn.Module, share: float = 0.1) -> dict:
    first, second = one.state_dict(), other.state_dict()
    return {name: first[name] * share + second[name] * (1 - share) for name in first}  # expect: TL301


def mixed_floats(one: nn.Module, other: nn.Module, share: float = 0.1) -> dict:
    first, second = one.state_dict(), other.state_dict()
    return {
        name: value * share + second[name] * (1 - share) if value.is_floating_point() else value  # ok: TL301
        for name, value in first.items()
    }


def mixed_weights(one: nn.Module, other: nn.Module, share: float = 0.1) -> dict:
    first, second = one.state_dict(), dict(other.named_parameters())
    return first | {name: second[name] * share + first[name] * (1 - share) for name in second}  # ok: TL301


def demonstrate():
    one, other = Bias(), Bias()
    for mix, is_right in ((mixed, False), (mixed_floats, True), (mixed_weights, True)):
        fresh = Bias()
        fresh.load_state_dict(mix(one, other))
        assert torch.equal(fresh.where, one.where) is is_right
