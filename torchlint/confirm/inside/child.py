"""The life of a child process: import the class, build it, call it, run its histories; a record before each stage."""

from __future__ import annotations

import os
import random
import re
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

from torch import nn

from .code import code_of_build, code_of_call
from .histories import HISTORIES, ON_A_DEVICE, WITHOUT_FORWARD, Subject, is_repeatable, lines_run
from .imports import class_in
from .line_child import look
from .memo import show_tables
from .recipe import CannotBuildError, CannotCallError, Recipe, recipe_from_hint, with_call
from .seeds import reseed
from .settled import is_needed
from .subject import Facts
from .writers import later_writers, movers_of

# Facts with an entry for each tensor of a module, and the names that a path begins with.
_ABOUT_MANY = ("held", "there", "renewed", "derived")
_FIRST = re.compile(r"\w+")
# What a sentence says of methods: "observe() updates".
_MENTIONED = re.compile(r"\b(\w+)\(\)")
Record = dict[str, Any]
Tell = Callable[[Record], None]


def live(job: dict[str, Any], tell: Tell) -> None:
    """Do what a job asks for. job: as plan.Job says. What goes wrong is a record as well."""
    warnings.simplefilter("ignore")
    _seed(job["seed"])
    try:
        if job["is_of_lines"]:
            look(job, tell)
            return
        tell({"stage": "import"})
        kind = class_in(job["path"], job["roots"], job["module"], job["qualname"])
        show_tables(kind, _members(job, "TL112"))
        members = _members(job)
        tell({"stage": "class", "writers": later_writers(kind, members), "movers": movers_of(kind, members)})
        subject = _subject(kind, job, tell)
        tell({"stage": "lines", **lines_run(subject)})
    except BaseException as error:  # a file that calls sys.exit() when it is imported, too
        tell({"stage": "failed", **_failure(error, job["path"])})
        return
    _tell_histories(subject, job, tell)


def _tell_histories(subject: Subject, job: dict[str, Any], tell: Tell) -> None:
    told: dict[str, Facts] = {}
    for name in job["histories"]:
        is_possible = (subject.can_run or name in WITHOUT_FORWARD) and (subject.device or name not in ON_A_DEVICE)
        if not is_possible or not is_needed(name, job["claims"], told):
            continue
        _seed(job["seed"])
        tell({"stage": "history", "name": name})
        try:
            told[name] = _of_claims(HISTORIES[name](subject), job["claims"])
            tell({"stage": "facts", "name": name, "facts": told[name]})
        except Exception as error:
            tell({"stage": "stopped", "name": name, **_failure(error, job["path"])})


def _of_claims(facts: Facts, claims: list[dict[str, Any]]) -> Facts:
    """The facts without what they say of other attributes: large modules have thousands."""
    wanted = {f"self.{claim['member']}" for claim in claims}
    firsts = {claim["member"].partition(".")[0] for claim in claims}
    same = {path for name, paths in facts.get("same", {}).items() if name in wanted for path in paths}

    def is_wanted(path: str) -> bool:
        return path in same or any(part.endswith(name) for part in _FIRST.findall(path)[:2] for name in firsts)

    kept = {
        name: {path: how for path, how in value.items() if is_wanted(path)}
        if isinstance(value, dict)
        else list(filter(is_wanted, value))
        for name, value in facts.items()
        if name in _ABOUT_MANY
    }
    return {**facts, **kept, "same": {name: facts["same"][name] for name in facts.get("same", {}) if name in wanted}}


def _seed(seed: int) -> None:
    random.seed(seed)
    reseed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed)


def _subject(kind: type[nn.Module], job: dict[str, Any], tell: Tell) -> Subject:
    """The class with a way to build it and, if there is one, to call it."""
    tell({"stage": "construct"})
    recipe = recipe_from_hint(kind, job.get("hint", {}), job["seed"])
    _tell_built(recipe, tell)
    tell({"stage": "forward"})
    try:
        recipe = with_call(recipe, job["seed"], in_two_sizes="resize" in job["histories"])
    except CannotCallError as error:
        tell({"stage": "no forward", **_failure(error.cause, job["path"])})
    else:
        assert recipe.call is not None
        # The forward may have asked for other arguments than those that were found first.
        _tell_built(recipe, tell)
        code = code_of_call(recipe.call)
        tell({"stage": "ran", "text": recipe.call.text, "code": code, "repeatable": is_repeatable(recipe)})
    return Subject(recipe, os.path.realpath(job["path"]), job["device"], _members(job), _mentioned(job, "TL118"))


def _members(job: dict[str, Any], *codes: str) -> tuple[str, ...]:
    """The attributes and methods that the claims name: all, or those of some rules."""
    claims = [claim for claim in job["claims"] if not codes or claim["code"] in codes]
    return tuple(dict.fromkeys(claim["member"] for claim in claims))


def _mentioned(job: dict[str, Any], code: str) -> tuple[str, ...]:
    """The methods that the sentences of a rule speak of."""
    texts = [claim["text"] for claim in job["claims"] if claim["code"] == code]
    return tuple(dict.fromkeys(name for text in texts for name in _MENTIONED.findall(text)))


def _tell_built(recipe: Recipe, tell: Tell) -> None:
    tell({"stage": "constructed", "text": recipe.text, "code": code_of_build(recipe), "seed": recipe.seed})


def _failure(error: BaseException, path: str) -> Record:
    """The error as text, the last line of the checked file that it passed through (0: none), what was assigned then."""
    cause = error.cause if isinstance(error, CannotBuildError) else error
    lines = [one.lineno for one in traceback.extract_tb(cause.__traceback__) if _is_same(one.filename, path)]
    assigned = _assigned(cause)
    return {"error": f"{type(cause).__name__}: {cause}"[:300], "line": (lines or [0])[-1] or 0, "assigned": assigned}


def _assigned(error: BaseException) -> str:
    """The attribute of a module whose assignment raised, "" where it was something else that did."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    last = frames[-1] if frames else None
    is_it = last is not None and last.f_code is nn.Module.__setattr__.__code__
    return str(last.f_locals.get("name", "")) if is_it and last is not None else ""


def _is_same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
