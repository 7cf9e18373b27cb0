"""Meetings: a tensor that lies where the program put it is combined with one that lies where the inputs are.

torch raises there as soon as the inputs are on another device; single numbers on the CPU may meet anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from torchlint.knowledge.factories import FACTORIES, LIKE
from torchlint.knowledge.lookup import is_metadata
from torchlint.model.devices.branches_placed import on_branches, on_the_same_branch
from torchlint.model.devices.follower_forms import (
    before_a_loop,
    is_object,
    is_only_tested,
    layer_called,
    may_be_number,
)
from torchlint.model.devices.followers import Followers
from torchlint.model.devices.guards import is_device_asked, is_for_cuda_alone, is_of_loop, is_of_other_branch, is_spared
from torchlint.model.devices.placements import device_of
from torchlint.model.devices.places_made import may_place
from torchlint.model.devices.stateful import computes_with_state
from torchlint.model.evaluation.tensor_arguments import given_tensors
from torchlint.model.events import Evaluated, Write
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.modules.members import entered
from torchlint.model.terms import (
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Display,
    Operation,
    Starred,
    Subscript,
    Super,
    Term,
    children,
)
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
        uniform_ normal_ log_normal_ random_ exponential_ geometric_ cauchy_ fill_ zero_ one_
        """.split()
    )
    | FACTORIES
    | LIKE
)
# Wrappers that move what their forward() is given.
_SCATTERS = (".DataParallel", ".DistributedDataParallel")
_REGISTERED = frozenset((Kind.PARAMETER, Kind.BUFFER))
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


def meetings(
    frame: Frame, *, arguments: bool, given: frozenset[int] = frozenset(), elsewhere: frozenset[int] = frozenset()
) -> Iterator[Meeting]:
    """The meetings in a function and in what it calls. arguments: its tensor parameters lie where a network does,
    but for those (by position) that are brought from `elsewhere`. given: those for which a caller passes such a
    tensor."""
    asks = Followers(frame, arguments, given, elsewhere=elsewhere)
    yield from _walked(_Walk(frame, asks, _DEPTH, {id(frame)}))


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
        found = [one for one in found if not is_of_other_branch(event, one.placed, frame)]
        if found and not is_device_asked(event) and not _waits_for_a_round(event):
            spared = is_for_cuda_alone(event, frame)
            yield from (one for one in found if not (spared and one.placed.how == "cuda"))


def _waits_for_a_round(event: Evaluated) -> bool:
    """True where a flag says that this is not the first round of a loop: what was made before has been replaced."""
    flags = ((guard.subject, guard.holds) for guard in event.guards() if isinstance(guard.subject, Constant))
    return any(bool(flag.value) is not holds for flag, holds in flags)


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
    called = layer_called(term.callee, walk.frame)
    callee = walk.frame.value(called)
    name = last_name(called) or (callee.made_by or "").rpartition(".")[2] or "a layer"
    operands = _operands(term, walk.frame)
    if (callee.made_by or "").endswith(_SCATTERS):
        return
    if callee.kind is Kind.MODULE:
        if computes_with_state(called, walk.frame) and _is_own(called, walk.frame):
            yield from ((value.placed, name) for term, value in operands if _is_fixed(term, value, walk))
            yield from ((placed, name) for term, _ in operands for placed in on_branches(term, walk.frame))
        elif callee.of is None and (callee.made_by or "").startswith("torch.nn."):
            yield from _beside(operands, name, walk)
    elif (callee.made_by or "").startswith("torch.") and not (callee.made_by or "").startswith("torch.distributed"):
        yield from _beside(operands, name, walk)
    elif callee.kind is Kind.UNKNOWN and _is_own(called, walk.frame) and _runs_network(term, called, walk):
        # A network that the object was given, and that moves with it; what goes in behind its input may be lengths.
        first = walk.frame.value(term.arguments[0]) if term.arguments else None
        if first is not None and _is_input(first, walk.frame) and _is_fixed(term.arguments[0], first, walk):
            yield first.placed, name
    elif isinstance(term.callee, Attribute) and callee.of is None and callee.kind is not Kind.CALLABLE:
        base = walk.frame.value(term.callee.base)
        if is_object(term.callee.base, walk.frame):
            return
        if _is_fixed(term.callee.base, base, walk) or walk.asks_moved.holds(term.callee.base):
            yield from _beside([(term.callee.base, base), *operands], name, walk)


def _runs_network(call: Call, called: Term, walk: _Walk) -> bool:
    """True for what is called like a network or by its forward(), unless the object itself has put it somewhere."""
    if called is call.callee and not walk.asks.runs_network(call):
        return False
    view = walk.frame.view
    name = called.name if isinstance(called, Attribute) and walk.frame.is_self(called.base) else ""
    writes = view.state.writes(name) if view is not None and name else ()
    values = (moment.event.value for moment in writes if isinstance(moment.event, Write))
    return not any(isinstance(one, Call) and last_name(one) in ("cuda", "to") for one in values)


def _is_input(value: TensorValue, frame: Frame) -> bool:
    """True for numbers with a fraction, and for what was given to the function and moved there: a loop over batches
    moves them as a script does."""
    is_moved = bool(value.placed) and not any(one.is_new for one in value.placed)
    return value.is_floating or (is_moved and not any(is_of_loop(one, frame) for one in value.placed))


def _indices(term: Subscript) -> tuple[Term, ...]:
    """The indices of a subscript, but for those that may be plain numbers of a tensor."""
    parts = term.index.parts if isinstance(term.index, Display) else (term.index,)
    return tuple(part for part in parts if not may_be_number(part))


def _met_by_operator(term: Operation, walk: _Walk) -> Iterator[tuple[frozenset[Placing], str]]:
    if term.operator in _AUGMENTED:
        placed = _target(term.parts[0], walk.frame)
        if placed and walk.meets([term.parts[1]], placed):
            yield placed, term.operator
            return
    if is_only_tested(term, walk.frame.function) and not all(walk.frame.value(part).is_tensor for part in term.parts):
        # What else is compared with a coin, torch.rand(1) < rate, is a number.
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
    for at, term in enumerate(terms):
        for placed in on_branches(term, walk.frame):
            others = [one for one in terms[:at] + terms[at + 1 :] if not _asks_device_of(one, term)]
            others = [part for one in others for part in on_the_same_branch(one, placed, walk.frame)]
            if walk.meets(others, placed):
                yield placed, name
    yield from ((placed, name) for placed in _moved_beside_state(operands, walk))


def _asks_device_of(term: Term, other: Term, depth: int = 8) -> bool:
    """True for torch.arange(n, device=x.device) beside x: on each branch the two lie together."""
    if isinstance(term, Attribute) and term.name == "device" and term.base is other:
        return True
    return depth > 0 and any(_asks_device_of(part, other, depth - 1) for part in children(term))


def _moved_beside_state(operands: list[tuple[Term, TensorValue]], walk: _Walk) -> Iterator[frozenset[Placing]]:
    """An input that is moved to CUDA at the same time as a parameter or buffer of the module: F.linear(x.cuda(),
    self.weight.cuda()). The two meet in one place, but in no other."""
    moved = [(_moved(term), value) for term, value in operands if value.placed]
    states = [one for one, _ in moved if one is not None and walk.frame.value(one).kind in _REGISTERED]
    for base, value in moved if states else ():
        if base is not None and base not in states and walk.asks.holds(base):
            yield value.placed


def _moved(term: Term) -> Term | None:
    """What x.cuda() and x.to(..) move."""
    is_move = isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name in ("cuda", "to")
    return term.callee.base if is_move else None  # type: ignore[attr-defined]


def _is_fixed(term: Term, value: TensorValue, walk: _Walk) -> bool:
    """True for a tensor, or a distribution of tensors, that lies where it was put. A single number may meet any."""
    is_wide = value.ndim != 0 and value.kind in (Kind.TENSOR, Kind.UNKNOWN)
    return bool(value.placed) and is_wide and not walk.asks.holds(term)


def _operands(call: Call, frame: Frame) -> list[tuple[Term, TensorValue]]:
    """What goes into a call, and what stands in its tuples and lists; `out=` and devices are none."""
    found: list[tuple[Term, TensorValue]] = []
    for term in given_tensors(call):
        found += _parts(term, frame, 2)
    return found


def _parts(term: Term, frame: Frame, depth: int) -> list[tuple[Term, TensorValue]]:
    if isinstance(term, Display) and depth:
        return [one for part in term.parts for one in _parts(part, frame, depth - 1)]
    value = frame.value(term)
    start = before_a_loop(term) if value.kind is Kind.CONTAINER else None
    if start is not None and depth:
        return _parts(start, frame, depth)
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
        # Methods of modules are looked at by themselves.
        is_helper = inner.view is None or inner.function.owner is None or not inner.view.is_module
        if id(inner) in walk.seen or not (gives or (is_helper and may_place(inner, walk.depth))):
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
