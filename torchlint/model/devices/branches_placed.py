"""Tensors that the program places on one branch only: before a loop that rewrites them, or where a test says so."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.devices.follower_forms import behind_views
from torchlint.model.devices.guards import asks_hardware
from torchlint.model.frames import Frame
from torchlint.model.terms import Attribute, Call, Choice, Constant, Term, children
from torchlint.model.values import Kind, Placing

_MOVES = frozenset(("to", "cuda", "type_as", "type"))
_DEPTH = 3


def on_branches(term: Term, frame: Frame) -> Iterator[frozenset[Placing]]:
    """What places the value on one of the branches that meet in it, where nothing is known of all of them together.

    A branch that moves what the other leaves where it was made, and a test that speaks of hardware, are the choice of
    the program for its one device; an input that is moved on one branch is the caller's, and so is what may be None.
    """
    term = behind_views(term)
    if not isinstance(term, Choice) or frame.value(term).placed or any(map(_is_none, term.options)):
        return
    for option in term.options:
        value = frame.value(option)
        is_wide = value.ndim != 0 and value.kind in (Kind.TENSOR, Kind.UNKNOWN)
        if not value.placed or not is_wide or not all(one.is_new for one in value.placed):
            continue
        if any(_moves(other, option, _DEPTH) for other in term.options if other is not option):
            continue
        if not any(asks_hardware(one, frame) for one in value.placed):
            yield value.placed


def _is_none(term: Term) -> bool:
    return isinstance(term, Constant) and term.value is None


def _moves(term: Term, made: Term, depth: int) -> bool:
    """True where `term` is `made`, moved to another place and then changed or not."""
    callee = term.callee if isinstance(term, Call) else None
    if isinstance(callee, Attribute) and callee.name in _MOVES and callee.base is made:
        return True
    return depth > 0 and any(_moves(part, made, depth - 1) for part in children(term))
