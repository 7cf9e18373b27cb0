"""Objects of the project that words tell: `rollout` beside `class Rollout`, what one class of the file alone can do,
and what a loop over classes makes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from torchlint.knowledge.lookup import returned
from torchlint.model.facts import Function
from torchlint.model.flow.origins import default_of
from torchlint.model.frames import Frame
from torchlint.model.names.chosen import options
from torchlint.model.terms import Argument, Call, Choice, Display, Element, Item, Operation, Subscript, Term
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

CALL = "__call__"
_MAX_CLASSES = 6
_HELD = frozenset((Kind.OBJECT, Kind.MODULE, Kind.CALLABLE))
# Methods that objects of other libraries have as well.
_COMMON = frozenset(dir(list) + dir(dict) + dir(str) + dir(set)) | frozenset(
    """
    __call__ forward parameters buffers state_dict load_state_dict train eval to half cuda cpu modules children step
    zero_grad backward fit predict transform reset sample close read write run start stop save load open next log info
    astype tobytes name device dtype encode decode
    """.split()
)
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def objects_named(name: str, asked: frozenset[str], frame: Frame) -> Iterator[TensorValue]:
    """The objects that a parameter or an attribute may be, by its name or by what it is asked for: of that class of the
    file, and of the classes that derive from it there."""
    found = _class_called(name, frame) or _class_with(asked, frame)
    if found is None or not asked:
        return
    classes = frame.evaluator.project.classes_in(found.path)
    derived = (one for one in classes if one is not found and found in one.ancestors)
    yield from (an_object(one, frame) for one in islice((found, *derived), _MAX_CLASSES) if has_all(one, asked))


def objects_behind(term: Term, frame: Frame) -> Iterator[TensorValue]:
    """The objects of the project that a term may be, also `given or Default()`, and cls() in a loop over classes."""
    parts = term.options if isinstance(term, Choice) else term.parts if isinstance(term, Operation) else (term,)
    for part in parts if not isinstance(term, Operation) or term.operator == "or" else ():
        value = frame.value(part)
        if value.kind in _HELD and value.of is not None and value.made_by not in ("self", "class"):
            yield value
        elif isinstance(part, Call):
            yield from (an_object(one, frame) for one in classes_behind(part.callee, frame))


def classes_behind(term: Term, frame: Frame) -> Iterator[ModuleClass]:
    """The classes of the project that a term may be: by their names, as a default, in a loop over several, in a
    table."""
    table = options(term, frame) if isinstance(term, Subscript) else ()
    for one, where in table or tuple((one, frame) for one in _classes_named(term, frame)):
        value = where.value(one)
        if value.made_by == "class" and value.of is not None:
            yield value.of


def _classes_named(term: Term, frame: Frame) -> tuple[Term, ...]:
    if isinstance(term, Argument) and term.index not in frame.arguments:
        default = default_of(term, frame.function)
        return (default,) if default is not None else ()
    loop = term.base if isinstance(term, Item) else term
    rows = loop.iterable.parts if isinstance(loop, Element) and isinstance(loop.iterable, Display) else ()
    if not isinstance(term, Item):
        return rows or (term,)
    return tuple(row.parts[term.index] for row in rows if isinstance(row, Display) and term.index < len(row.parts))


def an_object(view: ModuleClass, frame: Frame) -> TensorValue:
    """An object of a class of the project."""
    kind = Kind.MODULE if view.is_module else Kind.OBJECT
    return TensorValue(kind, of=view, made_by="instance", origin=frame.span(frame.function.place))


def has_all(held: object, names: frozenset[str]) -> bool:
    """True for a class that has everything that an object is asked for, and for a function that is only called."""
    if isinstance(held, Function):
        return names == frozenset((CALL,))
    return hasattr(held, "ancestors") and all(_has(held, name) for name in names)  # type: ignore[arg-type]


def _class_called(name: str, frame: Frame) -> ModuleClass | None:
    """The class of the file whose name is that of a parameter."""
    outline = frame.evaluator.project.outline(frame.path)
    classes = [one for one in outline.classes if _plain(one) == name] if outline is not None else []
    return frame.evaluator.project.view_of(frame.path, classes[0]) if len(classes) == 1 else None


def _class_with(names: frozenset[str], frame: Frame) -> ModuleClass | None:
    """The class of the file that alone, but for its subclasses, has a method that a parameter is asked for."""
    distinct = [name for name in names if name not in _COMMON and returned(f"Tensor.{name}") is None]
    outline = frame.evaluator.project.outline(frame.path) if distinct else None
    owners = (
        [one for one in outline.classes.values() if any(name in one.methods for name in distinct)] if outline else []
    )
    views = [frame.evaluator.project.linked(one) for one in owners]
    bases = [view for view in views if not any(other in view.ancestors for other in views if other is not view)]
    return bases[0] if len(bases) == 1 and bases[0] is not frame.view else None


def _plain(name: str) -> str:
    """ReplayBuffer as a parameter is called: replay_buffer; "" for what is no name of a class."""
    return _WORDS.sub("_", name).lower() if name[:1].isupper() else ""


def _has(view: ModuleClass, name: str) -> bool:
    if name == CALL:
        return view.method(CALL) is not None or (view.is_module and view.method("forward") is not None)
    return view.method(name) is not None or name in view.state.names or name in view.facts.annotations
