"""The life of a child process: import the class, build it, call it, run its histories; a record before each stage."""

from __future__ import annotations

import os
import random
import re
import sys
import time
import traceback
import warnings
from collections.abc import Callable
from typing import Any

from torch import nn

from .code import code_of_build, code_of_call
from .construction import arguments_for
from .histories import HISTORIES, IN_TRAINING, ON_A_DEVICE, WITHOUT_FORWARD, Subject, is_repeatable, lines_run
from .imports import class_in
from .line_child import look
from .memo import show_tables
from .other_ways import variations
from .recipe import CannotBuildError, CannotCallError, Recipe, recipe_from_hint, with_call
from .registering import refused_assignments
from .seeds import reseed
from .settled import is_needed
from .subject import Facts
from .walk import tensors_below
from .writers import later_writers, movers_of

# Facts with an entry for each tensor of a module, and the names that a path begins with.
_ABOUT_MANY = ("held", "there", "renewed", "derived")
_FIRST = re.compile(r"\w+")
# Of CPU: no other way is begun after that.
_SECONDS_OF_VARIATIONS = 4.0
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
        if job["is_again"]:
            _try_otherwise(kind, job, tell)
            return
        subject = _subject(kind, job, tell)
        tell({"stage": "lines", **lines_run(subject)})
    except BaseException as error:  # a file that calls sys.exit() when it is imported, too
        tell({"stage": "failed", **_failure(error, job["path"])})
        return
    _tell_histories(subject, job, tell)


def _try_otherwise(kind: type[nn.Module], job: dict[str, Any], tell: Tell) -> None:
    """The histories once more, for each other way to build and call the class: as many as there is time for."""
    until = time.process_time() + _SECONDS_OF_VARIATIONS
    recipe = recipe_from_hint(kind, job.get("hint", {}), job["seed"])
    for one in variations(recipe, job):
        if time.process_time() > until:
            return
        keys = [claim["key"] for claim in one.claims]
        histories = [name for name in job["histories"] if any(name in claim["histories"] for claim in one.claims)]
        part = {**job, "claims": one.claims, "histories": histories}
        tell({"stage": "variation", "keys": keys})
        try:
            _tell_used(one.recipe, part, tell)
        except Exception as error:
            tell({"stage": "stopped", "name": "variation", **_failure(error, job["path"])})


def _tell_used(recipe: Recipe, job: dict[str, Any], tell: Tell) -> None:
    """What is seen of a class that is built and called in one way, where the lines of the claims run at all."""
    _tell_built(recipe, tell)
    if recipe.call is not None:
        _tell_call(recipe, tell)
    subject = _subject_of(recipe, job)
    lines = lines_run(subject)
    tell({"stage": "lines", **lines})
    ran = {*lines["built"], *lines["ran"]}
    if not _holds_any(recipe, job["claims"]):
        return
    if any(claim["line"] <= line <= max(claim["line"], claim["last_line"]) for claim in job["claims"] for line in ran):
        _tell_histories(subject, job, tell)


def _holds_any(recipe: Recipe, claims: list[dict[str, Any]]) -> bool:
    """False where all claims are about tensors in attributes, and there is none."""
    module = recipe.build()
    return any(claim["code"] not in ("TL101", "TL105") or _is_held(module, claim["member"]) for claim in claims)


def _is_held(module: nn.Module, member: str) -> bool:
    """True where a tensor can be reached by way of an attribute, of the module or of a part of it."""
    value: Any = module
    for name in member.split("."):
        value = getattr(value, name, None)
    return bool(tensors_below(value))


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
        parts = _FIRST.findall(path)[:2]
        # "angle*" is every name that begins so.
        return path in same or any(
            part.startswith(name[:-1]) if name[-1:] == "*" else part.endswith(name) for part in parts for name in firsts
        )

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
    try:
        recipe = recipe_from_hint(kind, job.get("hint", {}), job["seed"])
    except CannotBuildError:
        if _members(job, "TL109"):
            tell({"stage": "refused", "lines": refused_assignments(lambda: arguments_for(kind), _file(job))})
        raise
    _tell_built(recipe, tell)
    tell({"stage": "forward"})
    try:
        is_trained = any(name in IN_TRAINING for name in job["histories"])
        in_two_sizes = "resize" in job["histories"]
        recipe = with_call(recipe, job["seed"], in_two_sizes=in_two_sizes, in_training=is_trained)
    except CannotCallError as error:
        tell({"stage": "no forward", **_failure(error.cause, job["path"])})
    else:
        # The forward may have asked for other arguments than those that were found first.
        _tell_built(recipe, tell)
        _tell_call(recipe, tell)
    return _subject_of(recipe, job)


def _subject_of(recipe: Recipe, job: dict[str, Any]) -> Subject:
    return Subject(recipe, _file(job), job["device"], _members(job), _mentioned(job, "TL118"))


def _file(job: dict[str, Any]) -> str:
    return os.path.realpath(str(job["path"]))


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


def _tell_call(recipe: Recipe, tell: Tell) -> None:
    assert recipe.call is not None
    told = {"text": recipe.call.text, "code": code_of_call(recipe.call), "entry": recipe.entry}
    before = [[name, call.text, code_of_call(call)] for name, call in recipe.before]
    tell({"stage": "ran", **told, "before": before, "repeatable": is_repeatable(recipe)})


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
