"""The search for inputs on which forward runs, and for inputs of another size."""

from __future__ import annotations

import dataclasses
import heapq
import itertools
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import nn

from .candidates import LENGTH
from .inputs import Call, inputs_of
from .plans import Array, Constant, Guess, Made, arrays, changed, described, elements
from .repairs import repairs
from .seeds import reseed
from .trial import Failure, Watch

_TRIES = 60
_SECONDS = 2.5
_CHEAP_SECONDS = 0.02
_MOST_REPAIRS = 16
_GROWTHS = 24
_MOST_ELEMENTS = 1 << 22
# Without more need, inputs have no more elements than this, or that many times those of the first ones.
_USUAL_ELEMENTS = 1 << 19
_MOST_TIMES = 64
# After so many failures in a row that are as earlier ones but for their numbers, a search is given up that takes long.
_MOST_REPEATED = 16
_LONG_SECONDS = 0.3
_NUMBER = re.compile(r"\d+")
Build = Callable[[], nn.Module]


def call_for(
    build: Build,
    seed: int,
    *,
    given: Guess | None = None,
    is_brief: bool = False,
    in_two_sizes: bool = True,
    in_training: bool = False,
) -> Call | Exception:
    """A way to call the module that `build` makes; or, where none is found, what the likeliest one raised.

    given: arguments that stay as they are. is_brief: true where less time should be spent on it. in_two_sizes: true
    where inputs of another length are sought as well. in_training: true where it should run in training mode too.
    """
    try:
        search = _Search(build, seed, given or {}, _TRIES // 3 if is_brief else _TRIES, in_training=in_training)
        found = search.found()
    except Exception as error:
        return error  # it was built before: there is no memory for another one
    if found is None:
        return search.first or NotImplementedError(f"{type(search.module).__name__} has no forward()")
    call = Call(found, search.inputs.by_position)
    return with_longer(build, call, seed) if in_two_sizes else call


def attempts(build: Build, seed: int, *, given: Guess, is_whole: bool) -> Iterator[tuple[Call, Failure | None]]:
    """Calls of the module that `build` makes, each with what goes wrong in it.

    is_whole: True where arguments whose default is None are given too.
    """
    search = _Search(build, seed, given, _TRIES // 3)
    if is_whole:
        optional = [name for name, one in search.inputs.parameters.items() if one.default is None]
        if not optional:
            return
        needed = dict.fromkeys((*search.inputs.needed, *optional))
        search.inputs = dataclasses.replace(search.inputs, needed=tuple(needed))
    for guess, failure in search.attempts():
        yield Call(guess, search.inputs.by_position), failure


def to_eval(module: nn.Module) -> nn.Module:
    """The module in eval mode, whatever its own train() does or returns."""
    try:
        module.eval()
    except Exception:
        for part in module.modules():
            part.training = False
    return module


def outcome(module: nn.Module, call: Call, seed: int, size: int = 0) -> Failure | None:
    """What goes wrong in a watched call; None where it runs."""
    positional, named = call.values(seed, size=size)
    plans = call.plans if not size or call.longer is None else call.longer
    watch = Watch(dict(zip(plans, (*positional, *named.values()), strict=True)))
    reseed(seed + 7)
    try:
        with torch.no_grad(), watch:
            module(*positional, **named)
    except Exception as error:
        return watch.failure(error)
    return None


class _Search:
    """Guesses that are tried in turn: a repair of the one that came farthest, of the latest one, and a new one."""

    def __init__(self, build: Build, seed: int, given: Guess, tries: int, *, in_training: bool = False) -> None:
        self._started = started = time.process_time()
        self._build, self._seed, self._given, self._tries = build, seed, given, tries
        self._in_training = in_training
        self._in_evaluation: Guess | None = None
        self.module = to_eval(build())
        # A call that failed may leave something behind: where building is cheap, each call has its own module.
        self._is_cheap = time.process_time() - started < _CHEAP_SECONDS
        self._is_used = False
        self._until = started + _SECONDS * tries / _TRIES
        self.inputs = inputs_of(self.module)
        self.first: Exception | None = None
        self._waiting: list[tuple[Any, ...]] = []
        self._latest: list[Guess] = []
        self._seen: set[str] = set()
        self._order = itertools.count()
        self._kinds: set[tuple[int, type, str]] = set()
        self._repeated = 0
        self._most_elements = 0

    def found(self) -> Guess | None:
        """The first guess on which forward runs; if need be, in evaluation mode alone."""
        found = next((guess for guess, failure in self.attempts() if failure is None), None)
        return found if found is not None else self._in_evaluation

    def attempts(self) -> Iterator[tuple[Guess, Failure | None]]:
        """The guesses, each with what goes wrong in it."""
        for guess in itertools.islice(self._guesses(), self._tries):
            failure = self._failure(guess)
            yield guess, failure
            if failure is None:
                continue
            self.first = self.first or failure.error
            if time.process_time() > self._until or self._has_repeated(failure):
                return
            suggested = list(itertools.islice(repairs(guess, failure, self.inputs), _MOST_REPAIRS))
            self._latest += suggested[:1]
            for rank, one in enumerate(suggested):
                heapq.heappush(self._waiting, (-failure.progress, rank, next(self._order), one))

    def _failure(self, guess: Guess) -> Failure | None:
        """What goes wrong in evaluation mode; and in training mode, where that is asked for."""
        call = Call(guess, self.inputs.by_position)
        failure = outcome(self._module(), call, self._seed)
        if failure is not None or not self._in_training:
            return failure
        self._in_evaluation = self._in_evaluation or guess
        module = self._build()
        module.train()
        return outcome(module, call, self._seed)

    def _has_repeated(self, failure: Failure) -> bool:
        """True after a long time and many failures in a row each of which is as an earlier one but for its numbers."""
        kind = (failure.progress, type(failure.error), _NUMBER.sub("#", str(failure.error)))
        self._repeated = self._repeated + 1 if kind in self._kinds else 0
        self._kinds.add(kind)
        return self._repeated >= _MOST_REPEATED and time.process_time() - self._started > _LONG_SECONDS

    def _module(self) -> nn.Module:
        is_used, self._is_used = self._is_used, True
        return to_eval(self._build()) if self._is_cheap and is_used else self.module

    def _guesses(self) -> Iterator[Guess]:
        fresh = iter(self.inputs.guesses())
        for turn in itertools.count():
            latest = (self._latest.pop() for _ in range(len(self._latest)))
            sources = [(self._best(), fresh), (latest, fresh, self._best()), (fresh, self._best())][turn % 3]
            guess = next((one for one in map(self._unseen, sources) if one is not None), None)
            if guess is None:
                return
            yield guess

    def _best(self) -> Iterator[Guess]:
        while self._waiting:
            yield heapq.heappop(self._waiting)[-1]

    def _unseen(self, guesses: Iterator[Guess]) -> Guess | None:
        for one in guesses:
            guess = {**one, **self._given}
            if repr(guess) not in self._seen and not _is_empty(one) and self._is_small(guess):
                self._seen.add(repr(guess))
                return guess
        return None

    def _is_small(self, guess: Guess) -> bool:
        count = elements(guess)
        self._most_elements = self._most_elements or max(_USUAL_ELEMENTS, min(_MOST_TIMES * count, _MOST_ELEMENTS))
        return count <= self._most_elements


def _is_empty(guess: Guess) -> bool:
    """True where an array has no elements: a forward on it does nothing, so that nothing is seen of it."""
    return any(0 in array.shape for plan in guess.values() for array in arrays(plan))


# Another size


def with_longer(build: Build, call: Call, seed: int) -> Call:
    """The call with inputs of another length on which forward runs as well, if there are any.

    Where only a shorter one is found, that becomes the usual one, and the usual one the longer.
    """
    until = time.process_time() + _SECONDS / 2
    for grown in itertools.islice(_others(call.plans), _GROWTHS):
        if time.process_time() > until:
            break
        if _is_same(grown, call.plans) or elements(grown) > _MOST_ELEMENTS:
            continue
        other = dataclasses.replace(call, longer=grown)
        if outcome(to_eval(build()), other, seed, 1) is None:
            is_shorter = elements(grown) < elements(call.plans)
            return dataclasses.replace(call, plans=grown, longer=call.plans) if is_shorter else other
    return call


def with_shorter(build: Build, call: Call, seed: int) -> Call | None:
    """The call with inputs of a quarter of the length, where forward runs on them."""
    for span in _SPANS:
        for size in _lengths(call.plans, span):
            plans = _with_length(call.plans, span, size, max(size // 4, 1))
            other = dataclasses.replace(call, plans=plans, longer=None)
            if plans != call.plans and outcome(to_eval(build()), other, seed) is None:
                return other
    return None


def _is_same(one: Guess, other: Guess) -> bool:
    return one == other and not any(isinstance(plan, Made) for plan in one.values())


def _others(guess: Guess) -> Iterator[Guess]:
    """The guess in other lengths, the likeliest first; the batch, which is rarely a length, last."""
    if any(isinstance(plan, Made) and described(plan.make(0)) != described(plan.make(1)) for plan in guess.values()):
        yield guess
    for span in _SPANS:
        sizes = _lengths(guess, span)
        pairs = [(size, size + 4) for size in sizes] + [(size, 2 * size) for size in sizes]
        pairs += [(size, max(size // 2, 1)) for size in sizes]
        yield from (_with_length(guess, span, *pair) for pair in pairs)
    yield {name: changed(plan, _with_batch) for name, plan in guess.items()}


# Which dimensions of an array are lengths, by how many it has: sides of an image or steps; then those where the width
# comes elsewhere; then all but the batch.
_SPANS: tuple[Mapping[int, tuple[int, int]], ...] = (
    {1: (0, 1), 2: (1, 2), 3: (1, 2), 4: (2, 4), 5: (2, 5)},
    {1: (0, 1), 2: (0, 1), 3: (2, 3), 4: (1, 3), 5: (1, 4)},
    {1: (0, 1), 2: (1, 2), 3: (1, 3), 4: (1, 4), 5: (1, 5)},
)


def _lengths(guess: Guess, span: Mapping[int, tuple[int, int]]) -> list[int]:
    """The sizes that may be lengths, the usual length first."""
    found = [LENGTH for plan in guess.values() if plan == Constant(LENGTH)]
    for plan in guess.values():
        for one in arrays(plan):
            found += one.shape[slice(*span.get(len(one.shape), (0, 0)))]
    return list(dict.fromkeys([*(one for one in found if one == LENGTH), *found]))[:2]


def _with_length(guess: Guess, span: Mapping[int, tuple[int, int]], old: int, new: int) -> Guess:
    def change(array: Array) -> Array:
        first, after = span.get(len(array.shape), (0, 0))
        sizes = enumerate(array.shape)
        return dataclasses.replace(
            array, shape=tuple(new if one == old and first <= at < after else one for at, one in sizes)
        )

    return {
        name: Constant(new) if plan == Constant(old) and old == LENGTH else changed(plan, change)
        for name, plan in guess.items()
    }


def _with_batch(array: Array) -> Array:
    shape = array.shape
    return dataclasses.replace(array, shape=(shape[0] + 1, *shape[1:])) if len(shape) > 1 else array
