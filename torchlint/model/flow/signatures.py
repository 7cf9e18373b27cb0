"""Signatures: whether a call gives a function what it takes. Where only the name of a method is known, most others of
that name are ruled out by it: model.eval() runs no eval(self, split)."""

from __future__ import annotations

from torchlint.model.facts import Function
from torchlint.model.frames import has_self, last_name
from torchlint.model.terms import Attribute, Call, Starred, Term

_RUN_BY_CALLING = frozenset(("__call__", "forward"))
_SAME_PARAMETERS = frozenset("staticmethod classmethod abstractmethod override no_grad inference_mode".split())


def takes(function: Function, call: Call, bound: int) -> bool:
    """False where the call would raise: it gives too much or too little. bound: how many parameters the receiver of the
    call takes."""
    parameters = function.parameters[bound:]
    is_open = any(isinstance(one, Starred) for one in call.arguments) or any(key is None for key, _ in call.keywords)
    if is_open or any(last_name(one) not in _SAME_PARAMETERS for one in function.decorators):
        return True
    named = {key for key, _ in call.keywords}
    positional = [one for one in parameters if one.kind == ""]
    given = {one.name for one in positional[: len(call.arguments)]} | named
    wanted = {one.name for one in parameters if one.kind in ("", "keyword") and one.default is None}
    kinds = {one.kind for one in parameters}
    is_too_long = len(call.arguments) > len(positional) and "*" not in kinds
    is_unheard = not named <= {one.name for one in parameters} and "**" not in kinds
    return not is_too_long and not is_unheard and wanted <= given


def receiver_of(call: Call, function: Function) -> Term | None:
    """The object whose method a call runs: net of net.eval(), and of net(x) where the method is __call__(). None where
    the call is of no object."""
    if not has_self(function):
        return None
    if function.name in _RUN_BY_CALLING and last_name(call) != function.name:
        return call.callee
    return call.callee.base if isinstance(call.callee, Attribute) else None
