"""Tensors that the program places on one branch only: before a loop that rewrites them, or where a test says so."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.devices.follower_forms import behind_views
from torchlint.model.devices.guards import Branch, asks_hardware, branch_of_placing, branch_of_term
from torchlint.model.flow.branches import signature
from torchlint.model.frames import Frame
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Choice,
    Constant,
    Display,
    Imported,
    Operation,
    Term,
    children,
)
from torchlint.model.values import Kind, Placing

_PLACEHOLDERS = frozenset(("torch.tensor", "torch.empty", "torch.Tensor"))
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
        if _is_placeholder(option) and _is_set_in_modes(term.options, frame):
            continue
        if not any(asks_hardware(one, frame) for one in value.placed):
            yield value.placed


def _is_placeholder(term: Term) -> bool:
    """True for a tensor with one number or none, as it is written: torch.tensor([0]), torch.empty(0)."""
    if not isinstance(term, Call) or not isinstance(term.callee, Imported) or len(term.arguments) != 1:
        return False
    if term.callee.name not in _PLACEHOLDERS:
        return False
    given = term.arguments[0]
    if isinstance(given, Display):
        return all(isinstance(part, Constant) for part in given.parts) and len(given.parts) < 2
    return isinstance(given, Constant) and type(given.value) is int and given.value == 0


def _is_set_in_modes(options: tuple[Term, ...], frame: Frame) -> bool:
    """True where a value is set in several branches that ask one thing for its modes: `if self.kind == "sum": .. elif
    self.kind == "product": ..`. Where none of these holds nobody is taken to use it."""
    modes: dict[object, set[object]] = {}
    for option in options:
        for test, holds in branch_of_term(option, frame):
            if holds and isinstance(test, Operation) and test.operator == "==" and isinstance(test.parts[1], Constant):
                modes.setdefault(signature(test.parts[0], _name), set()).add(test.parts[1].value)
    return any(len(one) > 1 for one in modes.values())


def _name(term: Term) -> object:
    if isinstance(term, Attribute):
        return (_name(term.base), term.name)
    return ("parameter", term.index) if isinstance(term, Argument) else id(term)


def on_the_same_branch(term: Term, placed: frozenset[Placing], frame: Frame) -> tuple[Term, ...]:
    """What of another value may meet what one branch placed: where that branch sets both, what it sets it to."""
    choice = behind_views(term)
    branches = {_keys(branch_of_placing(one, frame)) for one in placed}
    if not isinstance(choice, Choice) or len(branches) != 1:
        return (term,)
    branch = branches.pop()
    set_on = [(_keys(branch_of_term(option, frame)), option) for option in choice.options]
    around = [(len(one), option) for one, option in set_on if one == branch[: len(one)]]
    nearest = max((depth for depth, _ in around), default=0)
    return tuple(option for depth, option in around if depth == nearest) if nearest else (term,)


def _keys(branch: Branch) -> tuple[tuple[int, bool], ...]:
    return tuple((id(test), holds) for test, holds in branch)


def _is_none(term: Term) -> bool:
    return isinstance(term, Constant) and term.value is None


def _moves(term: Term, made: Term, depth: int) -> bool:
    """True where `term` is `made`, moved to another place and then changed or not."""
    callee = term.callee if isinstance(term, Call) else None
    if isinstance(callee, Attribute) and callee.name in _MOVES and callee.base is made:
        return True
    return depth > 0 and any(_moves(part, made, depth - 1) for part in children(term))
