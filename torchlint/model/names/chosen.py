"""Functions that a name, a branch or a table chooses: getattr(torch, f"{kind}_window"), {"sum": torch.sum}[reduction].

What all of them agree on is known of a call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import functions_matching, is_factory
from torchlint.model.events import Write
from torchlint.model.names.names import Value
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Subscript,
    Term,
)
from torchlint.model.values import UNKNOWN, Kind, Pattern, TensorValue, join_all, strings_of

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.evaluation.evaluate import Evaluator
    from torchlint.model.frames import Frame
    from torchlint.model.modules.state import State

_MAX_CHOICES = 16
# What a pattern says of the part of a text that is not known.
_OPEN = re.compile(r"-\?\\d\+|\.\+")


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several functions of a library, by their dotted names."""

    names: frozenset[str]


def by_name(evaluator: Evaluator, call: Call, base: TensorValue, frame: Frame) -> TensorValue:
    """What getattr(base, name) gives where the name is worked out: an attribute of an object, or one of torch's
    functions."""
    asked = evaluator.value(call.arguments[1], frame)
    if base.of is not None and base.kind in (Kind.MODULE, Kind.OBJECT):
        return _attribute(base.of.state, asked) or UNKNOWN.but(sources=base.sources)
    package = base.made_by or ""
    if base.kind is Kind.CALLABLE and package.partition(".")[0] == "torch":
        return _of_torch(package, call.arguments[1], asked, frame)
    return UNKNOWN.but(sources=base.sources)


def _attribute(state: State, asked: TensorValue) -> TensorValue | None:
    """What the attributes hold that have one of the names."""
    pattern = asked.constant
    if not isinstance(pattern, Pattern):
        names = sorted(strings_of(asked))
        return join_all(map(state.value, names)) if names else None
    names = [name for name in dict.fromkeys((*state.names, *state.registrations)) if pattern.matches(name)]
    if len(names) > _MAX_CHOICES:
        return None
    # One name stands for all that are made in the same way: a loop registers f"level_{index}".
    return join_all(map(state.value, names or map(_example, sorted(pattern.expressions))))


def _example(expression: str) -> str:
    """A text that the expression of a pattern matches."""
    return _OPEN.sub("0", expression).replace("\\", "")


def _of_torch(package: str, term: Term, asked: TensorValue, frame: Frame) -> TensorValue:
    if isinstance(asked.constant, Pattern):
        found = functions_matching(package, asked.constant.matches)
    else:
        found = tuple(f"{package}.{name}" for name in sorted(strings_of(asked)))
        found = found or _by_default(package, term, frame)
    return _one_of(found)


def _by_default(package: str, term: Term, frame: Frame) -> tuple[str, ...]:
    """The factory that an open parameter names by default; what else is given is a factory as well."""
    while isinstance(term, Captured) and frame.outer is not None:
        term, frame = term.value, frame.outer
    default = _default_of(term, frame) if isinstance(term, Argument) else None
    name = f"{package}.{default.value}" if isinstance(default, Constant) else ""
    return (name,) if is_factory(name) else ()


def _one_of(names: tuple[str, ...]) -> TensorValue:
    if not names or len(names) > _MAX_CHOICES:
        return UNKNOWN
    return TensorValue(Kind.CALLABLE, of=OneOf(frozenset(names)))


def options(callee: Term, frame: Frame) -> tuple[tuple[Term, Frame], ...]:
    """The functions that a branch or a table chooses from, each with the frame that it is written in; none where they
    are not all in sight."""
    if isinstance(callee, Choice):
        return tuple((option, frame) for option in callee.options)[:_MAX_CHOICES]
    if isinstance(callee, Captured) and frame.outer is not None:
        return options(callee.value, frame.outer)
    if isinstance(callee, Element) and isinstance(callee.iterable, Display):
        # for function in (torch.sin, torch.cos)
        return tuple((part, frame) for part in callee.iterable.parts)[:_MAX_CHOICES]
    if isinstance(callee, Argument):
        default = _default_of(callee, frame)
        return ((default, frame),) if isinstance(default, Imported) and is_factory(default.name) else ()
    if isinstance(callee, Attribute) and (held_one := kept(callee, frame)) is not None:
        return options(*held_one) if _is_chosen(held_one[0]) else ()
    table, others = _table(callee)
    held = _written_out(table, frame) if table is not None else None
    if held is None or not 0 < len(held[0].parts) <= _MAX_CHOICES:
        return ()
    return (*((part, held[1]) for part in held[0].parts), *((other, frame) for other in others))


def kept(callee: Attribute, frame: Frame) -> tuple[Term, Frame] | None:
    """What construction puts on the object for it to call later, in the frame that does so; None where several do."""
    if frame.view is None or not frame.is_self(callee.base):
        return None
    writes = frame.view.state.writes(callee.name)
    event = writes[0].event if len(writes) == 1 else None
    return (event.value, writes[0].frame) if isinstance(event, Write) else None


def _is_chosen(value: Term) -> bool:
    return isinstance(value, Choice) or _table(value)[0] is not None


def _written_out(table: Term, frame: Frame) -> tuple[Display, Frame] | None:
    """The table as it is written out: here, at the top of a file, or where construction puts it on the object."""
    if isinstance(table, (Global, Imported)):
        found = frame.evaluator.project.names.of_term(table, frame.path)
        if isinstance(found, Value):
            table, frame = found.term, frame.evaluator.frame(found.top, None)
    elif isinstance(table, Attribute) and frame.is_self(table.base) and frame.view is not None:
        view = frame.view
        writes = view.state.writes(table.name)
        if len(writes) == 1 and isinstance(writes[0].event, Write):
            table, frame = writes[0].event.value, writes[0].frame
        elif not writes:
            table, frame = _in_class_body(table, view, frame)
    return (table, frame) if isinstance(table, Display) else None


def _in_class_body(table: Attribute, view: ModuleClass, frame: Frame) -> tuple[Term, Frame]:
    """What the body of the class, or of a base, puts under the name; the table itself where none does."""
    for ancestor in view.ancestors:
        held = ancestor.facts.values.get(table.name) if table.name in ancestor.outline.values else None
        if held is not None:
            return held, view.project.top_frame(ancestor.path, ancestor.outline.group)
    return table, frame


def _default_of(term: Argument, frame: Frame) -> Term | None:
    """What a parameter is that nobody binds."""
    parameters = frame.function.parameters
    is_open = term.index not in frame.arguments and term.index < len(parameters)
    return parameters[term.index].default if is_open else None


def _table(callee: Term) -> tuple[Term | None, tuple[Term, ...]]:
    """The table of table[key] and table.get(key, default), and the default."""
    if isinstance(callee, Subscript):
        return callee.base, ()
    if isinstance(callee, Call) and isinstance(callee.callee, Attribute) and callee.callee.name == "get":
        return callee.callee.base, callee.arguments[1:]
    return None, ()
