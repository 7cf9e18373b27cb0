"""Modules that hold nothing: no parameter, no buffer, the same in every mode, and so nothing to lose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import is_torch_layer, layer_children, layer_state
from torchlint.model.modules.state import Registration

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_NESTED = 3


def class_has_state(view: ModuleClass, depth: int = _NESTED) -> bool:
    """True for a class that registers something but parts that are stateless too, or that asks for the mode."""
    state = view.state
    names = {*state.registrations, *(name for name in state.names if state.registration(name) is not None)}
    return (
        not all(is_stateless(base) for base in view.foreign_bases)
        or any(_holds_state(view, name, depth) for name in names)
        or bool(state.reads("training"))
    )


def _holds_state(view: ModuleClass, name: str, depth: int) -> bool:
    if view.state.registration(name) is not Registration.MODULE or not depth:
        return True
    part = view.state.value(name)
    return class_has_state(part.of, depth - 1) if part.of is not None else not is_stateless(part.made_by or "")


def is_stateless(name: str) -> bool:
    """True for a layer of torch that is the same in every mode and registers nothing."""
    depends_on_mode = "Dropout" in name or "RReLU" in name
    registers = any(layer_state(name)) or bool(layer_children(name))
    return is_torch_layer(name) and not depends_on_mode and not registers
