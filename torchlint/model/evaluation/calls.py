"""What calls return: of methods and functions of the project, of layers, of torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import is_stateless_layer
from torchlint.model.devices.placements import of_either
from torchlint.model.evaluation import keyed, module_calls, tensor_methods, torch_calls
from torchlint.model.evaluation.bound import BoundClosure, BoundPartial
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, is_decorated
from torchlint.model.names.chosen import OneOf, options
from torchlint.model.terms import Argument, Attribute, Call, Captured, Super
from torchlint.model.values import UNKNOWN, Kind, TensorValue, with_sources

if TYPE_CHECKING:
    from torchlint.model.evaluation.evaluate import Evaluator

_MAX_CALL_DEPTH = 5


class Calls:
    """Evaluates the calls of one project."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def result(self, term: Call, frame: Frame) -> TensorValue:
        callee = self._evaluator.as_attribute(term.callee, frame) or term.callee
        if isinstance(callee, Attribute) and isinstance(callee.base, Super):
            return self._super_call(term, callee, callee.base, frame)
        if isinstance(callee, Attribute):
            found = self._method_call(term, callee, frame)
            if found is not None:
                return found
        value = self._evaluator.value(callee, frame)
        is_open = value.kind in (Kind.CALLABLE, Kind.UNKNOWN) and value.of is None and value.made_by is None
        chosen = options(callee, frame) if is_open else ()
        if chosen:
            found = of_either(self._called(self._evaluator.value(one, where), term, frame) for one, where in chosen)
            # A caller that gives another function decides where its result lies.
            is_default = isinstance(callee, (Argument, Captured))
            return found.but(placed=frozenset(), device=None) if is_default else found
        if value.kind is Kind.CALLABLE:
            return self._called(value, term, frame)
        if value.kind is Kind.MODULE:
            return self._layer_call(value, term, frame)
        if value.kind is Kind.OBJECT and value.of is not None:
            return self._object_call(value, term, frame)
        return UNKNOWN.but(sources=self._evaluator.sources_of(term, frame))

    def _super_call(self, call: Call, callee: Attribute, base: Super, frame: Frame) -> TensorValue:
        if frame.view is None or frame.depth > _MAX_CALL_DEPTH:
            return UNKNOWN
        target = frame.view.method_after(frame.method, callee.name, base)
        if target is not None:
            return self._evaluator.returned(
                self._evaluator.bound_frame(target, frame.view, call, frame, receiver=callee.base)
            )
        if callee.name in module_calls.RETURNS_SELF:
            return self._evaluator.self_value(frame)
        if callee.name in ("forward", "__call__"):
            made = module_calls.layer_result(frame.view.foreign_bases)
            return made.but(sources=self._evaluator.sources_of(call, frame), origin=frame.span(call.place))
        return UNKNOWN

    def _method_call(self, call: Call, callee: Attribute, frame: Frame) -> TensorValue | None:
        """A call of a method on a value; None where the callee is better evaluated as a value of its own."""
        base = self._evaluator.value(callee.base, frame)
        if base.kind in (Kind.MODULE, Kind.OBJECT) and base.of is not None:
            method = base.of.method(callee.name)
            if method is not None and not is_decorated(method, "property"):
                if frame.depth > _MAX_CALL_DEPTH:
                    return UNKNOWN
                inner = self._evaluator.bound_frame(method, base.of, call, frame, receiver=callee.base)
                return seen_from(base, self._evaluator.returned(inner))
        if base.kind is Kind.MODULE and (base.of is None or base.of.state.value(callee.name).kind is Kind.UNKNOWN):
            if callee.name in module_calls.RETURNS_SELF:
                return base
            state = module_calls.module_method(callee.name, base)
            return state.but(origin=frame.span(call.place)) if state.kind is not Kind.UNKNOWN else None
        if base.kind in (Kind.MODULE, Kind.OBJECT, Kind.CALLABLE):
            return None
        return tensor_methods.method_result(self._evaluator, base, callee.name, call, frame)

    def _called(self, callee: TensorValue, call: Call, frame: Frame) -> TensorValue:
        """The result of calling a function, a class, or something of torch."""
        target = callee.of
        if callee.made_by == "class":
            if target is None:
                return UNKNOWN
            if target.dotted in torch_calls.STATE_CLASSES:
                return torch_calls.function_result(self._evaluator, target.dotted, call, frame)
            kind = Kind.MODULE if target.is_module else Kind.OBJECT
            made = TensorValue(kind, of=target, made_by="instance", origin=frame.span(call.place))
            return made if target.is_module else keyed.of_record(made, target, call, frame)
        if frame.depth > _MAX_CALL_DEPTH:
            return UNKNOWN
        if isinstance(target, BoundClosure):
            arguments = self._evaluator.bind(target.function, call, frame, target.frame)
            return self._evaluator.returned(self._evaluator.nested_frame(target.function, target.frame, arguments))
        if isinstance(target, Function):
            return self._evaluator.returned(self._evaluator.entered(target, call, frame))
        if isinstance(target, OneOf):
            return of_either(
                torch_calls.function_result(self._evaluator, name, call, frame) for name in sorted(target.names)
            )
        if isinstance(target, BoundPartial) and target.speaks_in(frame):
            return self._evaluator.value(target.applied(call), frame)
        if callee.made_by is not None:
            return torch_calls.function_result(self._evaluator, callee.made_by, call, frame)
        return UNKNOWN.but(sources=self._evaluator.sources_of(call, frame))

    def _object_call(self, called: TensorValue, call: Call, frame: Frame) -> TensorValue:
        """The result of calling an object of a plain class."""
        method = called.of.method("__call__")
        if method is None or frame.depth > _MAX_CALL_DEPTH:
            return UNKNOWN.but(sources=self._evaluator.sources_of(call, frame))
        inner = self._evaluator.bound_frame(method, called.of, call, frame, receiver=call.callee)
        return seen_from(called, self._evaluator.returned(inner))

    def _layer_call(self, layer: TensorValue, call: Call, frame: Frame) -> TensorValue:
        """The result of calling a module."""
        view = layer.of
        sources = self._evaluator.sources_of(call, frame)
        if view is not None or not is_stateless_layer(layer.made_by or ""):
            sources |= layer.sources
        forward = view.method("forward") if view is not None else None
        if forward is not None and frame.depth <= _MAX_CALL_DEPTH:
            inner = self._evaluator.bound_frame(forward, view, call, frame, receiver=call.callee)
            found = seen_from(layer, self._evaluator.returned(inner))
            return found.but(sources=found.sources | layer.sources)
        last = module_calls.last_layer(layer)
        made = module_calls.layer_result(view.foreign_bases if view is not None else (last.made_by or "",))
        return with_sources(made, sources).but(origin=frame.span(call.place))


def seen_from(receiver: TensorValue, value: TensorValue) -> TensorValue:
    """A value of another object's state is, for the one who holds that object, computed from the object."""
    if receiver.made_by == "self" or not value.sources:
        return value
    owner = id(receiver.of)
    if not any(source.owner == owner for source in value.sources):
        return value
    kept = frozenset(source for source in value.sources if source.owner != owner)
    return value.but(sources=kept | receiver.sources)
