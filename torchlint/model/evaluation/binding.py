"""Frames: functions with open parameters, and as calls enter them, with their parameters bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from torchlint.model.evaluation import operators
from torchlint.model.evaluation.named_values import is_sequence, named, names_in
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, has_self
from torchlint.model.terms import Attribute, Call, Starred, Super, Term
from torchlint.model.values import Kind, TensorValue, join_all

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.evaluation.evaluate import Evaluator


_Held = TypeVar("_Held")


@dataclass(frozen=True, slots=True)
class _Given(Generic[_Held]):
    """What a call gives. is_all: nothing else is given."""

    values: _Held
    is_all: bool


class Frames:
    """The frames of one project, one for each function, class and binding."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._open: dict[tuple[int, int], Frame] = {}
        self._bound: dict[tuple[Any, ...], Frame] = {}

    def forget(self) -> None:
        """Drop all frames, with the values that they remember."""
        self._open.clear()
        self._bound.clear()

    def bind(self, function: Function, call: Call, caller: Frame, defining: Frame) -> dict[int, TensorValue]:
        """The parameters that a plain call gives, and those it leaves to their defaults, evaluated in `defining`."""
        arguments: dict[int, TensorValue] = {}
        self._bind(function, call, caller, 0, arguments, lambda: defining)
        return arguments

    def open(self, function: Function, view: ModuleClass | None) -> Frame:
        """`function` with open parameters, as a method of `view` or (None) on its own."""
        key = (id(function), id(view))
        known = self._open.get(key)
        if known is None:
            known = self._open[key] = Frame(self._evaluator, function, view, {})
        return known

    def nested(self, function: Function, outer: Frame, arguments: dict[int, TensorValue] | None = None) -> Frame:
        """A nested function, inside the frame of the one around it."""
        key = (id(function), id(outer), tuple(sorted(arguments.items())) if arguments else ())
        if key not in self._bound:
            self._bound[key] = Frame(
                self._evaluator, function, outer.view, arguments or {}, outer, outer.depth + bool(arguments)
            )
        return self._bound[key]

    def bound(
        self, function: Function, view: ModuleClass | None, call: Call, caller: Frame, *, receiver: Term | None
    ) -> Frame:
        """`function` as `call` enters it. receiver: the object whose method it is, None for a plain call."""
        arguments: dict[int, TensorValue] = {}
        offset = 0
        if receiver is not None and has_self(function):
            offset = 1
            if not isinstance(receiver, Super) and not caller.is_self(receiver):
                arguments[0] = self._evaluator.value(receiver, caller)
            elif caller.outer is not None or caller.function.owner is None:
                arguments[0] = self._evaluator.self_value(caller)
        self._bind(function, call, caller, offset, arguments, lambda: self._defining_frame(function))
        key = (id(function), id(view), tuple(sorted(arguments.items())))
        if key not in self._bound:
            self._bound[key] = Frame(self._evaluator, function, view, arguments, None, caller.depth + 1)
        return self._bound[key]

    def _defining_frame(self, function: Function) -> Frame:
        """Where the defaults of a function of a file's top level, or of a class there, are evaluated."""
        return self.open(self._evaluator.project.top_of(function), None)

    def _bind(
        self,
        function: Function,
        call: Call,
        caller: Frame,
        offset: int,
        arguments: dict[int, TensorValue],
        defining: Callable[[], Frame],
    ) -> None:
        """Bind the parameters that the call gives, and those it leaves to their defaults, evaluated in `defining`."""
        positional = self._spread(call, caller)
        for index, value in enumerate(positional.values, offset):
            if index >= len(function.parameters):
                break
            if function.parameters[index].kind:
                if function.parameters[index].kind == "*" and positional.is_all:
                    rest = tuple(positional.values[index - offset :])
                    arguments[index] = operators.container("tuple", rest, join_all(rest))
                break
            arguments[index] = value
        keywords = self._keywords(call, caller)
        self._bind_keywords(function, keywords.values, arguments)
        if not (positional.is_all and keywords.is_all):
            return
        left = [one for one in _defaults(function) if one[0] >= offset and one[0] not in arguments]
        if left:
            where = defining()
            arguments.update((index, self._evaluator.value(default, where)) for index, default in left)

    def _spread(self, call: Call, caller: Frame) -> _Given[list[TensorValue]]:
        """The positional arguments, as far as they are known: f(*pair) gives the items of the pair."""
        values: list[TensorValue] = []
        for term in call.arguments:
            if not isinstance(term, Starred):
                values.append(self._evaluator.value(term, caller))
                continue
            spread = self._evaluator.value(term.value, caller)
            if spread.kind is not Kind.CONTAINER or spread.items is None or not is_sequence(spread):
                return _Given(values, False)
            if spread.made_by == "list":
                # Something may have been put into it.
                return _Given(values, False)
            values += spread.items
        return _Given(values, True)

    def _keywords(self, call: Call, caller: Frame) -> _Given[dict[str, TensorValue]]:
        """The keyword arguments, as far as they are known: f(**options) gives what a dict holds by name."""
        values: dict[str, TensorValue] = {}
        is_all = True
        for name, term in call.keywords:
            if name is not None:
                values[name] = self._evaluator.value(term, caller)
                continue
            held = names_in(self._evaluator.value(term, caller))
            is_all = is_all and held is not None
            values |= held or {}
        return _Given(values, is_all)

    @staticmethod
    def _bind_keywords(function: Function, given: dict[str, TensorValue], arguments: dict[int, TensorValue]) -> None:
        names = {parameter.name: index for index, parameter in enumerate(function.parameters)}
        others = {name: value for name, value in given.items() if name not in names}
        arguments.update((names[name], value) for name, value in given.items() if name in names)
        if others and function.parameters and function.parameters[-1].kind == "**":
            held = operators.dictionary(list(map(operators.of_constant, others)), list(others.values()))
            arguments[len(function.parameters) - 1] = named(held, list(others), list(others.values()))

    def entered(self, function: Function, call: Call, caller: Frame) -> Frame:
        """The frame of a function of the project as `call` enters it: self for a method that the caller's own object
        runs."""
        callee = call.callee
        if isinstance(callee, Attribute) and caller.is_self(callee.base):
            return self.bound(function, caller.view, call, caller, receiver=callee.base)
        is_given_self = bool(call.arguments) and caller.is_self(call.arguments[0]) and function.owner is not None
        view = caller.view if is_given_self else self._owner_view(function)
        return self.bound(function, view, call, caller, receiver=None)

    def _owner_view(self, method: Function) -> ModuleClass | None:
        return self._evaluator.project.view_of(method.path, method.owner) if method.owner else None


def _defaults(function: Function) -> list[tuple[int, Term]]:
    """The defaults of a function's parameters, by position."""
    return [(index, one.default) for index, one in enumerate(function.parameters) if one.default is not None]
