"""A class as the model sees it, as plain data: bases, attributes, what renews them, and what is not known."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from torchlint.knowledge.modules import is_module_class, is_plain_class
from torchlint.model.events import Evaluated
from torchlint.model.frames import last_name
from torchlint.model.modules.attributes import AttributePortrait, attributes
from torchlint.model.modules.gaps import Gap, gaps
from torchlint.model.modules.sightings import Sighting, every_moment, sightings
from torchlint.model.terms import Call
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# Overrides that decide what happens to state, in the order in which people look for them.
_OVERRIDES = (
    "_apply", "to", "half", "float", "double", "bfloat16", "cuda", "cpu", "train", "eval",
    "_load_from_state_dict", "load_state_dict", "_save_to_state_dict", "state_dict", "get_extra_state",
    "set_extra_state", "__setattr__", "__getattr__", "__getattribute__", "__getstate__", "__setstate__",
    "__deepcopy__", "__new__",
)  # fmt: skip


class Verdict(Enum):
    """Whether a class is an nn.Module."""

    YES = "yes"
    LIKELY = "likely"
    NO = "no"


class Known(Enum):
    """What is known of a base that no file of the project defines."""

    TORCH_MODULE = "a module of torch"
    LIBRARY_MODULE = "a module of a well-known library"
    TORCH = "of torch, no module that is known"
    PYTHON = "Python's own"
    PLAIN = "a library class that is no module"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Base:
    """A class of the method resolution order that some file defines."""

    qualname: str
    span: Span


@dataclass(frozen=True, slots=True)
class OutsideBase:
    """A base that no file defines. name: dotted, "" for one that is no name. of: the class that names it."""

    name: str
    known: Known
    of: Base


@dataclass(frozen=True, slots=True)
class Override:
    """A method of torch.nn.Module that a class of the method resolution order replaces, and where."""

    name: str
    of: str
    span: Span


@dataclass(frozen=True, slots=True)
class Hook:
    """A hook that the class registers: the registering call, and where."""

    call: str
    at: Sighting


@dataclass(frozen=True, slots=True)
class Portrait:
    """A class as the model sees it. because: what the verdict rests on. bases: the class itself first."""

    name: str
    qualname: str
    span: Span
    verdict: Verdict
    because: str
    bases: tuple[Base, ...]
    outside_bases: tuple[OutsideBase, ...]
    attributes: tuple[AttributePortrait, ...]
    overrides: tuple[Override, ...]
    hooks: tuple[Hook, ...]
    gaps: tuple[Gap, ...]


def portrait(view: ModuleClass) -> Portrait:
    """The portrait of a class. Nothing that the model does not know is left out: it is in `gaps`."""
    outside = tuple(_outside_bases(view))
    unknown = tuple(base for base in outside if base.known is Known.UNKNOWN)
    names = tuple(dict.fromkeys(base.name or "a base that is no name" for base in unknown))
    verdict, because = _verdict(view, outside)
    return Portrait(
        name=view.name,
        qualname=view.qualname,
        span=view.span,
        verdict=verdict,
        because=because,
        bases=tuple(_base(ancestor) for ancestor in view.ancestors),
        outside_bases=outside,
        attributes=attributes(view),
        overrides=tuple(_overrides(view)),
        hooks=tuple(_hooks(view)),
        gaps=(*(_unknown_base(base) for base in unknown), *gaps(view, names)),
    )


def _base(view: ModuleClass) -> Base:
    return Base(view.qualname, view.span)


def _outside_bases(view: ModuleClass) -> Iterator[OutsideBase]:
    """Each outside base once, with the class furthest up that leads to it: that one names it."""
    for name in dict.fromkeys(view.foreign_bases):
        owner = [ancestor for ancestor in view.ancestors if name in ancestor.foreign_bases][-1]
        yield OutsideBase("" if name == "unknown" else name.removeprefix("unknown."), _known(name), _base(owner))


def _known(name: str) -> Known:
    top, _, last = name.partition(".")
    if is_module_class(name):
        return Known.TORCH_MODULE if top == "torch" else Known.LIBRARY_MODULE
    if top == "torch":
        return Known.TORCH
    is_builtin = top == "builtins" and hasattr(builtins, last)
    if is_builtin or (top != "builtins" and top in sys.stdlib_module_names):
        return Known.PYTHON
    return Known.PLAIN if top != "builtins" and is_plain_class(name) else Known.UNKNOWN


def _unknown_base(base: OutsideBase) -> Gap:
    what = f"the base {base.name.removeprefix('builtins.')}" if base.name else "a base that is no plain name"
    return Gap(
        f"{what} of {base.of.qualname} is not found: what it registers, moves and renews is not known", base.of.span
    )


def _verdict(view: ModuleClass, outside: tuple[OutsideBase, ...]) -> tuple[Verdict, str]:
    unknown = " and ".join(
        base.name.removeprefix("builtins.") or "one that is no name" for base in outside if base.known is Known.UNKNOWN
    )
    if view.is_certain:
        known = [base.name for base in outside if is_module_class(base.name)]
        return Verdict.YES, known[0] if known else next(
            one.dotted for one in reversed(view.ancestors) if one.is_certain
        )
    if view.is_module:
        evidence = "calls super().__init__(), registers state or layers, has forward"
        return Verdict.LIKELY, f"{evidence}; unknown base {unknown}"
    if unknown:
        return Verdict.NO, f"not known to be one, and too little evidence; unknown base {unknown}"
    return Verdict.NO, "no base is a module"


def _overrides(view: ModuleClass) -> Iterator[Override]:
    for name in _OVERRIDES:
        for ancestor in view.ancestors:
            method = ancestor.facts.methods.get(name)
            if method is not None:
                yield Override(name, ancestor.qualname, Span(ancestor.path, *method.place))


def _hooks(view: ModuleClass) -> Iterator[Hook]:
    for moment in every_moment(view):
        term = moment.event.term if isinstance(moment.event, Evaluated) else None
        if isinstance(term, Call) and _is_hook(name := last_name(term)):
            yield from (Hook(name, at) for at in sightings((moment,)))


def _is_hook(name: str) -> bool:
    return name.lstrip("_").startswith("register_") and name.endswith("_hook")
