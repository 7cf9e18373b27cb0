"""Borrowed memory: what a conversion hands back where nothing had to be converted, and the writes that reach it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from torchlint.knowledge.conversions import CONVERSIONS, SHARING_FUNCTIONS, SHARING_METHODS
from torchlint.knowledge.dtypes import NAMES
from torchlint.knowledge.lookup import is_view
from torchlint.knowledge.strides import PERMUTERS
from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.events import Region, Write
from torchlint.model.facts import Function
from torchlint.model.flow.memory_writes import is_key
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.gradients.lineage import event_of
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Subscript,
    Term,
)
from torchlint.model.values import Kind, TensorValue
from torchlint.model.weights.enumerated import is_in_place, path_of, within

_DEPTH = 24
_HELPER_DEPTH = 2
_VIEW_ATTRIBUTES = frozenset("data T mT H mH real imag".split())
_AUGMENTED = frozenset("+= -= *= /= //= %= **= @= &= |= ^=".split())
_WALKS = frozenset(("items", "values"))
# What makes new tensors for each round.
_MAKERS = re.compile(r"load|data|batch|iter|gen|stream|queue|dl$|model|module|param|net|layer")
_NO_TENSORS = frozenset((Kind.NUMBER, Kind.CONTAINER, Kind.MODULE, Kind.CALLABLE, Kind.NONE))


@dataclass(frozen=True, slots=True)
class Borrowed:
    """Memory of someone else. root: its name. kind: "argument", "parameter", "buffer", "attribute" (a plain one
    of the object) or "constant" (of a file). is_part: an element or a member of an argument. conversion: the call that
    may have copied it, None where nothing of the kind was called."""

    root: str
    kind: str
    is_part: bool = False
    conversion: Call | None = None


class Lenders:
    """Finds whose memory a term is."""

    def __init__(self) -> None:
        self._open: set[tuple[int, int]] = set()
        self._ways: dict[type[Term], Callable[[Any, Frame, int], Borrowed | None]] = {
            Argument: lambda term, frame, depth: _of_argument(term, frame),
            Attribute: self._of_attribute,
            Subscript: self._of_subscript,
            Item: self._of_item,
            Element: self._of_element,
            Operation: self._of_operation,
            Choice: lambda term, frame, depth: self._agreed(term.options, frame, depth),
            Captured: self._of_captured,
            Global: lambda term, frame, depth: _of_file(term, frame),
            Imported: lambda term, frame, depth: _of_file(term, frame),
            Call: self._of_call,
        }

    def of(self, term: Term, frame: Frame, depth: int = _DEPTH) -> Borrowed | None:
        """Whose memory `term` may be; None where it is new, and where that is not known."""
        key = (id(term), id(frame))
        if not depth or key in self._open:
            return None
        self._open.add(key)
        try:
            return self._found(term, frame, depth - 1)
        finally:
            self._open.discard(key)

    def _found(self, term: Term, frame: Frame, depth: int) -> Borrowed | None:
        way = self._ways.get(type(term))
        return way(term, frame, depth) if way is not None else None

    def _of_item(self, term: Item, frame: Frame, depth: int) -> Borrowed | None:
        found = self._of_member(term.base, frame, depth)
        return replace(found, is_part=True) if found is not None else None

    def _of_captured(self, term: Captured, frame: Frame, depth: int) -> Borrowed | None:
        return self.of(term.value, frame.outer, depth) if frame.outer is not None else None

    def _of_member(self, whole: Term, frame: Frame, depth: int) -> Borrowed | None:
        """The same for a part of a whole: of a comprehension what each round gives."""
        return self.of(whole.parts[-1] if isinstance(whole, Comprehension) else whole, frame, depth)

    def _agreed(self, options: tuple[Term, ...], frame: Frame, depth: int) -> Borrowed | None:
        """Where branches meet: borrowed if every branch is."""
        present = [
            option
            for option in options
            if (id(option), id(frame)) not in self._open
            and not (isinstance(option, Constant) and option.value is None)
            and not self._leads_back(option, frame)
        ]
        found = [self.of(option, frame, depth) for option in present]
        lent = [one for one in found if one is not None]
        others = [option for option, one in zip(present, found, strict=True) if one is None]
        if not lent or any(_mentions(other, one.root) for other in others for one in lent):
            return None
        return next((one for one in lent if one.conversion is not None), lent[0] if not others else None)

    def _leads_back(self, term: Term, frame: Frame) -> bool:
        """True for what a loop makes of the value in place: the value itself comes round again."""
        while True:
            if (id(term), id(frame)) in self._open:
                return True
            if isinstance(term, Operation) and term.operator in _AUGMENTED:
                term = term.parts[0]
            elif isinstance(term, Call) and isinstance(term.callee, Attribute) and is_in_place(term.callee.name):
                term = term.callee.base
            else:
                return False

    def _of_attribute(self, term: Attribute, frame: Frame, depth: int) -> Borrowed | None:
        if term.name in _VIEW_ATTRIBUTES:
            return self.of(term.base, frame, depth)
        if term.known is not None:
            return self.of(term.known, frame, depth)
        kind = frame.value(term).kind
        if kind in (Kind.PARAMETER, Kind.BUFFER):
            return Borrowed(path_of(term) or term.name, "parameter" if kind is Kind.PARAMETER else "buffer")
        if kind not in (Kind.UNKNOWN, Kind.TENSOR):
            return None
        if frame.is_self(term.base):
            return Borrowed(path_of(term), "attribute") if _is_kept(term.name, frame) else None
        found = self.of(term.base, frame, depth) if isinstance(term.base, Argument) else None
        return replace(found, root=path_of(term), is_part=True) if found is not None else None

    def _of_subscript(self, term: Subscript, frame: Frame, depth: int) -> Borrowed | None:
        """A part that basic indices cut out; a mask or a list of indices copies."""
        parts = term.index.parts if isinstance(term.index, Display) else (term.index,)
        if not all(_is_basic(part, frame) for part in parts):
            return None
        found = self._of_member(term.base, frame, depth)
        return replace(found, is_part=found.is_part or is_key(term.index)) if found is not None else None

    def _of_element(self, term: Element, frame: Frame, depth: int) -> Borrowed | None:
        value = frame.value(term)
        if value.kind in (Kind.PARAMETER, Kind.BUFFER):
            kind = "parameter" if value.kind is Kind.PARAMETER else "buffer"
            return Borrowed(f"each {kind}", kind, is_part=True)
        iterable = _walked(term.iterable)
        is_given = isinstance(iterable, Argument) and (value.is_tensor or value.kind is Kind.UNKNOWN)
        if not is_given or not isinstance(iterable, Argument) or _MAKERS.search(iterable.name.lower()):
            return None
        return Borrowed(iterable.name, "argument", is_part=True)

    def _of_operation(self, term: Operation, frame: Frame, depth: int) -> Borrowed | None:
        if term.operator in _AUGMENTED:
            return self.of(term.parts[0], frame, depth)
        return self._agreed(term.parts, frame, depth) if term.operator == "or" else None

    def _of_call(self, call: Call, frame: Frame, depth: int) -> Borrowed | None:
        callee = call.callee
        if isinstance(callee, Imported):
            found = self._by_function(call, callee.name, frame, depth)
            if found is not None or callee.name.startswith(("torch.", "numpy.")):
                return found
        elif isinstance(callee, Attribute) and not frame.is_self(callee.base):
            if callee.name in CONVERSIONS:
                return self._converted(call, callee.base, frame, depth)
            if callee.name in SHARING_METHODS and _is_reordered(callee.base):
                return None
            if is_view(callee.name) or callee.name in SHARING_METHODS or is_in_place(callee.name):
                return self.of(callee.base, frame, depth)
        return self._by_helper(call, frame, depth)

    def _by_function(self, call: Call, name: str, frame: Frame, depth: int) -> Borrowed | None:
        last = name.rpartition(".")[2]
        if not call.arguments or not name.startswith(("torch.", "numpy.")):
            return None
        if name in SHARING_FUNCTIONS:
            return self._converted(call, call.arguments[0], frame, depth, of_array=True)
        if name in ("numpy.asarray", "torch.autograd.Variable"):
            return self.of(call.arguments[0], frame, depth)
        is_same = name.startswith("torch.") and (is_view(last) or is_in_place(last))
        return self.of(call.arguments[0], frame, depth) if is_same else None

    def _converted(
        self, call: Call, base: Term, frame: Frame, depth: int, *, of_array: bool = False
    ) -> Borrowed | None:
        """The result of a conversion: the same memory, unless it is known to copy."""
        if (
            (last_name(call) == "contiguous" and _is_reordered(base))
            or _copies(call, base, frame)
            or (frame.value(base).kind is Kind.ARRAY and not of_array)
        ):
            return None
        found = self.of(base, frame, depth)
        return replace(found, conversion=call) if found is not None else None

    def _by_helper(self, call: Call, frame: Frame, depth: int) -> Borrowed | None:
        """What a function of the project hands back of what it was given."""
        if frame.depth > _HELPER_DEPTH:
            return None
        target = frame.value(call.callee).of
        if isinstance(target, BoundClosure) or not isinstance(target, Function) or not target.returned:
            return None
        inner = frame.evaluator.frame(target, frame.view if target.owner is not None else None)
        found = [self.of(event.value, inner, depth - 4 if depth > 4 else 0) for event in target.returned]
        first = found[0]
        if first is None or any(one is None or one.kind != "argument" or one.root != first.root for one in found):
            return None
        given = _given(call, target, first.root)
        lent = self.of(given, frame, depth) if given is not None else None
        converted = next((one.conversion for one in found if one is not None and one.conversion is not None), None)
        return replace(lent, conversion=lent.conversion or (call if converted is not None else None)) if lent else None


def _of_argument(term: Argument, frame: Frame) -> Borrowed | None:
    parameter = frame.function.parameters[term.index] if term.index < len(frame.function.parameters) else None
    if parameter is None or parameter.kind in ("*", "**") or frame.is_self(term):
        return None
    return None if frame.value(term).kind in _NO_TENSORS else Borrowed(term.name, "argument")


def _is_kept(name: str, frame: Frame) -> bool:
    """True for an attribute that construction fills: what a method puts there may be for the next one only."""
    moments = frame.view.state.writes(name) if frame.view is not None else ()
    return any(
        isinstance(moment.event, Write)
        and not isinstance(moment.event.value, Constant)
        and any(one.function.name == "__init__" for one in moment.functions())
        for moment in moments
    )


def _of_file(term: Global | Imported, frame: Frame) -> Borrowed | None:
    """A tensor of the top level of a file."""
    is_tensor = frame.value(term).kind is Kind.TENSOR
    return Borrowed(term.name.rpartition(".")[2], "constant") if is_tensor else None


def _walked(iterable: Term) -> Term:
    """What a loop walks over: batch of batch.items()."""
    if isinstance(iterable, Call) and isinstance(iterable.callee, Attribute) and last_name(iterable) in _WALKS:
        return iterable.callee.base
    return iterable


def _mentions(term: Term, root: str) -> bool:
    """True for what is made of the same tensor: x.clone() beside x.float()."""
    return any(path_of(part) == root for part in within(term))


def _is_basic(part: Term, frame: Frame) -> bool:
    if isinstance(part, Constant):
        return not isinstance(part.value, bool)
    return (isinstance(part, Operation) and part.operator == "slice") or frame.value(part).kind is Kind.NUMBER


def _is_reordered(term: Term) -> bool:
    """True for x.permute(..), and for views of it: no longer contiguous, so that contiguous() and reshape() copy."""
    while isinstance(term, (Call, Attribute, Subscript)):
        if isinstance(term, Call):
            term = term.callee
        elif isinstance(term, Attribute):
            if term.name in PERMUTERS:
                return True
            term = term.base
        else:
            term = term.base
    return False


def _copies(call: Call, base: Term, frame: Frame) -> bool:
    """True where a conversion makes new memory in any case: copy=True, or another dtype than the tensor has."""
    copy = call.keyword("copy") or (call.arguments[3] if len(call.arguments) > 3 else None)
    if copy is not None and not (isinstance(copy, Constant) and not copy.value):
        return True
    before, after = frame.value(base), frame.value(call)
    if before.kind in (Kind.MODULE, Kind.CONTAINER, Kind.NUMBER, Kind.OTHER):
        return True
    return _differ(before, after)


def _differ(before: TensorValue, after: TensorValue) -> bool:
    if before.dtype in NAMES and after.dtype in NAMES:
        return before.dtype != after.dtype
    return (before.is_integral and after.is_floating) or (before.is_floating and after.is_integral)


def _given(call: Call, target: Function, name: str) -> Term | None:
    """The term that a call passes for a parameter of a function."""
    offset = int(target.owner is not None and has_self(target) and isinstance(call.callee, Attribute))
    names = [parameter.name for parameter in target.parameters]
    return call.argument(names.index(name) - offset, name) if name in names else None


def test_of_need(call: Call, frame: Frame) -> Region | None:
    """The test `if x.dtype != dtype:` around a conversion, of the dtype that it is given: there it always copies."""
    base = call.callee.base if isinstance(call.callee, Attribute) else call.arguments[0] if call.arguments else None
    own = {f"{path_of(base)}.dtype", f"{path_of(base)}.device"}
    wanted = {path_of(term) for term in call.inputs} - {""}
    event = event_of(call, frame.function)
    guards = event.guards() if event is not None else ()
    return next((one for one in guards if _tells_apart(one, own, wanted)), None)


def _tells_apart(region: Region, own: set[str], wanted: set[str]) -> bool:
    test = region.subject
    if not isinstance(test, Operation) or test.operator not in (("!=", "is not") if region.holds else ("==", "is")):
        return False
    sides = {path_of(part) for part in test.parts}
    return not own.isdisjoint(sides) and not wanted.isdisjoint(sides)


def conversion_name(call: Call) -> str:
    """How a conversion is called in a sentence: to(), from_numpy()."""
    return f"{last_name(call)}()"
