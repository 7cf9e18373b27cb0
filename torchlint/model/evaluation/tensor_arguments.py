"""Which parameters a function treats as tensors: by their annotations and by what it does with them."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.knowledge.factories import FACTORIES
from torchlint.knowledge.lookup import is_metadata, is_of_tensors, is_only_of_tensors
from torchlint.knowledge.numbers import NUMBER_KEYWORDS, OF_BOUNDS, OF_ONE_TENSOR
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.flow.uses import Parent, parents_in
from torchlint.model.frames import has_self, last_name
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Display,
    Global,
    Imported,
    Operation,
    Subscript,
    Term,
    mentions,
)

# What a tensor is asked for, and other common types are not; NumPy arrays share some, and betray themselves by others.
_OF_TENSORS = frozenset(
    """
    device size dim view unsqueeze permute type_as new_zeros new_ones new_tensor new_full new_empty detach is_cuda
    requires_grad to float long half contiguous expand cpu cuda backward numel masked_fill matmul softmax sigmoid
    log_softmax exp log t gather scatter scatter_ index_select
    """.split()
)
_SURELY_OF_TENSORS = frozenset("softmax log_softmax permute numel contiguous detach is_floating_point".split())
# What tensors and modules have; modules are not computed with.
_CONVERSIONS = frozenset("to cuda cpu float half double bfloat16".split())
_ARITHMETIC = frozenset("+ - * / // % ** @".split())
_OF_ARRAYS = frozenset("astype tobytes".split())
_PLACES = frozenset(("device", "dtype"))
_OF_ONE = OF_ONE_TENSOR | OF_BOUNDS
_SHARED = frozenset("shape ndim dtype T sum mean max min reshape transpose flatten squeeze std var".split())


def is_tensor_argument(index: int, function: Function) -> bool:
    """True where a function treats a parameter as a tensor; worked out once."""
    known: dict[int, bool] = function.derived.setdefault("tensor arguments", {})
    if index not in known:
        known[index] = _treats_as_tensor(index, function)
    return known[index]


def _treats_as_tensor(index: int, function: Function) -> bool:
    parameter = function.parameters[index]
    if index == 0 and has_self(function):
        return False
    if parameter.annotation is not None and mentions(parameter.annotation, frozenset({"Tensor", "FloatTensor"})):
        return True
    evidence = False
    for parent, part in _parents_of_argument(index, function):
        if isinstance(parent, Attribute):
            if parent.name in _OF_ARRAYS:
                return False
            evidence = evidence or parent.name in _OF_TENSORS or is_only_of_tensors(parent.name)
            evidence = evidence or (parent.name in _SHARED and function.name == "forward")
        elif isinstance(parent, Call):
            if _takes_no_tensor(parent):
                return False
            evidence = evidence or (_takes_tensor(parent) and any(part is one for one in operands(parent)))
        elif isinstance(parent, Subscript):
            evidence = evidence or isinstance(parent.index, Display)
        elif isinstance(parent, Operation) and parent.operator == "@":
            evidence = True
    return evidence or _is_input(index, function)


def _is_input(index: int, function: Function) -> bool:
    """True for what a forward() takes without a default, unless its annotation says otherwise."""
    parameter = function.parameters[index]
    is_plain = parameter.default is None and not parameter.kind and parameter.annotation is None
    return function.name == "forward" and function.owner is not None and is_plain


def _parents_of_argument(index: int, function: Function) -> list[tuple[Parent, Argument]]:
    """What is made of a parameter, with the term that stands for it there."""
    found: dict[int, list[tuple[Parent, Argument]]] | None = function.derived.get("parents of arguments")
    if found is None:
        found = function.derived["parents of arguments"] = {}
        for parents in parents_in(function).values():
            for parent in parents:
                for part in _arguments_in(parent):
                    found.setdefault(part.index, []).append((parent, part))
    return found.get(index, [])


def _arguments_in(parent: Parent) -> tuple[Argument, ...]:
    if isinstance(parent, Attribute):
        parts: tuple[Term, ...] = (parent.base,)
    elif isinstance(parent, Call):
        parts = _spread(parent.inputs)
    elif isinstance(parent, Operation):
        parts = parent.parts
    elif isinstance(parent, Subscript):
        parts = (parent.base,)
    else:
        parts = ()
    return tuple(part for part in parts if isinstance(part, Argument))


def _takes_no_tensor(call: Call) -> bool:
    """True for range(x), torch.zeros(x), np.array(x): the parameter is a number or an array."""
    callee = call.callee
    if isinstance(callee, Imported):
        head, _, last = callee.name.partition(".")
        return head == "numpy" or (head == "torch" and last.rpartition(".")[2] in FACTORIES - _TAKE_TENSORS)
    return isinstance(callee, Global) and callee.name in ("range", "open", "str")


_TAKE_TENSORS = frozenset("tensor as_tensor Tensor cartesian_prod".split())


def _takes_tensor(call: Call) -> bool:
    """True for torch.cat([x, ..]), F.relu(x), self.layer(x)."""
    callee = call.callee
    if isinstance(callee, Imported):
        last = callee.name.rpartition(".")[2]
        return callee.name.startswith("torch.") and last not in FACTORIES and not last[:1].isupper()
    return False


def operands(call: Call) -> tuple[Term, ...]:
    """The operands of a call that may be tensors, with those in lists and tuples."""
    return _spread(given_tensors(call))


def given_tensors(call: Call) -> tuple[Term, ...]:
    """What is passed to a call, without devices, and without what a function of torch takes as numbers:
    F.interpolate(x, size)."""
    is_of_torch = isinstance(call.callee, Imported) and call.callee.name.startswith("torch.")
    count = 1 if is_of_torch and last_name(call) in _OF_ONE else len(call.arguments)
    without = NUMBER_KEYWORDS if is_of_torch else _PLACES
    return (*call.arguments[:count], *(term for key, term in call.keywords if key not in without))


def _spread(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(part for term in terms for part in (getattr(term, "parts", (term,)) or (term,)))


def is_used_as_tensor(index: int, function: Function) -> bool:
    """True for the first input of forward, and for a parameter whose members are asked for that tensors have."""
    if index >= len(function.parameters):
        return False
    parameter = function.parameters[index]
    if parameter.annotation is None and function.name == "forward" and index == 1 and parameter.default is None:
        return True
    return parameter.name in _tensor_like(function)


def is_surely_tensor(index: int, function: Function) -> bool:
    """True for a parameter that is asked for what tensors alone have, that is converted and computed with, or that is
    the first input of torch.nn.functional."""
    known: frozenset[int] | None = function.derived.get("sure tensors")
    if known is None:
        known = function.derived["sure tensors"] = frozenset(_sure_tensors(function))
    return index in known


def _sure_tensors(function: Function) -> Iterator[int]:
    for event in function.events:
        term = event.term if isinstance(event, Evaluated) else None
        if isinstance(term, Attribute) and isinstance(term.base, Argument):
            if term.name in _SURELY_OF_TENSORS or is_only_of_tensors(term.name):
                yield term.base.index
        elif isinstance(term, Call):
            first = term.arguments[0] if term.arguments else None
            name = term.callee.name if isinstance(term.callee, Imported) else ""
            if name.startswith("torch.nn.functional.") and isinstance(first, Argument):
                yield first.index
            elif isinstance(term.callee, Attribute) and _is_of_a_tensor(term, term.callee.name, function):
                base = term.callee.base
                yield from (base.index,) if isinstance(base, Argument) else ()


def _is_of_a_tensor(call: Call, method: str, function: Function) -> bool:
    """True for x.view(4, -1), which of an array takes a dtype, and for x.to(device) - y."""
    if method == "view":
        return len(call.arguments) > 1
    if method not in _CONVERSIONS:
        return False
    kept = (
        event.term
        for event in function.events
        if isinstance(event, Evaluated) and isinstance(event.term, Attribute) and event.term.known is call
    )
    return any(_is_computed_with(term, function) for term in (call, *kept))


def _is_computed_with(term: Term, function: Function) -> bool:
    """True for an operand of an arithmetic operation, itself or a part of it."""
    parents = parents_in(function)
    parts = [parent for parent in parents.get(id(term), ()) if isinstance(parent, Subscript) and parent.base is term]
    return any(
        isinstance(parent, Operation) and parent.operator in _ARITHMETIC
        for one in (term, *parts)
        for parent in parents.get(id(one), ())
    )


def _tensor_like(function: Function) -> frozenset[str]:
    known: frozenset[str] | None = function.derived.get("tensor like")
    if known is None:
        known = function.derived["tensor like"] = frozenset(
            event.term.base.name
            for event in function.events
            if isinstance(event, Evaluated)
            and isinstance(event.term, Attribute)
            and isinstance(event.term.base, Argument)
            and _is_of_tensors(event.term.name)
        )
    return known


def _is_of_tensors(name: str) -> bool:
    return name in ("device", "dtype", "shape", "size", "ndim", "dim") or is_metadata(name)


def asks_what_no_tensor_has(term: Term, function: Function) -> bool:
    """True for a parameter, here or of the function around, of which an attribute is asked that no tensor has: sde.T
    beside sde.schedule."""
    name = _parameter_named(term)
    read = (event.term for event in function.events if name and isinstance(event, Evaluated))
    asked = (one for one in read if isinstance(one, Attribute) and not is_of_tensors(one.name))
    return any(_parameter_named(one.base) == name for one in asked)


def _parameter_named(term: Term) -> str:
    while isinstance(term, Captured):
        term = term.value
    return term.name if isinstance(term, Argument) else ""
