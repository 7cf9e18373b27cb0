"""Evaluation of terms to TensorValues: through locals, attributes, calls, methods and files. What is not known stays
unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from torchlint.model.devices.placements import released
from torchlint.model.evaluation import keyed, module_calls, operators, tensor_methods
from torchlint.model.evaluation.binding import Frames
from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.evaluation.calls import Calls, seen_from
from torchlint.model.evaluation.dict_items import under_key
from torchlint.model.evaluation.fixpoints import Fixpoints, Open
from torchlint.model.evaluation.named_values import is_sequence
from torchlint.model.evaluation.placeholders import filled, placeholder
from torchlint.model.evaluation.tensor_arguments import is_surely_tensor
from torchlint.model.evaluation.unbound import after_a_round, by_default, is_absent, may_drop_an_argument
from torchlint.model.facts import Function
from torchlint.model.flow.properties import property_above
from torchlint.model.flow.uses import Use
from torchlint.model.frames import Frame, is_decorated, is_left_open
from torchlint.model.names.annotations import annotated
from torchlint.model.names.names import External, Value
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Closure,
    Comprehension,
    Constant,
    Defined,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Starred,
    Subscript,
    Super,
    Term,
)
from torchlint.model.values import (
    ABSENT,
    NONE,
    UNKNOWN,
    Kind,
    Source,
    TensorValue,
    bounded,
    join_all,
    sources_in,
    strings_of,
    without_graph,
)

if TYPE_CHECKING:
    from torchlint.model.events import Event
    from torchlint.model.frames import Moment
    from torchlint.model.project import Project

_MAX_TERM_DEPTH = 90


class Evaluator:
    """Evaluates the terms of one project, each once per frame."""

    def __init__(self, project: Project) -> None:
        self.project = project
        frames = Frames(self)
        self.frame, self.nested_frame, self.bound_frame = frames.open, frames.nested, frames.bound
        self.entered, self.bind, self._forget_frames = frames.entered, frames.bind, frames.forget
        self._read_from: dict[int, tuple[Imported, Attribute | None]] = {}
        # What classes remember of frames, with each frame, so that its identity is its own: kept by model.classes.
        self.walks: dict[tuple[int, int], tuple[Frame, tuple[Moment, ...]]] = {}
        self.steps: dict[tuple[int, int], tuple[Frame, Sequence[tuple[Event, tuple[Frame, ...]]]]] = {}
        self.fixpoints = Fixpoints(bounded)
        self._methods: dict[type[Term], Callable[[Any, Frame], TensorValue]] = {
            Constant: self._constant,
            Argument: self._argument,
            Captured: self._captured,
            Defined: self._named,
            Global: self._named,
            Imported: self._imported,
            Attribute: self._attribute,
            Call: Calls(self).result,
            Subscript: self._subscript,
            Operation: self._operation,
            Display: self._display,
            Choice: self._choice,
            Element: self._element,
            Item: self._item,
            Comprehension: self._comprehension,
            Closure: self._closure,
            Starred: self._starred,
            Super: lambda term, frame: self.self_value(frame),
        }

    def forget(self) -> None:
        """Drop all frames, with the values that they remember."""
        self._forget_frames()
        self._read_from.clear()
        self.walks.clear()
        self.steps.clear()

    @property
    def is_evaluating(self) -> bool:
        """True inside the evaluation of a term: what is asked now may rest on values that are not complete."""
        return self.fixpoints.depth > 0

    # Values

    def value(self, term: Term, frame: Frame) -> TensorValue:
        """What `term` is in `frame`."""
        known = frame.memo.get(id(term))
        if known is not None:
            return self.fixpoints.needed(known) if isinstance(known, Open) else known
        method = self._methods.get(type(term))
        if method is None or self.fixpoints.depth > _MAX_TERM_DEPTH:
            return UNKNOWN
        if type(term) is Constant:
            # It needs nothing else, so there is nothing to settle.
            known = frame.memo[id(term)] = operators.of_constant(term.value)
            return known
        return self.fixpoints.settle(frame.memo, id(term), ABSENT, method, term, frame)

    def strings(self, term: Term, frame: Frame) -> frozenset[str]:
        """The strings that `term` can be; empty where that is not known."""
        return strings_of(self.value(term, frame))

    def returned(self, frame: Frame) -> TensorValue:
        """What a call of the frame's function returns."""
        returns = frame.function.returned
        if any(event.is_yield for event in returns):
            # A generator is a container; a context manager's value is what it yields.
            element = join_all(self.value(event.value, frame) for event in returns if event.is_yield)
            return TensorValue(Kind.CONTAINER, element=element)
        nothing = UNKNOWN if is_left_open(frame.function) else NONE
        found = join_all(self.value(event.value, frame) for event in returns) if returns else nothing
        if is_decorated(frame.function, "no_grad") or is_decorated(frame.function, "inference_mode"):
            found = without_graph(found)
        if found.kind is Kind.UNKNOWN and frame.function.returns is not None:
            promised = annotated(frame.function.returns, self.project, frame.path)
            return (
                promised.but(sources=found.sources, origin=found.origin) if promised.kind is not Kind.UNKNOWN else found
            )
        return found

    def self_value(self, frame: Frame) -> TensorValue:
        view = frame.view
        if view is None:
            return UNKNOWN
        if is_decorated(frame.function, "classmethod"):
            return TensorValue(Kind.CALLABLE, made_by="class", of=view)
        return TensorValue(Kind.MODULE if view.is_module else Kind.OBJECT, made_by="self", of=view)

    def _constant(self, term: Constant, frame: Frame) -> TensorValue:
        return operators.of_constant(term.value)

    def _argument(self, term: Argument, frame: Frame) -> TensorValue:
        bound = frame.arguments.get(term.index)
        if bound is not None:
            return self._as_promised(bound, term, frame)
        if frame.is_self(term):
            return self.self_value(frame)
        source = frozenset({Source(id(frame.function), "argument", term.name)})
        if term.index >= len(frame.function.parameters):
            return UNKNOWN
        parameter = frame.function.parameters[term.index]
        if parameter.kind in ("*", "**"):
            return TensorValue(Kind.CONTAINER, sources=source)
        if parameter.annotation is not None:
            found = annotated(parameter.annotation, self.project, frame.path)
        else:
            found = by_default(parameter)
            if found.kind is Kind.UNKNOWN and is_surely_tensor(term.index, frame.function):
                found = TensorValue(Kind.TENSOR)
        return found.but(sources=source, origin=frame.span(term.place), is_given=found.is_tensor)

    def _as_promised(self, bound: TensorValue, term: Argument, frame: Frame) -> TensorValue:
        """An argument of which nothing is known is what the annotation of its parameter promises."""
        parameter = frame.function.parameters[term.index]
        if bound.kind is not Kind.UNKNOWN or parameter.annotation is None:
            return bound
        promised = annotated(parameter.annotation, self.project, frame.path)
        if bound.dtype is None:
            return promised.but(sources=bound.sources, origin=bound.origin)
        return bound.but(kind=promised.kind) if promised.is_tensor and promised.dtype is None else bound

    def _captured(self, term: Captured, frame: Frame) -> TensorValue:
        return self.value(term.value, frame.outer) if frame.outer is not None else UNKNOWN

    def _named(self, term: Global | Imported, frame: Frame) -> TensorValue:
        found = self.project.names.of_term(term, frame.path)
        if isinstance(found, Function):
            return TensorValue(Kind.CALLABLE, of=found)
        if isinstance(found, Value):
            return released(self.value(found.term, self.frame(found.top, None)))
        if isinstance(found, External):
            return operators.of_external(found.name)
        return TensorValue(Kind.CALLABLE, made_by="class", of=found) if found is not None else UNKNOWN

    def _imported(self, term: Imported, frame: Frame) -> TensorValue:
        attribute = self.as_attribute(term, frame)
        return self._attribute(attribute, frame) if attribute is not None else self._named(term, frame)

    def as_attribute(self, term: Term, frame: Frame) -> Attribute | None:
        """An imported dotted name of which the last part is read from a value or a class: TABLES.items, Names.scale."""
        if not isinstance(term, Imported):
            return None
        if id(term) not in self._read_from:
            self._read_from[id(term)] = (term, self._find_attribute(term, frame))
        return self._read_from[id(term)][1]

    def _find_attribute(self, term: Imported, frame: Frame) -> Attribute | None:
        head, _, last = term.name.rpartition(".")
        if (
            not head.strip(".")
            or head.startswith("torch")
            or not isinstance(self.project.names.of_term(term, frame.path), External)
        ):
            return None
        owner = Imported(term.place, head)
        is_external = isinstance(self.project.names.of_term(owner, frame.path), External)
        if is_external and self.as_attribute(owner, frame) is None:
            return None
        return Attribute(term.place, owner, last)

    def _attribute(self, term: Attribute, frame: Frame) -> TensorValue:
        if term.known is not None:
            return self._just_written(term, term.known, frame)
        base = self.value(term.base, frame)
        given = module_calls.registry(base, term.name) or property_above(term, frame)
        given = given or keyed.of_field(base, term.name, frame)
        if given is not None:
            return given
        if base.kind in (Kind.MODULE, Kind.OBJECT) and base.of is not None:
            held: TensorValue = base.of.state.value(term.name)
            method = base.of.method(term.name)
            # What a property computes is made where it is read; all else may have been moved with its object.
            is_computed = method is not None and is_decorated(method, "property")
            return seen_from(base, held if is_computed else released(held))
        if base.made_by == "class" and base.of is not None:
            method = base.of.method(term.name)
            if method is not None:
                return TensorValue(Kind.CALLABLE, of=method)
            default: TensorValue = released(base.of.state.class_value(term.name))
            return default
        if base.kind is Kind.MODULE:
            return module_calls.layer_attribute(base, term.name)
        return tensor_methods.tensor_attribute(base, term.name)

    def _just_written(self, term: Attribute, known: Term, frame: Frame) -> TensorValue:
        """What the same function wrote before; state of the object is from then on where values come from."""
        written = self.value(known, frame)
        is_state = written.kind in (Kind.PARAMETER, Kind.BUFFER, Kind.MODULE)
        if not is_state or frame.view is None or not frame.is_self(term.base):
            return written
        return written.but(sources=frozenset({Source(id(frame.view), "state", term.name)}))

    def sources_of(self, call: Call, frame: Frame) -> frozenset[Source]:
        """Every source of what is passed to a call, and of what it is called on."""
        base = (call.callee.base,) if isinstance(call.callee, Attribute) else ()
        return sources_in([self.value(term, frame) for term in (*call.inputs, *base)])

    # Parts of values

    def _subscript(self, term: Subscript, frame: Frame) -> TensorValue:
        held = under_key(term, frame) if isinstance(term.base, Display) else None
        base = self.value(term.base, frame) if held is None else UNKNOWN
        held = held if held is not None else keyed.of_subscript(term, base, frame)
        held = held if held is not None else placeholder(term, frame)
        if held is not None:
            return held
        return operators.subscripted(base, self.value(term.index, frame), term.index)

    def _operation(self, term: Operation, frame: Frame) -> TensorValue:
        parts = [self.value(part, frame) for part in term.parts]
        return filled(term, operators.applied(term.operator, parts, frame.span(term.place)), frame)

    def _display(self, term: Display, frame: Frame) -> TensorValue:
        if term.kind == "dict":
            return self._dict_display(term, frame)
        values = tuple(self.value(part, frame) for part in term.parts)
        exact = not any(isinstance(part, Starred) for part in term.parts)
        return operators.container(term.kind, values if exact else None, join_all(values) if values else None)

    def _dict_display(self, term: Display, frame: Frame) -> TensorValue:
        keys: list[TensorValue] = []
        values: list[TensorValue] = []
        for key, part in zip(term.keys, term.parts, strict=True):
            value = self.value(part, frame)
            keys.append(operators.element_of(value) if key is None else self.value(key, frame))
            values.append(operators.held(value) if key is None else value)
        return keyed.of_display(term, operators.dictionary(keys, values), frame)

    def _choice(self, term: Choice, frame: Frame) -> TensorValue:
        # Where a parameter that defaults to None is replaced, the replacement is what the default gives.
        options = [option for option in after_a_round(term) if not is_absent(option, frame)]
        joined = join_all(self.value(option, frame) for option in options or term.options)
        if joined.placed and may_drop_an_argument(term):
            return joined.but(placed=frozenset(), device=None)
        return joined

    def _element(self, term: Element, frame: Frame) -> TensorValue:
        return operators.element_of(self.value(term.iterable, frame))

    def _item(self, term: Item, frame: Frame) -> TensorValue:
        base = self.value(term.base, frame)
        is_known = base.items is not None and term.index < len(base.items) and is_sequence(base)
        if base.items is not None and is_known and term.length in (None, len(base.items)):
            found = base.items[term.index]
            # What a layer of a list of layers is does not say whose it is.
            return found.but(sources=found.sources | base.sources) if base.kind is Kind.MODULE else found
        return operators.element_of(base)

    def _comprehension(self, term: Comprehension, frame: Frame) -> TensorValue:
        element = self.value(term.parts[-1], frame)
        keys = self.value(term.parts[0], frame) if term.kind == "dict" else None
        return filled(term, operators.container(term.kind, None, element, keys), frame)

    def _closure(self, term: Closure, frame: Frame) -> TensorValue:
        if term.index >= len(frame.function.nested):
            return TensorValue(Kind.CALLABLE)
        function = frame.function.nested[term.index]
        held = [(captured, self.value(captured, frame)) for captured in term.captured]
        captures = tuple(
            value for captured, value in held if value.kind is Kind.TENSOR and self._computes_with(captured, function)
        )
        return TensorValue(Kind.CALLABLE, of=BoundClosure(function, frame), captures=captures)

    def _computes_with(self, captured: Term, function: Function) -> bool:
        """False where a closure only looks at a captured tensor, or moves it at each use."""
        uses = self.project.uses.of_captured(captured, function)
        return not uses or bool(uses & {Use.COMPUTES, Use.INDEXES})

    def _starred(self, term: Starred, frame: Frame) -> TensorValue:
        return operators.element_of(self.value(term.value, frame))
