"""Reads of what **options collects: options["device"], options.get("device"), options.pop("device", None)."""

from __future__ import annotations

from typing import NamedTuple

from torchlint.model.facts import Function
from torchlint.model.terms import Argument, Attribute, Call, Constant, Subscript, Term

_LOOKS_UP = frozenset("get pop setdefault __getitem__".split())


class KeywordRead(NamedTuple):
    """A keyword that a function takes out of what **options collected. position: of the collecting parameter."""

    position: int
    name: str


def read_of_keywords(term: Term, function: Function) -> KeywordRead | None:
    """The keyword that a term reads; None for any other term."""
    key: Term | None = None
    base: Term | None = None
    if isinstance(term, Subscript):
        base, key = term.base, term.index
    elif isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in _LOOKS_UP:
        base, key = term.callee.base, term.argument(0, "key")
    if not isinstance(base, Argument) or not isinstance(key, Constant) or not isinstance(key.value, str):
        return None
    parameters = function.parameters
    collects = base.index < len(parameters) and parameters[base.index].kind == "**"
    return KeywordRead(base.index, key.value) if collects else None
