"""Evaluation of terms to TensorValues: through locals, attributes, calls, methods and files. What is not known stays
unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from torchlint.knowledge import dtypes
from torchlint.knowledge.lookup import is_stateless_layer
from torchlint.model import keyed, module_calls, operators, torch_calls
from torchlint.model.annotations import annotated
from torchlint.model.bound import BoundClosure, BoundPartial
from torchlint.model.chosen import OneOf, options
from torchlint.model.dict_items import under_key
from torchlint.model.facts import Function
from torchlint.model.fixpoints import Fixpoints, Open
from torchlint.model.frames import Frame, has_self, is_decorated
from torchlint.model.named_values import is_sequence
from torchlint.model.names import External, Value
from torchlint.model.placements import of_either, released
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
from torchlint.model.unbound import by_default, is_absent, may_drop_an_argument
from torchlint.model.uses import Use
from torchlint.model.values import (
    ABSENT,
    NONE,
    UNKNOWN,
    Kind,
    Source,
    TensorValue,
    bounded,
    join_all,
    strings_of,
    with_sources,
    without_graph,
)

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.events import Event
    from torchlint.model.frames import Moment
    from torchlint.model.project import Project

_MAX_CALL_DEPTH = 5
_MAX_TERM_DEPTH = 90

# Methods of nn.Module that return the module itself.
_RETURNS_SELF = frozenset(
    "to half float double bfloat16 cuda cpu xpu type eval train requires_grad_ apply to_empty share_memory".split()
)


class Evaluator:
    """Evaluates the terms of one project, each once per frame."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._frames: dict[tuple[int, int], Frame] = {}
        self._bound: dict[tuple[Any, ...], Frame] = {}
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
            Call: self._call,
            Subscript: self._subscript,
            Operation: self._operation,
            Display: self._display,
            Choice: self._choice,
            Element: self._element,
            Item: self._item,
            Comprehension: self._comprehension,
            Closure: self._closure,
            Starred: self._starred,
            Super: lambda term, frame: self._self_value(frame),
        }

    def forget(self) -> None:
        """Drop all frames, with the values that they remember."""
        self._frames.clear()
        self._bound.clear()
        self._read_from.clear()
        self.walks.clear()
        self.steps.clear()

    @property
    def is_evaluating(self) -> bool:
        """True inside the evaluation of a term: what is asked now may rest on values that are not complete."""
        return self.fixpoints.depth > 0

    # Frames

    def frame(self, function: Function, view: ModuleClass | None) -> Frame:
        """`function` with open parameters, as a method of `view` or (None) on its own."""
        key = (id(function), id(view))
        known = self._frames.get(key)
        if known is None:
            known = self._frames[key] = Frame(self, function, view, {})
        return known

    def nested_frame(self, function: Function, outer: Frame, arguments: dict[int, TensorValue] | None = None) -> Frame:
        """A nested function, inside the frame of the one around it."""
        key = (id(function), id(outer), tuple(sorted(arguments.items())) if arguments else ())
        if key not in self._bound:
            self._bound[key] = Frame(self, function, outer.view, arguments or {}, outer, outer.depth + bool(arguments))
        return self._bound[key]

    def bound_frame(
        self, function: Function, view: ModuleClass | None, call: Call, caller: Frame, *, receiver: Term | None
    ) -> Frame:
        """`function` as `call` enters it. receiver: the object whose method it is, None for a plain call."""
        arguments: dict[int, TensorValue] = {}
        offset = 0
        if receiver is not None and has_self(function):
            offset = 1
            if not isinstance(receiver, Super) and not caller.is_self(receiver):
                arguments[0] = self.value(receiver, caller)
            elif caller.outer is not None or caller.function.owner is None:
                arguments[0] = self._self_value(caller)
        self._bind(function, call, caller, offset, arguments, self._defining_frame(function))
        key = (id(function), id(view), tuple(sorted(arguments.items())))
        if key not in self._bound:
            self._bound[key] = Frame(self, function, view, arguments, None, caller.depth + 1)
        return self._bound[key]

    def _defining_frame(self, function: Function) -> Frame:
        """Where the defaults of a function of a file's top level, or of a class there, are evaluated."""
        return self.frame(self.project.top_of(function), None)

    def _bind(
        self,
        function: Function,
        call: Call,
        caller: Frame,
        offset: int,
        arguments: dict[int, TensorValue],
        defining: Frame,
    ) -> None:
        """Bind the parameters that the call gives, and those it leaves to their defaults, evaluated in `defining`."""
        for position, term in enumerate(call.arguments):
            index = position + offset
            if isinstance(term, Starred) or index >= len(function.parameters) or function.parameters[index].kind:
                break
            arguments[index] = self.value(term, caller)
        if call.keywords:
            self._bind_keywords(function, call, caller, arguments)
        if any(isinstance(term, Starred) for term in call.arguments) or any(name is None for name, _ in call.keywords):
            return
        for index, parameter in enumerate(function.parameters[offset:], offset):
            if index not in arguments and parameter.default is not None:
                arguments[index] = self.value(parameter.default, defining)

    def _bind_keywords(self, function: Function, call: Call, caller: Frame, arguments: dict[int, TensorValue]) -> None:
        names = {parameter.name: index for index, parameter in enumerate(function.parameters)}
        for name, term in call.keywords:
            if name in names:
                arguments[names[name]] = self.value(term, caller)
        others = {name: self.value(term, caller) for name, term in call.keywords if name and name not in names}
        if others and function.parameters and function.parameters[-1].kind == "**":
            keys = [operators.of_constant(name) for name in others]
            arguments[len(function.parameters) - 1] = operators.dictionary(keys, list(others.values()))

    # Values

    def value(self, term: Term, frame: Frame) -> TensorValue:
        """What `term` is in `frame`."""
        known = frame.memo.get(id(term))
        if known is not None:
            return self.fixpoints.needed(known) if isinstance(known, Open) else known
        method = self._methods.get(type(term))
        if method is None or self.fixpoints.depth > _MAX_TERM_DEPTH:
            return UNKNOWN
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
        found = join_all(self.value(event.value, frame) for event in returns) if returns else NONE
        if is_decorated(frame.function, "no_grad") or is_decorated(frame.function, "inference_mode"):
            found = without_graph(found)
        if found.kind is Kind.UNKNOWN and frame.function.returns is not None:
            promised = annotated(frame.function.returns, self.project, frame.path)
            return (
                promised.but(sources=found.sources, origin=found.origin) if promised.kind is not Kind.UNKNOWN else found
            )
        return found

    def _self_value(self, frame: Frame) -> TensorValue:
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
            return self._self_value(frame)
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
            return _external(found.name)
        return TensorValue(Kind.CALLABLE, made_by="class", of=found) if found is not None else UNKNOWN

    def _imported(self, term: Imported, frame: Frame) -> TensorValue:
        attribute = self._as_attribute(term, frame)
        return self._attribute(attribute, frame) if attribute is not None else self._named(term, frame)

    def _as_attribute(self, term: Term, frame: Frame) -> Attribute | None:
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
        if is_external and self._as_attribute(owner, frame) is None:
            return None
        return Attribute(term.place, owner, last)

    def _attribute(self, term: Attribute, frame: Frame) -> TensorValue:
        if term.known is not None:
            return self._just_written(term, term.known, frame)
        base = self.value(term.base, frame)
        registry = module_calls.registry(base, term.name)
        if registry is not None:
            return registry
        given = keyed.of_field(base, term.name, frame)
        if given is not None:
            return given
        if base.kind in (Kind.MODULE, Kind.OBJECT) and base.of is not None:
            held: TensorValue = base.of.state.value(term.name)
            method = base.of.method(term.name)
            # What a property computes is made where it is read; all else may have been moved with its object.
            is_computed = method is not None and is_decorated(method, "property")
            return self._seen_from(base, held if is_computed else released(held))
        if base.made_by == "class" and base.of is not None:
            method = base.of.method(term.name)
            if method is not None:
                return TensorValue(Kind.CALLABLE, of=method)
            default: TensorValue = released(base.of.state.class_value(term.name))
            return default
        if base.kind is Kind.MODULE:
            return module_calls.layer_attribute(base, term.name)
        return torch_calls.tensor_attribute(base, term.name)

    def _just_written(self, term: Attribute, known: Term, frame: Frame) -> TensorValue:
        """What the same function wrote before; state of the object is from then on where values come from."""
        written = self.value(known, frame)
        is_state = written.kind in (Kind.PARAMETER, Kind.BUFFER, Kind.MODULE)
        if not is_state or frame.view is None or not frame.is_self(term.base):
            return written
        return written.but(sources=frozenset({Source(id(frame.view), "state", term.name)}))

    def _seen_from(self, receiver: TensorValue, value: TensorValue) -> TensorValue:
        """A value of another object's state is, for the one who holds that object, computed from the object."""
        if receiver.made_by == "self" or not value.sources:
            return value
        owner = id(receiver.of)
        if not any(source.owner == owner for source in value.sources):
            return value
        kept = frozenset(source for source in value.sources if source.owner != owner)
        return value.but(sources=kept | receiver.sources)

    # Calls

    def _call(self, term: Call, frame: Frame) -> TensorValue:
        callee = self._as_attribute(term.callee, frame) or term.callee
        if isinstance(callee, Attribute) and isinstance(callee.base, Super):
            return self._super_call(term, callee, callee.base, frame)
        if isinstance(callee, Attribute):
            found = self._method_call(term, callee, frame)
            if found is not None:
                return found
        value = self.value(callee, frame)
        is_open = value.kind in (Kind.CALLABLE, Kind.UNKNOWN) and value.of is None and value.made_by is None
        chosen = options(callee, frame) if is_open else ()
        if chosen:
            found = of_either(self._called(self.value(one, where), term, frame) for one, where in chosen)
            # A caller that gives another function decides where its result lies.
            is_default = isinstance(callee, (Argument, Captured))
            return found.but(placed=frozenset(), device=None) if is_default else found
        if value.kind is Kind.CALLABLE:
            return self._called(value, term, frame)
        if value.kind is Kind.MODULE:
            return self._layer_call(value, term, frame)
        return UNKNOWN.but(sources=self.sources_of(term, frame))

    def sources_of(self, call: Call, frame: Frame) -> frozenset[Source]:
        """Every source of what is passed to a call, and of what it is called on."""
        found = frozenset[Source]()
        for term in call.inputs:
            found |= self.value(term, frame).sources
        if isinstance(call.callee, Attribute):
            found |= self.value(call.callee.base, frame).sources
        return found

    def _super_call(self, call: Call, callee: Attribute, base: Super, frame: Frame) -> TensorValue:
        if frame.view is None or frame.depth > _MAX_CALL_DEPTH:
            return UNKNOWN
        target = frame.view.method_after(frame.method, callee.name, base)
        if target is not None:
            return self.returned(self.bound_frame(target, frame.view, call, frame, receiver=callee.base))
        if callee.name in _RETURNS_SELF:
            return self._self_value(frame)
        if callee.name in ("forward", "__call__"):
            made = module_calls.layer_result(frame.view.foreign_bases)
            return made.but(sources=self.sources_of(call, frame), origin=frame.span(call.place))
        return UNKNOWN

    def _method_call(self, call: Call, callee: Attribute, frame: Frame) -> TensorValue | None:
        """A call of a method on a value; None where the callee is better evaluated as a value of its own."""
        base = self.value(callee.base, frame)
        if base.kind in (Kind.MODULE, Kind.OBJECT) and base.of is not None:
            method = base.of.method(callee.name)
            if method is not None and not is_decorated(method, "property"):
                if frame.depth > _MAX_CALL_DEPTH:
                    return UNKNOWN
                inner = self.bound_frame(method, base.of, call, frame, receiver=callee.base)
                return self._seen_from(base, self.returned(inner))
        if base.kind is Kind.MODULE and (base.of is None or base.of.state.value(callee.name).kind is Kind.UNKNOWN):
            if callee.name in _RETURNS_SELF:
                return base
            state = module_calls.module_method(callee.name, base)
            return state.but(origin=frame.span(call.place)) if state.kind is not Kind.UNKNOWN else None
        if base.kind in (Kind.MODULE, Kind.OBJECT, Kind.CALLABLE):
            return None
        return torch_calls.method_result(self, base, callee.name, call, frame)

    def _called(self, callee: TensorValue, call: Call, frame: Frame) -> TensorValue:
        """The result of calling a function, a class, or something of torch."""
        target = callee.of
        if callee.made_by == "class":
            if target is None:
                return UNKNOWN
            if target.dotted in torch_calls.STATE_CLASSES:
                return torch_calls.function_result(self, target.dotted, call, frame)
            kind = Kind.MODULE if target.is_module else Kind.OBJECT
            made = TensorValue(kind, of=target, made_by="instance", origin=frame.span(call.place))
            return made if target.is_module else keyed.of_record(made, target, call, frame)
        if frame.depth > _MAX_CALL_DEPTH:
            return UNKNOWN
        if isinstance(target, BoundClosure):
            arguments: dict[int, TensorValue] = {}
            self._bind(target.function, call, frame, 0, arguments, target.frame)
            return self.returned(self.nested_frame(target.function, target.frame, arguments))
        if isinstance(target, Function):
            return self.returned(self.entered(target, call, frame))
        if isinstance(target, OneOf):
            return of_either(torch_calls.function_result(self, name, call, frame) for name in sorted(target.names))
        if isinstance(target, BoundPartial) and target.speaks_in(frame):
            return self.value(target.applied(call), frame)
        if callee.made_by is not None:
            return torch_calls.function_result(self, callee.made_by, call, frame)
        return UNKNOWN.but(sources=self.sources_of(call, frame))

    def entered(self, function: Function, call: Call, caller: Frame) -> Frame:
        """The frame of a function of the project as `call` enters it: self for a method that the caller's own object
        runs."""
        callee = call.callee
        if isinstance(callee, Attribute) and caller.is_self(callee.base):
            return self.bound_frame(function, caller.view, call, caller, receiver=callee.base)
        is_given_self = bool(call.arguments) and caller.is_self(call.arguments[0]) and function.owner is not None
        view = caller.view if is_given_self else self._owner_view(function)
        return self.bound_frame(function, view, call, caller, receiver=None)

    def _owner_view(self, method: Function) -> ModuleClass | None:
        return self.project.view_of(method.path, method.owner) if method.owner else None

    def _layer_call(self, layer: TensorValue, call: Call, frame: Frame) -> TensorValue:
        """The result of calling a module."""
        view = layer.of
        sources = self.sources_of(call, frame)
        if view is not None or not is_stateless_layer(layer.made_by or ""):
            sources |= layer.sources
        forward = view.method("forward") if view is not None else None
        if forward is not None and frame.depth <= _MAX_CALL_DEPTH:
            inner = self.bound_frame(forward, view, call, frame, receiver=call.callee)
            found = self._seen_from(layer, self.returned(inner))
            return found.but(sources=found.sources | layer.sources)
        last = module_calls.last_layer(layer)
        made = module_calls.layer_result(view.foreign_bases if view is not None else (last.made_by or "",))
        return with_sources(made, sources).but(origin=frame.span(call.place))

    # Parts of values

    def _subscript(self, term: Subscript, frame: Frame) -> TensorValue:
        held = under_key(term, frame) if isinstance(term.base, Display) else None
        base = self.value(term.base, frame) if held is None else UNKNOWN
        held = held if held is not None else keyed.of_subscript(term, base, frame)
        if held is not None:
            return held
        return operators.subscripted(base, self.value(term.index, frame), term.index)

    def _operation(self, term: Operation, frame: Frame) -> TensorValue:
        parts = [self.value(part, frame) for part in term.parts]
        return operators.applied(term.operator, parts, frame.span(term.place))

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
        options = [option for option in term.options if not is_absent(option, frame)]
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
        return operators.container(term.kind, None, element, keys)

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


def _external(name: str) -> TensorValue:
    dtype = dtypes.named(name)
    if dtype is not None:
        return TensorValue(Kind.OTHER, dtype=dtype, made_by="dtype")
    if name.rpartition(".")[2] in ("pi", "e", "inf", "nan", "tau"):
        return TensorValue(Kind.NUMBER, dtype="floating")
    return TensorValue(Kind.CALLABLE, made_by=name)
