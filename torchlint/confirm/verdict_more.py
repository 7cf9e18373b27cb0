"""Verdicts of the rules whose proof is an experiment of their own: registration, modes, one backward pass, a resume."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from torchlint.confirm.case import Case, Facts, Judgement

_NAME = re.compile(r"the name '([^']*)'")


# What a constructor registers: TL107, TL109


def _registered(case: Case) -> Judgement:
    """A class that was built: fine, if the registration of the finding ran and is what the finding speaks of."""
    facts = case.facts.get("registrations")
    if facts is None:
        return case.inconclusive("the class was built, and what it registers could not be looked at")
    if "hides it" in case.claim.text and case.mine(facts["hidden"]):
        return case.confirmed("registrations", f"{case.member} does not give the module that is registered so")
    names = _names_at(case, facts)
    if not names:
        return case.inconclusive(f"line {case.claim.line} registered nothing in an object that was built so")
    if not any(_is_meant(case, name) for name in names):
        return case.inconclusive(f"line {case.claim.line} registered other names: {', '.join(names[:3])}")
    return case.refuted("registrations", f"line {case.claim.line} registers {names[0]!r}, and nothing raises")


def _names_at(case: Case, facts: Facts) -> list[str]:
    last = max(case.claim.line, case.claim.last_line)
    return [name for line, name in facts["registered"] if case.claim.line <= line <= last]


def _is_meant(case: Case, name: str) -> bool:
    """True for a name that is as the finding says: a certain one, one with a dot, or the attribute itself."""
    if case.claim.code == "TL109":
        return name == case.claim.member
    if "hides it" in case.claim.text:
        return False
    quoted = _NAME.search(case.claim.text)
    if quoted is not None or " '" in case.claim.text:
        return name == (quoted[1] if quoted is not None else case.claim.member)
    return "." in name or name == ""


# Modes: TL118


def _woken(case: Case) -> Judgement:
    facts = case.facts.get("wake")
    if facts is None:
        return case.inconclusive("train() could not be called")
    asleep, awake = _parts(case, facts["asleep"]), _parts(case, facts["awake"])
    if not asleep:
        return case.inconclusive("no part that computes something else in training mode was put into evaluation mode")
    if facts["trainer"]:
        return case.inconclusive("its trainer decides what is in training mode")
    if not facts["is trained"] or not facts["trained"]:
        return case.inconclusive("nothing else in it was seen that is there to be trained")
    if awake and ("ran" in case.stages or "has no forward()" in case.stages.get("no forward", {}).get("error", "")):
        kind = facts["kinds"][awake[0]]
        when = " as forward runs" if "ran" in case.stages else ""
        return case.confirmed("wake", f"{awake[0]} ({kind}) is in training mode again{when}", awake[0])
    if awake:
        return case.inconclusive(f"{awake[0]} is in training mode again, but no forward ran, which may switch it back")
    if not case.has_run("built"):
        return case.inconclusive(f"line {case.claim.line} did not run in an object that was built so")
    return case.refuted("wake", f"{', '.join(asleep[:3])} stays in evaluation mode")


def _parts(case: Case, paths: list[str]) -> list[str]:
    """Those at or below the part that the finding names; all where it names a method."""
    is_method = f"{case.claim.member}() puts" in case.claim.text
    return list(paths) if is_method else case.mine(paths)


# What is saved, and what is not: TL120, TL122


def _unloadable(case: Case) -> Judgement:
    facts = case.facts.get("resume")
    if facts is None:
        return case.inconclusive("no training steps could be run")
    member = case.claim.member
    keys = [key for key in facts["unexpected"] if key.rpartition(".")[2] == member]
    if keys and "Unexpected key" in facts["refused"] and not facts["refused before"]:
        return case.confirmed("resume", f'raises "Unexpected key(s) in state_dict" for {keys[0]!r}')
    if keys:
        return case.inconclusive(f"{keys[0]!r} has no place in a fresh one, but load_state_dict() did not say so alone")
    if member not in facts["changed"]:
        return case.inconclusive(f"no forward that ran fills {case.member}")
    if member in facts["restored"] and not facts["refused"]:
        return case.refuted("resume", f"{case.member} is filled, saved and loaded")
    return case.inconclusive(f"{case.member} is filled, but not what a fresh one would be refused for")


def _unsaved(case: Case) -> Judgement:
    facts = case.facts.get("resume")
    if facts is None:
        return case.inconclusive("no training steps could be run")
    member = case.claim.member
    if member not in facts["changed"]:
        return case.inconclusive(f"no training step that ran changes {case.member}")
    if member in facts["restored"]:
        return case.refuted("resume", f"{case.member} is what it was, since the state_dict() brings it back")
    how = facts["matter"].get(member)
    if not how:
        return case.inconclusive(f"{case.member} is lost, but no output was seen to depend on it")
    if member in facts["by training"] and "training" not in how:
        return case.inconclusive(f"{case.member} is lost, but the next training step makes it anew")
    if member in facts["by eval"]:
        anew = " and a method starts it anew" if member in facts["anew"] else ""
        reason = f"forward changes it in evaluation too{anew}, so that it may belong to one input"
        return case.inconclusive(f"{case.member} is lost and matters, but {reason}")
    if case.is_other_way and member in facts["anew"]:
        return case.inconclusive(f"{case.member} is lost and matters, but a method starts it anew")
    return case.confirmed("resume", f"{case.member} is lost: with it the output is another one {how}")


# One backward pass: TL121


def _overwritten(case: Case) -> Judgement:
    facts = case.facts.get("once")
    if facts is None:
        return case.inconclusive("no forward and backward could be run")
    found = case.mine(facts["overwritten"])
    if facts["error"] and found:
        error = facts["error"].partition(": [")[0]
        return case.confirmed("once", f"{error} ({found[0]} was written to after it was saved)", found[0])
    if facts["error"]:
        return case.inconclusive("backward raises, but not because of this buffer alone")
    if not facts["trained"]:
        return case.inconclusive("no backward ran")
    if not case.mine(facts["written"]) or not case.has_run("trained"):
        return case.inconclusive(f"no forward that ran in training mode writes {case.member} in place")
    return case.refuted("once", f"{case.member} is written in place, and backward runs")


JUDGES: Mapping[str, Callable[[Case], Judgement]] = {
    "TL107": _registered,
    "TL109": _registered,
    "TL118": _woken,
    "TL120": _unloadable,
    "TL121": _overwritten,
    "TL122": _unsaved,
}
