"""Meetings: a tensor that lies where the program put it is combined with one that lies where the inputs are.

torch raises there as soon as the inputs are on another device; single numbers on the CPU may meet anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from torchlint.knowledge.factories import FACTORIES, LIKE
from torchlint.knowledge.lookup import is_metadata
from torchlint.model.device_guards import is_device_asked, is_spared
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.followers import Followers, holds_state
from torchlint.model.frames import Frame, last_name
from torchlint.model.members import entered
from torchlint.model.placements import device_of
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Display,
    Global,
    Imported,
    Operation,
    Starred,
    Subscript,
    Super,
    Term,
)
from torchlint.model.uses import parents_in
from torchlint.model.values import Kind, Placing, TensorValue
from torchlint.source import Span

_ARITHMETIC = frozenset("+ - * / ** // % @ & | ^ < <= > >= == !=".split())
_AUGMENTED = frozenset(f"{operator}=" for operator in ("+", "-", "*", "/", "**", "//", "%", "&", "|", "^"))
# Calls that take tensors of any device, or that only look at one.
_NEUTRAL = (
    frozenset(
        """
        to type type_as copy_ expand_as view_as reshape_as set_ pack_padded_sequence save load is_tensor equal size
        manual_seed seed new device Size result_type can_cast broadcast_shapes numpy tolist item index_put index_put_
        append extend insert update add_module register_buffer DataLoader TensorDataset device_count synchronize
        broadcast all_reduce all_gather record_stream split split_with_sizes tensor_split backward from_numpy
        requires_grad_ resize_as_ apply_ map_ allclose mark_dirty save_for_backward no_grad checkpoint repeat expand
        view reshape tile unsqueeze flatten unflatten transpose permute narrow select roll flip movedim broadcast_to
        as_strided isinstance hasattr len print topk unfold register_hook ctc_loss CTCLoss
        """.split()
    )
    | FACTORIES
    | LIKE
)
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Meeting:
    """placed: what put the tensor where it lies. met: the operation. by: what combines, in words."""

    placed: Placing
    met: Span
    by: str


@dataclass(frozen=True)
class _Walk:
    """A function looked at on the way of the inputs. seen: the frames that were walked."""

    frame: Frame
    asks: Followers
    depth: int
    seen: set[int]

    @cached_property
    def asks_moved(self) -> Followers:
        """The same question, where what the program moves to an accelerator counts as well."""
        return replace(self.asks, moved=True, asked={})

    def meets(self, terms: list[Term], placed: frozenset[Placing]) -> bool:
        """True where one of the terms lies where the inputs are; beside what was made on the CPU, on an accelerator."""
        if any(map(self.asks.holds, terms)):
            return True
        return device_of(placed) == "cpu" and any(map(self.asks_moved.holds, terms))


def meetings(frame: Frame, *, arguments: bool, given: frozenset[int] = frozenset()) -> Iterator[Meeting]:
    """The meetings in a function and in what it calls. arguments: its tensor parameters lie where a network does.
    given: those parameters, by position, for which a caller passes such a tensor."""
    yield from _walked(_Walk(frame, Followers(frame, arguments, given), _DEPTH, {id(frame)}))


def _walked(walk: _Walk) -> Iterator[Meeting]:
    frame = walk.frame
    for event in frame.function.events:
        if not isinstance(event, Evaluated) or not isinstance(event.term, (Call, Operation, Subscript)):
            continue
        if isinstance(event.term, Call) and _is_probe(event.term, frame):
            continue
        found = list(_here(event.term, walk))
        if isinstance(event.term, Call) and walk.depth:
            found += _inside(event.term, walk)
        if found and not is_device_asked(event):
            yield from found


def _here(term: Call | Operation | Subscript, walk: _Walk) -> Iterator[Meeting]:
    for placed, by in _met(term, walk):
        if not any(is_spared(one, walk.frame) for one in placed):
            yield from (Meeting(one, walk.frame.span(term.place), by) for one in _decisive(placed))


def _decisive(placed: frozenset[Placing]) -> list[Placing]:
    """What was made on the CPU and then, on one path, pinned elsewhere is the fault of the pinning."""
    pinned = [one for one in placed if one.how != "made"]
    return pinned or list(placed)


def _met(term: Call | Operation | Subscript, walk: _Walk) -> Iterator[tuple[frozenset[Placing], str]]:
    """The placings that an operation brings beside what follows the inputs, and its name."""
    if isinstance(term, Operation):
        yield from _met_by_operator(term, walk)
    elif isinstance(term, Call):
        yield from _met_by_call(term, walk)
    else:
        # An index may lie on the CPU; what is indexed may not, where the index is elsewhere.
        base = walk.frame.value(term.base)
        if _is_fixed(term.base, base, walk) and walk.meets(list(_indices(term)), base.placed):
            yield base.placed, "a subscript"


def _met_by_call(term: Call, walk: _Walk) -> Iterator[tuple[frozenset[Placing], str]]:
    name = last_name(term)
    if name in _NEUTRAL or name.startswith("new_"):
        return
    callee = walk.frame.value(term.callee)
    name = name or (callee.made_by or "").rpartition(".")[2]
    operands = _operands(term, walk.frame)
    if callee.kind is Kind.MODULE:
        if holds_state(callee) and _is_own(term.callee, walk.frame):
            yield from ((value.placed, name) for term, value in operands if _is_fixed(term, value, walk))
        elif callee.of is None and (callee.made_by or "").startswith("torch.nn."):
            yield from _beside(operands, name, walk)
    elif (callee.made_by or "").startswith("torch.") and not (callee.made_by or "").startswith("torch.distributed"):
        yield from _beside(operands, name, walk)
    elif callee.kind is Kind.UNKNOWN and _is_own(term.callee, walk.frame) and walk.asks.runs_network(term):
        # A network that the object was given, and that moves with it; what goes in behind its input may be lengths.
        first = walk.frame.value(term.arguments[0]) if term.arguments else None
        if first is not None and first.is_floating and _is_fixed(term.arguments[0], first, walk):
            yield first.placed, name
    elif isinstance(term.callee, Attribute) and callee.of is None and callee.kind is not Kind.CALLABLE:
        base = walk.frame.value(term.callee.base)
        if _is_fixed(term.callee.base, base, walk) or walk.asks_moved.holds(term.callee.base):
            yield from _beside([(term.callee.base, base), *operands], name, walk)


def _indices(term: Subscript) -> tuple[Term, ...]:
    return term.index.parts if isinstance(term.index, Display) else (term.index,)


def _met_by_operator(term: Operation, walk: _Walk) -> Iterator[tuple[frozenset[Placing], str]]:
    if term.operator in _AUGMENTED:
        placed = _target(term.parts[0], walk.frame)
        if placed and walk.meets([term.parts[1]], placed):
            yield placed, term.operator
            return
    if term.operator in _ARITHMETIC or term.operator in _AUGMENTED:
        yield from _beside([(part, walk.frame.value(part)) for part in term.parts], term.operator, walk)


def _target(term: Term, frame: Frame) -> frozenset[Placing]:
    """What placed the target of an in-place operation: in a loop, the value before the first round."""
    if isinstance(term, Choice):
        options = [one for one in term.options if not (isinstance(one, Operation) and one.operator in _AUGMENTED)]
        return frame.value(options[0]).placed if len(options) == 1 else frame.value(term).placed
    return frame.value(term).placed


def _beside(
    operands: list[tuple[Term, TensorValue]], name: str, walk: _Walk
) -> Iterator[tuple[frozenset[Placing], str]]:
    fixed = [value.placed for term, value in operands if _is_fixed(term, value, walk)]
    terms = [term for term, _ in operands]
    yield from ((placed, name) for placed in fixed if walk.meets(terms, placed))


def _is_fixed(term: Term, value: TensorValue, walk: _Walk) -> bool:
    """True for a tensor, or a distribution of tensors, that lies where it was put. A single number may meet any."""
    is_wide = value.ndim != 0 and value.kind in (Kind.TENSOR, Kind.UNKNOWN)
    return bool(value.placed) and is_wide and not walk.asks.holds(term)


def _operands(call: Call, frame: Frame) -> list[tuple[Term, TensorValue]]:
    """What goes into a call, and what stands in its tuples and lists; `out=` and devices are none."""
    found: list[tuple[Term, TensorValue]] = []
    given = (*call.arguments, *(term for key, term in call.keywords if key not in ("device", "dtype")))
    for term in given:
        found += _parts(term, frame, 2)
    return found


def _parts(term: Term, frame: Frame, depth: int) -> list[tuple[Term, TensorValue]]:
    if isinstance(term, Display) and depth:
        return [one for part in term.parts for one in _parts(part, frame, depth - 1)]
    value = frame.value(term)
    if value.kind is Kind.CONTAINER and depth and not isinstance(term, Starred):
        inner = value.items if value.items is not None else (value.element,) if value.element is not None else ()
        return [(term, one) for one in inner]
    return [(term, value)]


def _is_own(callee: Term, frame: Frame) -> bool:
    """True for a layer that the object holds, and that moves with it."""
    if isinstance(callee, Captured):
        return frame.outer is not None and _is_own(callee.value, frame.outer)
    return frame.view is not None and frame.view.is_module and bool(frame.value(callee).sources)


# Through calls


def _is_probe(call: Call, frame: Frame) -> bool:
    """True where only the shape of a result is asked: self.forward(torch.zeros(1, 3, 8, 8)).shape."""
    uses = parents_in(frame.function).get(id(call), ())
    return bool(uses) and all(isinstance(use, Attribute) and is_metadata(use.name) for use in uses)


def _inside(call: Call, walk: _Walk) -> Iterator[Meeting]:
    """The meetings in what a call enters: a helper that may make tensors, a module that is given one."""
    frame = walk.frame
    gives = any(value.placed for _, value in _operands(call, frame))
    for inner in _entered(call, frame):
        if id(inner) in walk.seen or not (gives or (inner.view is None and may_place(inner, walk.depth))):
            continue
        walk.seen.add(id(inner))
        given = walk.asks.given_to(call, inner)
        if not given and not walk.asks.arguments and inner.view is not None:
            # A script that feeds a module from the CPU has it there.
            continue
        follows = bool(given) or (inner.view is not None and inner.view.is_module)
        yield from _walked(_Walk(inner, Followers(inner, follows, given), walk.depth - 1, walk.seen))


def _entered(call: Call, frame: Frame) -> list[Frame]:
    callee = call.callee
    if isinstance(callee, Attribute) and isinstance(callee.base, Super):
        return entered(call, frame)
    value = frame.value(callee)
    if value.kind is Kind.MODULE and value.of is not None:
        forward = value.of.method("forward")
        if forward is None:
            return []
        return [frame.evaluator.bound_frame(forward, value.of, call, frame, receiver=callee)]
    return entered(call, frame)


def may_place(frame: Frame, depth: int = _DEPTH) -> bool:
    """True where a function, or one that it calls, makes or pins a tensor: asked before anything is evaluated."""
    function = frame.function
    known: bool | None = function.derived.get("may place")
    if known is None:
        function.derived["may place"] = False
        known = function.derived["may place"] = _find_place(frame, depth)
    return known


def _find_place(frame: Frame, depth: int) -> bool:
    calls = frame.function.calls
    if any(_places(call) for call in calls):
        return True
    if not depth:
        return False
    for call in calls:
        if isinstance(call.callee, (Argument, Choice)):
            continue
        if any(may_place(inner, depth - 1) for inner in _called(call, frame)):
            return True
    return False


def _called(call: Call, frame: Frame) -> Iterator[Frame]:
    """What a call enters, by names alone."""
    callee = call.callee
    if isinstance(callee, Attribute):
        if frame.view is not None and frame.is_self(callee.base):
            method = frame.view.method(callee.name)
            if method is not None:
                yield frame.evaluator.frame(method, frame.view)
        return
    target = frame.evaluator.project.names.of_term(callee, frame.path)
    if isinstance(target, Function):
        yield frame.evaluator.frame(target, None)


def _places(call: Call) -> bool:
    """True for a factory that is given no device, and for a conversion to something that is not the caller's."""
    name = last_name(call)
    if name in FACTORIES:
        device = call.keyword("device")
        return device is None or _is_own_choice(device)
    return name == "cuda" or (name in ("to", "type") and any(map(_is_own_choice, call.inputs)))


def _is_own_choice(term: Term) -> bool:
    """True for a text and for what stands at the top of a file; a dtype of torch is no place."""
    if isinstance(term, Constant):
        return isinstance(term.value, str)
    if isinstance(term, Choice):
        return any(map(_is_own_choice, term.options))
    return isinstance(term, Global) or (isinstance(term, Imported) and not term.name.startswith("torch."))
