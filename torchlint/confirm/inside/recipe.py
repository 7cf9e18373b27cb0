"""How a class is built and called without being told, or as a hint tells it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import nn

from .candidates import Candidate
from .construction import Search, arguments_for
from .hints import WrongHintError, factory_of, init_of, inputs_in
from .inputs import Call
from .plans import Guess
from .search import call_for
from .seeds import reseed
from .sizes import as_by_default

_NOISE = 0.1
_OTHERS = 3
_SECONDS = 4.0


class CannotBuildError(Exception):
    """No arguments were found with which the class can be built; `cause` is what the first likely ones raised."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(f"{type(cause).__name__}: {cause}")
        self.cause = cause


class CannotCallError(CannotBuildError):
    """No inputs were found with which forward runs."""


@dataclass
class Recipe:
    """A way to build a class. arguments: by name. call: how forward is called, once that is known.

    factory: what makes the module instead of the class, where a hint names one. given: inputs that a hint names.
    entry: the method that is called in the place of forward, "" for none. before: methods that are called first in
    training mode, and how.
    """

    kind: type[nn.Module]
    arguments: Mapping[str, Candidate] = field(default_factory=dict)
    call: Call | None = None
    seed: int = 0
    factory: Callable[[], nn.Module] | None = None
    origin: str = ""
    given: Guess = field(default_factory=dict)
    entry: str = ""
    before: tuple[tuple[str, Call], ...] = ()

    @property
    def text(self) -> str:
        """The call of the constructor, as a person would write it."""
        if self.origin:
            return f"{self.origin}()"
        given = ", ".join(f"{name}={one.text}" for name, one in self.arguments.items())
        return f"{self.kind.__name__}({given})"

    def build(self, seed: int | None = None, *, noise: bool = True) -> nn.Module:
        """A new module whose parameters are random, also those that start as zeros: a cache of zeros is never stale."""
        reseed(self.seed if seed is None else seed)
        if self.factory is not None:
            module = self.factory()
        else:
            module = self.kind(**{name: one.make() for name, one in self.arguments.items()})
        if noise:
            perturb(module)
        return module

    def run(self, module: nn.Module, *, size: int = 0, dtype: torch.dtype | None = None, device: Any = None) -> Any:
        """Call the module. size: 0 for the usual inputs, 1 for longer ones. dtype: of the floating inputs."""
        assert self.call is not None
        arguments, keywords = self.call.values(self.seed, size=size, dtype=dtype, device=device)
        return self.called(module, arguments, keywords)

    def called(self, module: nn.Module, arguments: list[Any], keywords: dict[str, Any]) -> Any:
        """What the module gives for these arguments."""
        for name, call in self.before if module.training else ():
            given, named = call.values(self.seed)
            getattr(module, name)(*given, **named)
        reseed(self.seed + 7)
        target = getattr(module, self.entry) if self.entry else module
        return target(*arguments, **keywords)


def perturb(module: nn.Module) -> None:
    """Add noise to every floating parameter."""
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.is_floating_point() and not isinstance(parameter, nn.parameter.UninitializedParameter):
                parameter.add_(torch.randn_like(parameter), alpha=_NOISE)


def recipe_from_hint(kind: type[nn.Module], hint: Mapping[str, Any], seed: int) -> Recipe:
    """Arguments with which `kind` can be built, those of the hint among them. Raises CannotBuildError.

    hint: "init" and "inputs", values by name, and "factory", "package.module:function"; as hints.py says. May be empty.
    """
    reseed(seed)
    try:
        given = inputs_in(hint, kind)
        if hint.get("factory"):
            origin = str(hint["factory"])
            return Recipe(kind, seed=seed, factory=factory_of(origin, kind), origin=origin, given=given)
        found = arguments_for(kind, fixed=init_of(hint, kind))
    except WrongHintError as error:
        raise CannotBuildError(error) from error
    if isinstance(found, Exception):
        raise CannotBuildError(found) from found
    return Recipe(kind, found, seed=seed, given=given)


def with_call(recipe: Recipe, seed: int, *, in_two_sizes: bool = True, in_training: bool = False) -> Recipe:
    """The recipe with inputs on which forward runs, if need be with other arguments. Raises CannotCallError.

    in_two_sizes, in_training: as for call_for().
    """
    until = time.process_time() + _SECONDS
    found = call_for(recipe.build, seed, given=recipe.given, in_two_sizes=in_two_sizes, in_training=in_training)
    if isinstance(found, Call):
        return _called(recipe, recipe.arguments, found, seed)
    arguments, error = recipe.arguments, found
    whole = {} if recipe.factory is not None else as_by_default(recipe.kind, arguments)
    if len(whole) < len(arguments):
        build = _called(recipe, whole, None, seed).build
        call = call_for(build, seed, given=recipe.given, is_brief=True, in_two_sizes=in_two_sizes)
        if isinstance(call, Call):
            return _called(recipe, whole, call, seed)
    search = Search(recipe.kind, fixed=_unchanging(recipe), is_new=False)
    for _ in range(0 if recipe.factory is not None else _OTHERS):
        search.learn(arguments, error)
        other = search.next_that_builds()
        if other is None or time.process_time() > until:
            break
        arguments = other
        build = _called(recipe, arguments, None, seed).build
        call = call_for(build, seed, given=recipe.given, is_brief=True, in_two_sizes=in_two_sizes)
        if isinstance(call, Call):
            return _called(recipe, arguments, call, seed)
        error = call
    raise CannotCallError(found) from found


def _called(recipe: Recipe, arguments: Mapping[str, Candidate], call: Call | None, seed: int) -> Recipe:
    return replace(recipe, arguments=arguments, call=call, seed=seed)


def _unchanging(recipe: Recipe) -> dict[str, Candidate]:
    return {name: one for name, one in recipe.arguments.items() if one.is_given}
