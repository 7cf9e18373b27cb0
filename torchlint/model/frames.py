"""A Frame is a function as it is looked at: as a method of which class, and with which arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from torchlint.model.events import Delete, Evaluated, Event, ItemWrite, Region, RegionKind, Write
from torchlint.model.facts import Function
from torchlint.model.terms import Argument, Attribute, Call, Captured, Global, Imported, Super, Term
from torchlint.model.values import TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.evaluation.evaluate import Evaluator
    from torchlint.model.evaluation.fixpoints import Open

Answer = TypeVar("Answer")
# Methods that a module calls on super() and that give it back.
_RETURN_THE_OBJECT = frozenset("train eval _apply to half float double bfloat16 cuda cpu requires_grad_".split())
Binding = Mapping[int, TensorValue]


@dataclass(slots=True, eq=False)
class Frame:
    """A function, the class it is looked at from (`view`), and what its parameters are bound to (those not bound are
    open).

    outer: the frame of the enclosing function, for a nested one. depth: how many calls deep. answers: what questions
    about the whole frame found, by their names.
    """

    evaluator: Evaluator
    function: Function
    view: ModuleClass | None
    arguments: Binding
    outer: Frame | None = None
    depth: int = 0
    memo: dict[int, TensorValue | Open[TensorValue]] = field(default_factory=dict)
    answers: dict[str, Any] | None = None

    @property
    def path(self) -> str:
        """The file that the function is written in."""
        return self.function.path or (self.outer.path if self.outer else "")

    @property
    def symbol(self) -> str:
        """The dotted name of the function inside its file."""
        return self.function.qualname

    def value(self, term: Term) -> TensorValue:
        """What `term` is in this frame."""
        known = self.memo.get(id(term))
        return known if type(known) is TensorValue else self.evaluator.value(term, self)

    def once(self, question: str, find: Callable[[], Iterable[Answer]]) -> tuple[Answer, ...]:
        """What `find` gives, worked out once in this frame; `question` names it."""
        if self.answers is None:
            self.answers = {}
        if question not in self.answers:
            self.answers[question] = tuple(find())
        found: tuple[Answer, ...] = self.answers[question]
        return found

    @property
    def method(self) -> Function:
        """The outermost function around: the method, for code nested in one."""
        return self.outer.method if self.outer else self.function

    def span(self, place: tuple[int, int, int, int]) -> Span:
        """A place of this function's file, as a span."""
        return Span(self.path, *place)

    def is_self(self, term: Term) -> bool:
        """True where `term` is the object that the method was called on."""
        if isinstance(term, Captured):
            return self.outer is not None and self.outer.is_self(term.value)
        if isinstance(term, Call):
            return self.view is not None and self.view.is_module and gives_object_back(term)
        if not isinstance(term, Argument):
            return False
        bound = self.arguments.get(term.index)
        if bound is not None:
            return bound.made_by == "self"
        return term.index == 0 and self.view is not None and self.outer is None and has_self(self.function)


def gives_object_back(term: Term) -> bool:
    """True for super().train(mode): what nn.Module, and whoever follows it, returns is the object."""
    callee = term.callee if isinstance(term, Call) else None
    return isinstance(callee, Attribute) and isinstance(callee.base, Super) and callee.name in _RETURN_THE_OBJECT


def has_self(function: Function) -> bool:
    """True for a method that is called on an object or (a classmethod) on its class."""
    return function.owner is not None and not is_decorated(function, "staticmethod")


def static_function(held: Term | None) -> Term | None:
    """The function in `name = staticmethod(function)`, which a class gives another name; None for any other value."""
    is_static = isinstance(held, Call) and isinstance(held.callee, Global) and held.callee.name == "staticmethod"
    return held.arguments[0] if isinstance(held, Call) and is_static and len(held.arguments) == 1 else None


def is_decorated(function: Function, name: str) -> bool:
    """True where a decorator's last name is `name`, called or not."""
    return bool(function.decorators) and any(last_name(decorator) == name for decorator in function.decorators)


def is_left_open(function: Function) -> bool:
    """True for a method that does nothing, or only refuses: what it returns is left to subclasses."""
    if function.owner is None or function.returned:
        return False
    return is_decorated(function, "abstractmethod") or all(_is_refusal(event) for event in function.events)


def _is_refusal(event: Event) -> bool:
    term = event.term if isinstance(event, Evaluated) else None
    return isinstance(term, Call) and last_name(term) == "NotImplementedError"


def last_name(term: Term) -> str:
    """The last part of the name that a term is, or calls: "cached_property" of functools.cached_property."""
    if isinstance(term, Call):
        term = term.callee
    if isinstance(term, Attribute):
        return term.name
    return term.name.rpartition(".")[2] if isinstance(term, (Imported, Global)) else ""


def name_written(write: Write, frame: Frame) -> str:
    """The attribute that an assignment, or setattr() with one known name, gives a value; "" where it is not known."""
    if isinstance(write.attribute, str):
        return write.attribute
    names = frame.evaluator.strings(write.attribute, frame)
    return next(iter(names)) if len(names) == 1 else ""


def called_names(function: Function) -> frozenset[str]:
    """The last names of what a function calls; worked out once."""
    known: frozenset[str] | None = function.derived.get("called names")
    if known is None:
        known = function.derived["called names"] = frozenset(map(last_name, function.calls))
    return known


@dataclass(slots=True, eq=False)
class Moment:
    """An event as it happens in a walk through calls; `caller` is the call event that led into its function."""

    event: Event
    frame: Frame
    caller: Moment | None = None

    def guards(self) -> tuple[tuple[Region, Frame], ...]:
        """The conditions that hold, also those around the calls that led here, innermost first."""
        own = tuple((region, self.frame) for region in self.event.guards())
        return own + (self.caller.guards() if self.caller else ())

    def managers(self) -> tuple[tuple[Region, Frame], ...]:
        """The `with` items around, also those around the calls that led here, innermost first."""
        own = tuple((r, self.frame) for r in self.event.regions if r.kind is RegionKind.WITH)
        return own + (self.caller.managers() if self.caller else ())

    def functions(self) -> tuple[Frame, ...]:
        """The frame of this event and those of its callers."""
        return (self.frame, *(self.caller.functions() if self.caller else ()))


@dataclass(slots=True, eq=False)
class SelfUse:
    """What a function does with the object it was called on: found once per function, whatever class looks at it."""

    writes: dict[str, list[Event]]
    reads: dict[str, list[Evaluated]]
    steps: list[Event]
    """Writes, deletions, item writes, and the calls that pass the object on: all that a walk of its state needs, in
    order."""
    inner: list[tuple[Function, SelfUse]]


def self_use(function: Function) -> SelfUse:
    """The SelfUse of a function, worked out once."""
    known: SelfUse | None = function.derived.get("self use")
    if known is None:
        known = function.derived["self use"] = _find_self_use(function)
    return known


def _find_self_use(function: Function) -> SelfUse:
    use = SelfUse({}, {}, [], [(nested, self_use(nested)) for nested in function.nested])
    for event in function.events:
        if isinstance(event, Evaluated):
            _note_evaluated(event, use)
        elif isinstance(event, (Write, Delete)):
            if isinstance(event.attribute, str):
                use.writes.setdefault(event.attribute, []).append(event)
            use.steps.append(event)
        elif isinstance(event, ItemWrite):
            use.steps.append(event)
    return use


def _note_evaluated(event: Evaluated, use: SelfUse) -> None:
    term = event.term
    if isinstance(term, Attribute):
        if isinstance(term.base, (Argument, Captured)):
            use.reads.setdefault(term.name, []).append(event)
    elif isinstance(term, Call) and _may_pass_object(term):
        use.steps.append(event)


def _may_pass_object(call: Call) -> bool:
    callee = call.callee
    if isinstance(callee, Attribute) and (
        isinstance(callee.base, (Argument, Captured, Super))
        or gives_object_back(callee.base)
        or _is_state_method(callee)
    ):
        return True
    return any(isinstance(term, (Argument, Captured)) for term in call.inputs)


def _is_state_method(callee: Attribute) -> bool:
    """self.cache.clear(), self.__dict__.pop(name): the receiver is an attribute of an argument. An in-place method may
    reach deeper: self.layer.weight.data.add_(x)."""
    receiver = callee.base
    if not isinstance(receiver, Attribute):
        return False
    while callee.name.endswith("_") and isinstance(receiver.base, Attribute):
        receiver = receiver.base
    return isinstance(receiver.base, (Argument, Captured))
