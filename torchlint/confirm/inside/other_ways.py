"""Other ways to build and to call a class, for findings of which the usual one showed nothing."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from torch import nn

from .callers import callers_in, methods_of, names_in
from .inputs import Call
from .other_settings import other_settings
from .recipe import CannotBuildError, Recipe, with_call
from .search import call_for, with_shorter
from .ways import method_of
from .writers import later_writers

# What the finding is about must be read, must be written and read, or must be written before it is read.
_READ = ("TL101", "TL105", "TL106", "TL113")
_KEPT = ("TL102", "TL103", "TL104", "TL112")
_LEARNED = ("TL120", "TL122")
_MOST_ENTRIES = 3
_MOST_SETTINGS = 5
Claims = list[dict[str, Any]]


@dataclass(frozen=True)
class Variation:
    """A way to use the class, and the claims of which it may show something."""

    recipe: Recipe
    claims: Claims


def variations(recipe: Recipe, job: Mapping[str, Any]) -> Iterator[Variation]:
    """First other methods than forward, then other arguments of the constructor, at last shorter inputs."""
    in_two_sizes = "resize" in job["histories"]
    for entry, before, claims in _entries(recipe.kind, job["claims"]):
        found = _with_entry(recipe, entry, before, in_two_sizes=in_two_sizes)
        if found is not None:
            yield Variation(found, claims)
    built = [claim for claim in job["claims"] if claim["code"] in (*_READ, *_KEPT, *_LEARNED)]
    for other in itertools.islice(other_settings(recipe, built), _MOST_SETTINGS):
        yield Variation(_with_forward(other, in_two_sizes=in_two_sizes), built)
    read = [claim for claim in job["claims"] if claim["code"] in _READ]
    usual = _with_forward(recipe, in_two_sizes=False) if read and job["has_run"] else recipe
    call = with_shorter(usual.build, usual.call, recipe.seed) if usual.call is not None else None
    if call is not None:
        yield Variation(replace(usual, call=call), read)


def _with_forward(recipe: Recipe, *, in_two_sizes: bool) -> Recipe:
    try:
        return with_call(recipe, recipe.seed, in_two_sizes=in_two_sizes)
    except CannotBuildError:
        return replace(recipe, call=None)


# Other methods


def _entries(kind: type[nn.Module], claims: Claims) -> Iterator[tuple[str, tuple[str, ...], Claims]]:
    """A method to call, those that are called first in training mode, and the claims that this may serve."""
    found: dict[tuple[str, tuple[str, ...]], Claims] = {}
    for claim in claims:
        for entry, before in itertools.islice(_entries_for(kind, claim), _MOST_ENTRIES):
            found.setdefault((entry, before), []).append(claim)
    for (entry, before), served in found.items():
        yield entry, before, served


def _entries_for(kind: type[nn.Module], claim: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    member, code = claim["member"].partition(".")[0], claim["code"]
    reading = [name for name in _open_methods(kind) if member in _reached(kind, name)]
    if code in (*_READ, *_KEPT):
        yield from ((name, ()) for name in reading)
    if code not in _LEARNED:
        return
    has_forward = kind.forward is not nn.Module.forward
    writers = [one.name for one in later_writers(kind, (member,)).get(member, ()) if one.is_open]
    writers = [name for name in writers if name in reading]
    for writer in writers:
        others = [""] * has_forward + [name for name in reading if name not in writers]
        yield from ((entry, (writer,)) for entry in others)


def _open_methods(kind: type[nn.Module]) -> list[str]:
    """The methods that others call: no method of the class does, and torch knows none of that name."""
    names = dict.fromkeys(name for name, _ in methods_of(kind))
    return [
        name
        for name in names
        if not hasattr(nn.Module, name)
        and not (name.startswith("__") and name.endswith("__"))
        and _is_plain(inspect.getattr_static(kind, name, None))
        and not callers_in(kind, name)
    ]


def _is_plain(method: Any) -> bool:
    """True for a method of an object that runs when it is called."""
    is_late = inspect.isgeneratorfunction(method) or inspect.iscoroutinefunction(method)
    return isinstance(method, FunctionType) and not is_late


def _reached(kind: type[nn.Module], name: str) -> set[str]:
    """The names that a method uses, itself or by way of other methods and properties of the class."""
    codes: dict[str, Any] = {}
    for each, code in methods_of(kind):
        codes.setdefault(each, code)  # an override comes first
    found, waiting = set[str](), [name]
    while waiting:
        names = names_in(codes[waiting.pop()]) - found
        found |= names
        waiting += [one for one in names if one in codes]
    return found


def _with_entry(recipe: Recipe, entry: str, before: tuple[str, ...], *, in_two_sizes: bool) -> Recipe | None:
    """The recipe that calls `entry` in the place of forward; None where no inputs are found."""
    learned: list[tuple[str, Call]] = []
    for name in before:
        call = _call_of(recipe, name, in_two_sizes=False)
        if call is None:
            return None
        learned.append((name, call))
    taught = replace(recipe, entry="", before=tuple(learned))
    call = _call_of(taught, entry, in_two_sizes=in_two_sizes)
    return replace(taught, entry=entry, call=call) if call is not None else None


def _call_of(recipe: Recipe, name: str, *, in_two_sizes: bool) -> Call | None:
    """How a method, or forward, is called by an object on which the methods that come before were called."""

    def build() -> nn.Module:
        module = recipe.build()
        for earlier, call in recipe.before:
            given, named = call.values(recipe.seed)
            getattr(module, earlier)(*given, **named)
        return method_of(module, name) if name else module

    given = {} if name else recipe.given
    found = call_for(build, recipe.seed, given=given, is_brief=True, in_two_sizes=in_two_sizes)
    return found if isinstance(found, Call) else None
