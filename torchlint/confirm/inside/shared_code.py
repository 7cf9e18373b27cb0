"""The arguments of one call as expressions, where several have a model or an optimizer in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from .standins import MODEL, OPTIMIZER

_MARK = re.compile(r"<\d+>")


@dataclass
class _Thing:
    """A model or an optimizer of the call. names: of the arguments that are it. uses: how often it is spoken of."""

    code: str
    names: list[str] = field(default_factory=list)
    uses: int = 0


def spoken(codes: Mapping[str, str]) -> dict[str, str]:
    """The expressions with what stands for MODEL and OPTIMIZER in them; in the order in which they are evaluated.

    What two arguments have in common is named where it is made: `model=(model := SmallModel())`.
    """
    company = _Company()
    marked = {name: company.marked(name, code) for name, code in codes.items()}
    return {name: company.unmarked(code) for name, code in marked.items()}


class _Company:
    """Says of which model and optimizer an argument is, as standins.Company does when it makes them."""

    def __init__(self) -> None:
        self._things: list[_Thing] = []
        self._model = self._optimizer = ""
        self._taken: set[str] = set()
        self._is_named: set[str] = set()

    def marked(self, name: str, code: str) -> str:
        """The expression of an argument with marks, "<0>", for what it may have in common with others."""
        if OPTIMIZER in code:
            marked = code.replace(OPTIMIZER, self._optimizer_for(code))
        elif MODEL in code:
            marked = code.replace(MODEL, self._model_for(code))
        else:
            return code
        if _MARK.fullmatch(marked):
            self._thing(marked).names.append(name)
        return marked

    def unmarked(self, code: str) -> str:
        """The expression with the things in the place of their marks; to be asked in the order of evaluation."""
        return _MARK.sub(lambda mark: self._told(mark[0]), code)

    def _told(self, mark: str) -> str:
        thing = self._thing(mark)
        if mark in self._is_named:
            return thing.names[0]
        code = self.unmarked(thing.code)
        if thing.uses == 1:
            return code
        self._is_named.add(mark)
        return f"({thing.names[0]} := {code})"

    def _thing(self, mark: str) -> _Thing:
        return self._things[int(mark[1:-1])]

    def _model_for(self, role: str) -> str:
        if role in self._taken or not self._model:
            self._model, self._optimizer, self._taken = self._new("SmallModel()"), "", set()
        self._taken.add(role)
        return self._used(self._model)

    def _optimizer_for(self, role: str) -> str:
        before = self._model
        is_new = role in self._taken or not before or not self._optimizer
        model = self._model_for(role)
        if not is_new:
            self._thing(model).uses -= 1  # the optimizer that is there has it already
            return self._used(self._optimizer)
        self._optimizer = self._new(f"torch.optim.SGD({model}.parameters(), lr=0.1)")
        return self._used(self._optimizer)

    def _new(self, code: str) -> str:
        self._things.append(_Thing(code))
        return f"<{len(self._things) - 1}>"

    def _used(self, mark: str) -> str:
        self._thing(mark).uses += 1
        return mark
