"""Signatures: whether a call gives a function what it takes. Where only the name of a method is known, most others of
that name are ruled out by it: model.eval() runs no eval(self, split)."""

from __future__ import annotations

from torchlint.model.facts import Function
from torchlint.model.frames import last_name
from torchlint.model.terms import Call, Starred

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
