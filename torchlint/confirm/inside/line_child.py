"""The life of a child process that looks at lines: find a way to each, call it, and watch the line."""

from __future__ import annotations

import dataclasses
import itertools
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from .code import code_of_call
from .guard import guard
from .imports import thing_in
from .inputs import Call
from .line_probes import ERRORS, PROBES
from .line_watch import Lines
from .other_guesses import made_up, misfit, others
from .rehearsal import REHEARSAL, rehearse
from .scene import Scene, forget_regions
from .subject import Facts
from .trial import Failure
from .ways import Called, Way, text_of, ways_to

_SECONDS = 6.0
_SECONDS_OF_ALL = 20.0
_MOST_CALLS = 2
_OF_INPUTS = ("TL204", "TL302")
# What works on data before it is on a device.
_OF_DATA = re.compile(r"^\w*(collate|transform|augment|preprocess)\w*\(\)$|\.__(call|getitem|iter|next)__\(\)$")
Attempt = tuple[Call, Failure | None]
Tell = Callable[[dict[str, Any]], None]


def look(job: dict[str, Any], tell: Tell) -> None:
    """Look at the line of each claim of a job. What goes wrong with all of them is raised."""
    rehearse()
    tell({"stage": "import"})
    found = thing_in(job["path"], job["roots"], job["module"], job["qualname"])
    guard()
    tell({"stage": "construct"})
    known = {
        member: [Known(way) for way in ways_to(found, member, job.get("hint", {}), job["seed"])]
        for member in dict.fromkeys(claim["member"] for claim in job["claims"])
    }
    seconds = min(_SECONDS, _SECONDS_OF_ALL / len(job["claims"]))
    for claim in job["claims"]:
        tell({"stage": "look", "name": claim["key"]})
        try:
            facts = _facts(claim, known[claim["member"]], job, time.process_time() + seconds)
        except Exception as error:
            facts = {"ran": False, "raised": f"{type(error).__name__}: {error}"[:300]}
        tell({"stage": "facts", "name": claim["key"], "facts": facts})


class Known:
    """A way with the calls that were tried for one claim, which the next one need not try again."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self.kinds = way.kinds()
        self._sources: dict[torch.dtype | None, list[tuple[_Kept, bool]]] = {}

    def sources(self, dtype: torch.dtype | None) -> list[tuple[_Kept, bool]]:
        """As those of the way, which may be gone through several times."""
        if dtype not in self._sources:
            self._sources[dtype] = [(_Kept(source), is_last) for source, is_last in self.way.sources(dtype)]
        return self._sources[dtype]

    @property
    def unsaid(self) -> frozenset[str]:
        """The arguments of a function of which nothing says that they are tensors. Those of forward are."""
        is_forward = not isinstance(self.way.build(), Called)
        return frozenset() if is_forward else frozenset(name for name, kind in self.kinds.items() if kind == "")


class _Kept:
    """What an iterator gives, kept for the next time."""

    def __init__(self, source: Iterator[Attempt]) -> None:
        self._source, self._found = source, list[Attempt]()

    def __iter__(self) -> Iterator[Attempt]:
        for place in itertools.count():
            if place == len(self._found):
                following = next(self._source, None)
                if following is None:
                    return
                self._found.append(following)
            yield self._found[place]


def _facts(claim: dict[str, Any], ways: list[Known], job: dict[str, Any], until: float) -> Facts:
    """What is seen in the call that says most. until: the process time at which to give up."""
    lines = Lines(os.path.realpath(job["path"]), claim["line"], max(claim["line"], claim["last_line"]))
    best: Facts = {"ran": False, "raised": "no arguments were found"}
    for known in (one for one in ways if _says_something(claim["code"], one.way)):
        for facts in _looks(claim, known, lines, job["device"]):
            best = facts if _worth(facts) > _worth(best) or "call" not in best else best
            # What depends on a guess does so with other guesses that look alike, too.
            if facts.get("harm") or "without" in facts or time.process_time() > until:
                return best
    return best


def _says_something(code: str, way: Way) -> bool:
    """False where a way leads to the line with tensors that may never be there: on a device, or halved."""
    is_of_data = code == "TL204" and _OF_DATA.search(way.text) is not None
    return code not in _OF_INPUTS or not (way.is_guess or is_of_data)


def _worth(facts: Facts) -> tuple[bool, bool, bool, bool]:
    return bool(facts.get("harm")), "without" in facts, facts["ran"] and not facts["raised"], facts["ran"]


def _looks(claim: dict[str, Any], known: Known, lines: Lines, device: str) -> Iterator[Facts]:
    """What is seen in one call after another, as far as they run or end as the finding says."""
    way = known.way
    named = re.search(r"\b(float16|bfloat16)\b", claim["text"]) if claim["code"] == "TL302" else None
    has_run = False
    for source, is_last_resort in known.sources(getattr(torch, named[1]) if named else None):
        done = 0
        if is_last_resort and has_run:
            continue
        for call, failure in source:
            forget_regions()
            doubt = _doubt(claim["code"], known, call)
            if doubt:
                yield {"ran": False, "raised": doubt}
                continue
            if failure is not None and not ERRORS[claim["code"]].search(f"{failure.error}"):
                yield {"ran": False, "raised": f"{type(failure.error).__name__}: {failure.error}"[:300]}
                continue
            scene = Scene(way, call, lines, claim["text"], device, known.unsaid)
            seen = _seen(claim["code"], scene, known.kinds)
            facts = {**seen, "call": _told(way, call), "seed": way.seed, "code": _code(way, call)}
            yield facts
            done += failure is None and facts["ran"]
            has_run = has_run or done > 0
            if done == _MOST_CALLS:
                break


def _doubt(code: str, known: Known, call: Call) -> str:
    """Why a call says nothing whatever happens in it; "" where it may say something."""
    wrong = misfit(known.kinds, call)
    if wrong:
        return f"{wrong} could not be made"
    name = made_up(call) if code == "TL205" else ""
    return f"the order in memory of what comes out of {name} is made up" if name else ""


def _seen(code: str, scene: Scene, kinds: Mapping[str, Any]) -> Facts:
    """What a probe sees. A harm that does not happen with other arguments that are as likely is none."""
    facts = PROBES[code](scene)
    for other in others(code, scene.call, kinds) if facts.get("harm") else ():
        again = PROBES[code](dataclasses.replace(scene, call=other.call))
        # With another flag the code may go on, and fail for what else was guessed.
        is_past = other.is_flag and again["raised"] and again["line"] >= facts["harm"][0]["line"]
        if again["ran"] and not again.get("harm") and (is_past or not again["raised"]):
            return {**facts, "harm": [], "without": other.text}
    return facts


def _code(way: Way, call: Call) -> dict[str, Any]:
    """The call as code, for a script that repeats it. loads: whether code of the file may have loaded a state."""
    code = {"build": way.code.build, "member": way.code.member, "call": code_of_call(call)}
    return {**code, "loads": REHEARSAL.has_loaded}


def _told(way: Way, call: Call) -> str:
    """The call as a person would describe it."""
    inputs = text_of(call)
    return f"{way.text} with {inputs}" if inputs else way.text
