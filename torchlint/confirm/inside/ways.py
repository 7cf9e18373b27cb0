"""The ways to a line of a file: through the forward of a class, or by calling the function that holds it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import nn

from .callers import callers_in, functions_that_call, has_callers, is_for_building, modules_that_call, open_callers
from .candidates import Candidate
from .code import code_of_build
from .construction import Search
from .inputs import Call
from .objects import objects_in
from .plans import Guess
from .recipe import CannotBuildError, Recipe, recipe_from_hint
from .search import attempts
from .seeds import reseed
from .standins import Company, Role, candidates_for, given_for, variants
from .trial import Failure


class Called(nn.Module):
    """A function as the forward of a module: inputs are sought for it as for any other forward."""

    def __init__(self, function: Callable[..., Any], owner: object = None) -> None:
        super().__init__()
        if isinstance(owner, nn.Module):
            self.owner = owner
        self.function = function
        self.forward = function  # type: ignore[method-assign]

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Call it with gradients: it may be a training step."""
        with torch.enable_grad():
            return super().__call__(*given, **named)

    def forward(self, *given: Any, **named: Any) -> Any:
        """What the function gives."""
        return self.function(*given, **named)


@dataclass(frozen=True)
class Code:
    """What is called, as an expression that makes the owner, None where that cannot be written, and one of its members.

    member: ".step", or "" where the owner itself is called.
    """

    build: str | None = None
    member: str = ""


@dataclass(frozen=True)
class Way:
    """A way to call code. build: makes the module to call, a new one each time. text: what is called, as a person
    would write it. given: inputs that stay as they are.

    is_guess: True where other code of the file calls it, and knows better where its arguments lie and of which dtype
    they are. code: the same as code.
    """

    build: Callable[[], nn.Module]
    text: str
    seed: int
    given: Guess
    is_guess: bool = False
    code: Code = Code()

    def sources(self, dtype: torch.dtype | None) -> Iterator[tuple[Iterator[tuple[Call, Failure | None]], bool]]:
        """Sources of calls, the likeliest first, each call with what goes wrong in it.

        With each: whether it is a last resort, for when nothing has run before: it does without stand-ins.
        """
        names = self._names()
        given = {**given_for(names, Company(), dtype), **objects_in(self._function(), names), **self.given}
        for fixed in variants(given, names, self._function()):
            yield attempts(self.build, self.seed, given=fixed, is_whole=False), False
        if given != self.given:
            yield attempts(self.build, self.seed, given=self.given, is_whole=False), True
        yield attempts(self.build, self.seed, given=given, is_whole=True), False

    def _function(self) -> Any:
        """What is called in the end."""
        module = self.build()
        return getattr(module, "function", module.forward)

    def kinds(self) -> dict[str, Any]:
        """The annotations of what is called, {} where it has no signature. "": a parameter without one."""
        for is_resolved in (True, False):
            try:
                found = inspect.signature(self._function(), eval_str=is_resolved).parameters
            except Exception:
                continue  # an annotation may name what is not there
            return {one.name: "" if one.annotation is one.empty else one.annotation for one in found.values()}
        return {}

    def _names(self) -> dict[str, Any]:
        """The parameters of what is called, with their annotations."""
        try:
            signature = inspect.signature(self.build().forward)
        except (TypeError, ValueError):
            return {}
        stars = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return {
            one.name: one.annotation
            for one in signature.parameters.values()
            if one.kind not in stars and one.default is one.empty
        }


def text_of(call: Call) -> str:
    """The inputs of a call as a person would describe them."""
    roles = {name: plan.text for name, plan in call.plans.items() if isinstance(plan, Role)}
    others = Call({name: plan for name, plan in call.plans.items() if name not in roles}, call.by_position).text
    return ", ".join(filter(None, (others, *(f"{name}={text}" for name, text in roles.items()))))


def ways_to(found: Any, member: str, hint: Mapping[str, Any], seed: int) -> Iterator[Way]:
    """The ways to the code of `found.member`, a class of the checked file; or of `found`, a function of it.

    Raises CannotBuildError where the class cannot be built.
    """
    if not isinstance(found, type):
        yield from _to_function(found, seed)
        return
    if issubclass(found, nn.Module):
        recipe = recipe_from_hint(found, hint, seed)
        code = code_of_build(recipe)
        yield Way(recipe.build, f"{recipe.text}()", seed, recipe.given, code=Code(code))
        build: Callable[[], Any] = recipe.build
        text = recipe.text
    else:
        build, text, code = _plainly_built(found, seed)
    if callable(getattr(found, member, None)) and member not in ("forward", "__init__"):
        if is_for_building(found, member):
            yield Way(lambda: Called(build), text, seed, {}, code=Code(f"(lambda: {code})" if code else None))
            return
        is_guess = bool(callers_in(found, member))
        yield Way(
            lambda: method_of(build(), member), f"{text}.{member}()", seed, {}, is_guess, Code(code, f".{member}")
        )
        for caller in open_callers(found, member):
            yield Way(partial(_built, build, caller), f"{text}.{caller}()", seed, {}, code=Code(code, f".{caller}"))
        if issubclass(found, nn.Module):
            yield from _with_models(found, member, seed)
    elif member == "__init__":
        yield Way(lambda: Called(build), text, seed, {}, code=Code(f"(lambda: {code})" if code else None))


def _with_models(kind: type, member: str, seed: int) -> Iterator[Way]:
    """The method of an object that is built with small models, where the constructor asks for models."""
    if candidates_for(_required(kind), Company()):
        with suppress(CannotBuildError):
            build, text, code = _plainly_built(kind, seed)
            yield Way(lambda: method_of(build(), member), f"{text}.{member}()", seed, {}, code=Code(code, f".{member}"))


def _built(build: Callable[[], Any], member: str) -> nn.Module:
    return method_of(build(), member)


def method_of(owner: Any, member: str) -> nn.Module:
    """A method as a module that can be called."""
    return Called(getattr(owner, member), owner)


def _to_function(function: Any, seed: int) -> Iterator[Way]:
    if not callable(function):
        raise TypeError(f"{function!r} is no function")
    yield _way_to(function, seed, is_guess=has_callers(function))
    yield from (_way_to(caller, seed) for caller in functions_that_call(function))
    for kind in modules_that_call(function):
        try:
            recipe = recipe_from_hint(kind, {}, seed)
        except CannotBuildError:
            continue
        yield Way(recipe.build, f"{recipe.text}; forward", seed, recipe.given, code=Code(code_of_build(recipe)))


def _way_to(function: Any, seed: int, *, is_guess: bool = False) -> Way:
    name = str(getattr(function, "__name__", function))
    code = Code(f"checked.{name}" if name.isidentifier() else None)
    return Way(lambda: Called(function), f"{name}()", seed, {}, is_guess, code)


def _plainly_built(kind: type, seed: int) -> tuple[Callable[[], Any], str, str | None]:
    """A way to make an object of a class that is no module, how a person would write it, and as code."""
    reseed(seed)
    has_own = getattr(kind, "__init__", None) is not object.__init__
    names = _required(kind) if has_own else {}
    fixed = candidates_for(names, Company())
    search = Search(kind, fixed=fixed)
    arguments = search.next_that_builds()
    if arguments is None:
        raise CannotBuildError(search.first or TypeError(f"{kind.__name__} was not built"))
    given: Mapping[str, Candidate] = arguments
    recipe = Recipe(kind, given)

    def build() -> Any:
        reseed(seed)
        return kind(**{name: one.make() for name, one in given.items()})

    return build, recipe.text, code_of_build(recipe)


def _required(kind: type) -> dict[str, Any]:
    found = inspect.signature(kind).parameters.values()
    return {one.name: one.annotation for one in found if one.default is one.empty}
