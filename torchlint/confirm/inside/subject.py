"""What a history is about, and the parent that it may be put into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import nn

from .recipe import Recipe

Facts = dict[str, Any]


@dataclass(frozen=True)
class Subject:
    """file: the real path of the one that is checked. device: "sim", or a real one such as "cuda"; "" for none.

    members: the attributes and methods that the findings name. mentioned: the methods that their sentences speak of.
    """

    recipe: Recipe
    file: str
    device: str
    members: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()

    @property
    def can_run(self) -> bool:
        """True where inputs are known on which forward runs."""
        return self.recipe.call is not None


class Parent(nn.Module):
    """A module with another one as its only part, whose own to(), eval() and load_state_dict() are then not called."""

    def __init__(self, part: nn.Module) -> None:
        super().__init__()
        self.part = part


def root_of(module: nn.Module, *, in_parent: bool) -> nn.Module:
    """What conversions, modes and loads are asked of: the module, or a parent of it."""
    return Parent(module) if in_parent else module


def load_into(module: nn.Module, state: dict[str, Any], *, in_parent: bool) -> None:
    """load_state_dict(), of the module or of a parent of it."""
    if in_parent:
        Parent(module).load_state_dict({f"part.{name}": value for name, value in state.items()}, strict=False)
    else:
        module.load_state_dict(state, strict=False)
