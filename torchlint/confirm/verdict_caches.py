"""Verdicts about what a module keeps from one forward to the next: TL103, TL104, TL112."""

from __future__ import annotations

from torchlint.confirm.case import Case, Judgement, harm_of
from torchlint.findings import Verdict


def stale(case: Case) -> Judgement:
    events = [name for name in case.needed if name not in ("freed", "rebuilds")]
    if not events:
        return case.inconclusive("what the finding says it outlives cannot be tried")
    not_a_cache = _no_cache(case)
    if not_a_cache:
        return case.inconclusive(not_a_cache)
    built = {path for name in events for path in case.facts.get(name, {}).get("built", ())}
    for name in events:
        is_conversion = name.startswith(("half", "move"))
        outcome, path = harm_of(case, name) if is_conversion else (_kept_value(case, name), "")
        if outcome:
            return case.confirmed(name, outcome, path)
    if not case.mine(built):
        return case.inconclusive(f"no forward that ran fills {case.member}")
    if not case.is_repeatable:
        return case.inconclusive("forward gives another result each time")
    idle = next((name for name in events if not _is_renewed(case, name)), None)
    if idle is not None:
        return case.inconclusive(f"{case.member} is filled, but nothing was seen of it in: {idle}")
    counts = case.facts.get("rebuilds", {}).get("counts", {})
    times = max((counts[path] for path in case.mine(counts)), default=0)
    how = "once" if times == 1 else f"{times} times" if times else "never"
    kept = f"built {how} in three forwards, and renewed at each event"
    return case.refuted(events[0], f"{case.member} is {kept}: the output is that of a fresh module")


def _no_cache(case: Case) -> str:
    """Why what is kept is no cache, so that an old value says nothing; "" where it may be one."""
    moving = case.mine(case.facts.get("rebuilds", {}).get("moving", ()))
    if moving:
        return f"{moving[0]} has another value after each forward: it is a state, not a cache"
    if case.claim.code == "TL104" and case.written_by_owner:
        return f"{case.written_by_owner} writes {case.member}, and decides how long it is kept"
    return ""


def _kept_value(case: Case, name: str) -> str:
    """What an attribute that was not renewed does to forward; "" where nothing is seen."""
    facts = case.facts.get(name, {})
    if facts.get("fresh") or not case.is_repeatable:
        return ""
    matter, built = facts.get("matter", ()), facts.get("built", ())
    # A cache that only another one was computed from does not matter any more; both are of the old weights.
    is_chain = bool(matter) and set(matter) <= set(built)
    replaced = facts.get("replaced", ())  # by a layer of its own weights, which nothing is compared with
    mine = [path for path in case.mine(facts.get("stale", ())) if path not in replaced]
    old = [path for path in mine if path in matter or (is_chain and path in built)]
    if not old:
        return ""
    if facts["raised"]:
        return f"{old[0]} keeps its old value, and forward raises: {facts['raised']}"
    return f"{old[0]} keeps its old value: the output differs from that of a fresh module {facts['differs']}"


def _is_renewed(case: Case, name: str) -> bool:
    """True where an event had something to renew in the attribute, and that was done."""
    if not case.ran(name) or (case.facts[name].get("differs") and not name.startswith("half")):
        return False
    facts = case.facts[name]
    if name.startswith(("half", "move")):
        return bool(case.mine(facts["there"])) and not case.mine(facts["left"])
    return bool(case.mine(facts["renewed"])) and not case.mine(facts["stale"])


def remembered(case: Case) -> Judgement:
    """A method that functools remembers: a cache as any other, and one that may keep the module alive."""
    alive = case.mine(case.facts.get("freed", {}).get("kept by", ()))
    judgement = stale(case)
    if judgement.verdict is not Verdict.CONFIRMED and alive and "freed" in case.needed:
        return case.confirmed("freed", f"only the table of {case.claim.member}() keeps the module alive")
    return judgement
