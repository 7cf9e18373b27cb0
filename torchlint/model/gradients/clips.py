"""What cuts gradients down to a bound: clip_grad_norm_() under whatever name it is called, and clamping or scaling by
hand."""

from __future__ import annotations

import re

from torchlint.model.events import Write
from torchlint.model.flow.origins import origins
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Attribute, Call, Captured, Constant, Global, Imported, Operation, Subscript, Term
from torchlint.model.weights.aliases import words_of
from torchlint.model.weights.enumerated import within

_CLIP = re.compile(r"(dispatch_|adaptive_|agc_)?clip_(the_)?grad\w*|clip_(norm|value)_|clip_by_(global_)?norm\w*")
# Who clips with the scale in mind: the clipping is their method.
_OWN_CLIPPING = tuple("accelerat fabric engine optim scaler trainer strategy plugin amp deepspeed".split())
_IN_PLACE = frozenset("clamp_ clip_ clamp_max_ clamp_min_ renorm_".split())
_ANEW = frozenset("clamp clip clamp_max clamp_min renorm minimum maximum".split())
_EACH = re.compile(r"_foreach_(clamp|maximum|minimum|mul|div)\w*_")
_AUGMENTED = frozenset("* *= / /=".split())


def clips(call: Call, frame: Frame) -> bool:
    """True for what cuts gradients down to a bound. With no bound, or an infinite one, only the norm is taken."""
    callee = call.callee
    if isinstance(callee, Attribute) and callee.name in _IN_PLACE:
        return is_gradient(callee.base)
    if isinstance(callee, Attribute) and callee.name == "mul_" and is_gradient(callee.base):
        return any(_is_by_norm(term) for term in call.inputs)
    if _EACH.fullmatch(last_name(call)):
        return _clips_each(call)
    named = _named(callee, frame) if call.inputs else None
    if named is None:
        return False
    if isinstance(callee, Attribute) and any(word in words_of(callee.base) for word in _OWN_CLIPPING):
        return False
    if any(last_name(part) == "master_params" for term in call.inputs for part in within(term, 20)):
        return False
    # The third argument of clip_grad_norm_() says which norm; the infinite one is a norm as well.
    bounds = (*call.arguments[:2], *(term for key, term in call.keywords if key != "norm_type"), *named)
    return not any(map(_is_no_bound, bounds))


def clip_written(write: Write) -> Call | None:
    """The clipping of `p.grad = p.grad.clamp(-1, 1)` and of `p.grad *= limit / norm`, as a call; None for others."""
    if write.attribute != "grad" and not (write.attribute == "data" and is_gradient(write.base)):
        return None
    value = write.value
    if isinstance(value, Call):
        return value if last_name(value) in _ANEW and any(map(is_gradient, within(value, 20))) else None
    if not isinstance(value, Operation) or value.operator not in _AUGMENTED or len(value.parts) != 2:
        return None
    gradient, factor = value.parts
    if not is_gradient(gradient) or not _is_by_norm(factor):
        return None
    return Call(write.place, Attribute(write.place, gradient, "mul_"), (factor,), ())


def _named(callee: Term, frame: Frame) -> tuple[Term, ...] | None:
    """What a function that clips was given beforehand, where a callee is one, under whatever name; None for others."""
    if _CLIP.fullmatch(last_name(callee).lstrip("_")):
        return ()
    is_kept = isinstance(callee, Attribute) and frame.is_self(callee.base)
    if not is_kept and not isinstance(callee, (Captured, Global, Subscript)):
        return None
    for origin, _ in origins(callee, frame):
        is_partial = isinstance(origin, Call) and last_name(origin) == "partial" and origin.arguments
        inner = origin.arguments[0] if isinstance(origin, Call) and is_partial else origin
        if isinstance(inner, Imported) and _CLIP.fullmatch(last_name(inner)):
            return origin.inputs[1:] if isinstance(origin, Call) else ()
    return None


def _clips_each(call: Call) -> bool:
    """True for _foreach_clamp_max_(grads, 1.0), and a _foreach_mul_ of gradients by a factor of their norm."""
    if not call.arguments or not any(is_gradient(part) for part in within(call.arguments[0], 30)):
        return False
    is_product = last_name(call) in ("_foreach_mul_", "_foreach_div_")
    return not is_product or any(map(_is_by_norm, call.inputs[1:]))


def _is_by_norm(factor: Term) -> bool:
    """True for limit / norm, of a norm that is computed from gradients, or so called, in which no scale has a part."""
    parts = list(within(factor, 60))
    if any("scale" in words_of(part) for part in parts):
        return False
    return any(is_gradient(part) or "norm" in words_of(part) or "clip" in words_of(part) for part in parts)


def is_gradient(term: Term) -> bool:
    """True for p.grad and p.grad.data."""
    while isinstance(term, Attribute) and term.name == "data":
        term = term.base
    return isinstance(term, Attribute) and term.name == "grad"


def _is_no_bound(term: Term) -> bool:
    if isinstance(term, Constant):
        value = term.value
        return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 1e6)
    if isinstance(term, Call) and last_name(term) == "float" and term.arguments:
        given = term.arguments[0]
        return isinstance(given, Constant) and str(given.value).lstrip("+").lower() in ("inf", "infinity")
    return isinstance(term, (Imported, Attribute)) and term.name.rpartition(".")[2] in ("inf", "Inf", "infty")
