"""Answers that may need themselves: an attribute that is updated from its own value, a name that a loop rewrites.

An answer that needs itself is worked out again, round after round, with what it and all that was found on the way were
found to be, until nothing changes. What rests on an answer that is still open is kept only when that one is settled. So
the answers are the same in whatever order they are asked for.

A function that calls itself for the parts of what it is given would nest its answer one level deeper in each round, and
in each call: so an answer that needs an open one is bounded before anything rests on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Answer = TypeVar("Answer")

_MAX_ROUNDS = 6
_NONE_OPEN = 1 << 30


@dataclass(slots=True)
class Open(Generic[Answer]):
    """What stands in a memory in place of an answer that is not settled. answer: what is known so far.

    lowest: the position of the first one to be begun among the open answers that it needs.
    """

    answer: Answer
    lowest: int


class Fixpoints:
    """Works out answers, each kept in the memory of the one who asks once it is settled."""

    def __init__(self, bounded: Callable[[Any], Any]) -> None:
        self._bounded = bounded
        # For each answer that is being worked out, the lowest open one that it has needed so far.
        self._needs: list[int] = []
        self._waiting: list[tuple[dict[Any, Any], Any]] = []
        # What the last round found of answers that are worked out again, by memory and key.
        self._guesses: dict[tuple[int, Any], Any] = {}

    @property
    def depth(self) -> int:
        """How many answers are being worked out."""
        return len(self._needs)

    def needed(self, one: Open[Answer]) -> Answer:
        """What is known so far of an open answer, which the one that is being worked out needs."""
        if one.lowest < self._needs[-1]:
            self._needs[-1] = one.lowest
        return one.answer

    def settle(
        self, memory: dict[Any, Any], key: object, nothing: Answer, find: Callable[..., Answer], *given: Any
    ) -> Answer:
        """What `find(*given)` gives; `nothing` is what it is taken for while it is worked out for the first time.

        memory: where the answer is kept under `key`, and where nothing stood before.
        """
        needs, position, begun = self._needs, len(self._needs), len(self._waiting)
        needs.append(_NONE_OPEN)
        first = self._guesses.get((id(memory), key), nothing) if self._guesses else nothing
        memory[key] = one = Open(first, position)
        try:
            answer = find(*given)
            if needs[position] <= position:
                answer = self._bounded(answer)
            if needs[position] == position and answer != first:
                answer = self._again(one, answer, begun, find, *given)
        except BaseException:
            self._forget(begun)
            self._guesses.clear()
            needs.pop()
            del memory[key]
            raise
        lowest = needs.pop()
        if lowest < position:
            # It rests on an answer that is still open: who works on that one decides.
            one.answer, one.lowest = answer, lowest
            self._waiting.append((memory, key))
            if lowest < needs[-1]:
                needs[-1] = lowest
            return answer
        memory[key] = answer
        if lowest == position:
            self._keep(begun)
        return answer

    def _again(self, one: Open[Answer], answer: Answer, begun: int, find: Callable[..., Answer], *given: Any) -> Answer:
        """The answer that stays the same when it is worked out from itself."""
        position = one.lowest
        guessed: set[tuple[int, Any]] = set()
        for _ in range(_MAX_ROUNDS):
            guesses = {(id(memory), key): memory[key].answer for memory, key in self._waiting[begun:]}
            self._guesses |= guesses
            guessed |= guesses.keys()
            self._forget(begun)
            self._needs[position] = _NONE_OPEN
            one.answer = answer
            answer = self._bounded(find(*given))
            found = ((id(memory), key, memory[key].answer) for memory, key in self._waiting[begun:])
            if answer == one.answer and all(guesses.get((owner, key)) == it for owner, key, it in found):
                break
        for name in guessed:
            self._guesses.pop(name, None)
        return answer

    def retract(self, memory: dict[Any, Any], keys: Iterable[Any]) -> None:
        """Drop answers that were asked for too early, by what the answer that is worked out now has asked."""
        gone = set(keys)
        for key in gone:
            del memory[key]
        self._waiting = [one for one in self._waiting if one[0] is not memory or one[1] not in gone]

    def _forget(self, begun: int) -> None:
        """Drop what rests on an answer that has changed."""
        for memory, key in self._waiting[begun:]:
            del memory[key]
        del self._waiting[begun:]

    def _keep(self, begun: int) -> None:
        """Keep what rested on an answer that is settled now."""
        for memory, key in self._waiting[begun:]:
            memory[key] = memory[key].answer
        del self._waiting[begun:]
