"""Shadows: members of a class that stand where nn.Module has a method, and that cannot be called as that method is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.knowledge.module_members import CALLED_BY_PARENTS, CALLED_WITH, STATE_DICT_KEYWORDS
from torchlint.model.events import Write
from torchlint.model.facts import Function, Parameter
from torchlint.model.frames import Frame, has_self, is_decorated, last_name
from torchlint.model.modes.modes import own_method
from torchlint.model.terms import Argument, Attribute, Call, Choice, Constant, Operation, Term
from torchlint.model.values import Kind
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_NOT_CALLABLE = frozenset((Kind.NUMBER, Kind.TENSOR, Kind.CONTAINER, Kind.ARRAY, Kind.PARAMETER, Kind.BUFFER))
_PLAIN = (bool, int, float, str)
_LOOKS_UP = frozenset(("get", "pop", "setdefault"))


class ShadowKind(Enum):
    """How a member stands in the way of nn.Module's method.

    ATTRIBUTE: a value that cannot be called, or a property. SIGNATURE: a method that takes other arguments.
    STATE_DICT: a state_dict() that does not take what a parent's passes.
    """

    ATTRIBUTE = "shadow attribute"
    SIGNATURE = "shadow method"
    STATE_DICT = "state_dict"


@dataclass(frozen=True, slots=True)
class Shadow:
    """One member. missing: the keywords that a state_dict() lacks, else empty."""

    kind: ShadowKind
    name: str
    symbol: str
    span: Span
    missing: tuple[str, ...] = ()

    @property
    def is_called_by_parents(self) -> bool:
        """True where the method of a parent calls that of each child."""
        return self.name in CALLED_BY_PARENTS


def shadows(module: ModuleClass) -> Iterator[Shadow]:
    """The members of the class, or of a plain class mixed into it, that shadow nn.Module's methods and break them.

    What train() and eval() do with the mode is not asked here.
    """
    for name in CALLED_WITH:
        yield from _written_values(module, name)
        method = own_method(module, name)
        kind = _method_kind(method, name) if method is not None else None
        if method is not None and kind is not None:
            missing = _missing(method) if kind is ShadowKind.STATE_DICT else ()
            symbol = f"{method.owner or module.facts.qualname}.{name}"
            yield Shadow(kind, name, symbol, module.frame(method).span(method.place), missing)


def _method_kind(method: Function, name: str) -> ShadowKind | None:
    if is_decorated(method, "property") or is_decorated(method, "cached_property"):
        return ShadowKind.ATTRIBUTE
    if method.decorators and not is_decorated(method, "no_grad"):
        return None
    if name == "state_dict":
        return ShadowKind.STATE_DICT if _missing(method) else None
    if name == "train":
        return None
    return None if _can_take(method, CALLED_WITH[name]) else ShadowKind.SIGNATURE


def _can_take(method: Function, count: int) -> bool:
    """True where the method can be called with `count` positional arguments."""
    given = method.parameters[1:] if has_self(method) else method.parameters
    positional = [one for one in given if not one.kind]
    required = [one for one in given if one.kind in ("", "keyword") and one.default is None]
    has_star = any(one.kind == "*" for one in given)
    return len(required) <= count and (has_star or len(positional) >= count)


def _missing(method: Function) -> tuple[str, ...]:
    if any(one.kind == "**" for one in method.parameters):
        return ()
    names = {one.name for one in method.parameters}
    return tuple(name for name in STATE_DICT_KEYWORDS if name not in names)


def _written_values(module: ModuleClass, name: str) -> Iterator[Shadow]:
    """The first assignment of a value that cannot be called to the name of a method, and the class's own value."""
    symbol = f"{module.facts.qualname}.{name}"
    for moment in module.state.writes(name):
        event, frame = moment.event, moment.frame
        is_own = frame.method.owner == module.facts.qualname and frame.method.path == module.path
        if isinstance(event, Write) and is_own and _is_plain_value(event.value, frame):
            yield Shadow(ShadowKind.ATTRIBUTE, name, symbol, frame.span(event.place))
            break
    default = module.facts.values.get(name)
    if isinstance(default, Constant):
        yield Shadow(ShadowKind.ATTRIBUTE, name, symbol, Span(module.path, *default.place))


def _is_plain_value(term: Term, frame: Frame) -> bool:
    """True for what cannot be called: by its kind, by its default or annotation, or by what stands in where it is not
    given, which is of its kind."""
    if isinstance(term, (Choice, Operation)):
        return any(map(_is_plain_constant, _options(term))) or _is_plain_kind(term, frame)
    if isinstance(term, Argument) and term.index < len(frame.function.parameters):
        return _is_plain_parameter(frame.function.parameters[term.index]) or _is_plain_kind(term, frame)
    return _is_plain_constant(_fallback(term)) or _is_plain_kind(term, frame)


def _options(term: Choice | Operation) -> tuple[Term, ...]:
    """What `a if test else b` and `a or b` may be."""
    if isinstance(term, Choice):
        return term.options
    return term.parts if term.operator in ("or", "and") else ()


def _fallback(term: Term) -> Term | None:
    """What options.get(name, fallback), options.pop(name, fallback) and getattr(options, name, fallback) may give."""
    if not isinstance(term, Call):
        return None
    if isinstance(term.callee, Attribute):
        return term.argument(1, "default") if term.callee.name in _LOOKS_UP else None
    return term.argument(2, "default") if last_name(term) == "getattr" else None


def _is_plain_kind(term: Term, frame: Frame) -> bool:
    value = frame.value(term)
    return value.kind in _NOT_CALLABLE or isinstance(value.constant, _PLAIN)


def _is_plain_parameter(parameter: Parameter) -> bool:
    annotation = last_name(parameter.annotation) if parameter.annotation is not None else ""
    return _is_plain_constant(parameter.default) or annotation in ("str", "int", "bool", "float")


def _is_plain_constant(term: Term | None) -> bool:
    return isinstance(term, Constant) and isinstance(term.value, _PLAIN)
