"""From what a child told to a verdict for each finding. Pure: it runs nothing and knows torch by name alone.

Confirmed: the attribute or method of the finding itself is in the evidence. Refuted: it was exercised in every way that
the finding speaks of, and did no harm. All else is inconclusive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from torchlint.confirm.case import REGISTERED, Case, Facts, Judgement, harm_of
from torchlint.confirm.supervisor import Answer
from torchlint.confirm.verdict_caches import remembered, stale
from torchlint.confirm.verdict_left import left_behind
from torchlint.confirm.verdict_more import JUDGES as MORE
from torchlint.findings import Verdict


def judge(answer: Answer, device: str) -> dict[str, Judgement]:
    """A judgement for each claim of a job, by the key of its finding. device: as in Surroundings.

    Of a job that tries other ways only those that one of them confirms.
    """
    if not answer.job.is_again:
        return {claim.key: _judged(Case(claim, answer, device)) for claim in answer.job.claims}
    return {key: one for part in reversed(parts_of(answer)) for key, one in _of_part(part, device).items()}


def _of_part(part: Answer, device: str) -> dict[str, Judgement]:
    found = {claim.key: _judged(Case(claim, part, device)) for claim in part.job.claims}
    return {key: one for key, one in found.items() if one.verdict is Verdict.CONFIRMED}


def parts_of(answer: Answer) -> list[Answer]:
    """What was told of each way to build and call the class, as if that had been the only one."""
    starts = [at for at, record in enumerate(answer.records) if record["stage"] == "variation"]
    if not starts:
        return [answer]
    common = answer.records[: starts[0]]
    parts = []
    for start, end in zip(starts, [*starts[1:], len(answer.records)], strict=True):
        claims = tuple(one for one in answer.job.claims if one.key in answer.records[start]["keys"])
        job = replace(answer.job, claims=claims)
        parts.append(replace(answer, job=job, records=(*common, *answer.records[start + 1 : end])))
    return parts


def _judged(case: Case) -> Judgement:
    failed = case.stages.get("failed")
    if failed is not None:
        return _of_failure(case, failed)
    if "constructed" not in case.stages:
        last = next(reversed(case.stages), "start")
        return case.inconclusive(f"stopped at {last}: {case.ended or 'it ended without a word'}")
    judgement = _JUDGES[case.claim.code](case)
    if judgement.verdict is Verdict.REFUTED and judgement.history != "state" and case.was_not_moved:
        return case.inconclusive("nothing was seen, but there was no device to move it to")
    unfinished = [name for name in case.needed if name not in case.facts]
    if judgement.verdict is Verdict.CONFIRMED or not unfinished:
        return judgement
    reason = (
        judgement.evidence if judgement.verdict is Verdict.INCONCLUSIVE else "nothing was seen, but not all was tried"
    )
    cause = _cause(case, unfinished)
    return case.inconclusive(f"{reason}; {cause}" if cause else reason)


def _cause(case: Case, unfinished: list[str]) -> str:
    """Why histories have no facts."""
    no_forward = case.stages.get("no forward")
    if no_forward is not None:
        return f"no inputs were found on which forward runs: {no_forward['error']}"
    stopped = next((f"{name}: {case.stopped[name]}" for name in unfinished if name in case.stopped), "")
    return stopped or case.ended


# What a class says that cannot be built: TL107, TL109

_RAISES_WHEN_BUILT = {
    "TL107": re.compile(
        r"(KeyError|TypeError): .*(already exists|can\\?'t contain|can\\?'t be empty|empty string|should be a string"
        r"|is not a string)"
    ),
    "TL109": re.compile(r"before Module\.__init__\(\) call|has no attribute '_(parameters|buffers|modules)'"),
}


def _of_failure(case: Case, failed: Facts) -> Judgement:
    """A class that could not be built: proof for the rules that say so, if it was the line and error of the finding."""
    stage = "construct" if "construct" in case.stages else "import"
    wanted = _RAISES_WHEN_BUILT.get(case.claim.code)
    is_there = case.claim.line <= failed["line"] <= max(case.claim.line, case.claim.last_line)
    # The constructor of a dataclass is written by nobody and has no lines in the file.
    is_field = "field of a dataclass" in case.claim.text and failed.get("assigned") == case.claim.member
    if stage == "construct" and (is_there or is_field) and wanted is not None and wanted.search(failed["error"]):
        where = f"line {failed['line']}" if is_there else f"the assignment to {case.member}"
        return Judgement(Verdict.CONFIRMED, f"constructing it raises at {where}: {failed['error']}", "construct")
    # Whoever builds it asks for parameters(), as an optimizer does.
    is_its_method = f".{case.claim.member}() " in failed["error"] and _ARGUMENT.search(failed["error"])
    if case.claim.code == "TL108" and is_its_method and stage == "construct":
        return Judgement(Verdict.CONFIRMED, f"calling it as torch does raises {failed['error']}", "construct")
    passed_over = _where_passed_over(case, failed)
    if passed_over:
        return Judgement(Verdict.CONFIRMED, passed_over, "construct")
    reason = f"{failed['error']}" + (f" (line {failed['line']})" if failed["line"] else "")
    what = "the file could not be imported" if stage == "import" else "no arguments were found that build the class"
    return case.inconclusive(f"{what}: {reason}")


def _where_passed_over(case: Case, failed: Facts) -> str:
    """What a later assignment does once those before it, which raise the same, are passed over; "" where it was not
    seen to raise."""
    refused = case.lines_of(
        one for one in case.stages.get("refused", {}).get("lines", ()) if one[1] == case.claim.member
    )
    if not refused or case.claim.code != "TL109":
        return ""
    return (
        f"constructing it raises at line {failed['line']}: {failed['error']}; where that is passed over, "
        f"line {refused[0]} raises the same for {case.member}"
    )


# The others


def _kept_graph(case: Case) -> Judgement:
    facts = case.facts.get("twice")
    if facts is None:
        return case.inconclusive("two training steps could not be run")
    decided = _second_backward(case, facts)
    if decided is not None:
        return decided
    kept = case.mine(facts["kept"])
    if kept and facts["copy"] and "deepcopy" in case.claim.text:
        return case.confirmed("twice", f"{kept[0]} keeps the graph, and a copy fails: {facts['copy']}")
    counts = case.facts.get("rebuilds", {}).get("counts", {})
    # What one forward makes for all that follow is a cache, of which other rules speak.
    is_memory = max((counts[path] for path in case.mine(counts)), default=0) != 1
    for name in ("move when used", "half when used") if kept and is_memory else ():
        harm, path = harm_of(case, name)
        if harm:
            return case.confirmed(name, harm, path)
    if kept:
        return case.inconclusive(f"{kept[0]} keeps the graph of the last call, and nothing that ran needs it")
    if not facts["trained"] or not case.has_run("trained"):
        return case.inconclusive(f"no training step that ran stores {case.member}")
    if any(case.mine(case.facts.get(name, {}).get("left", ())) for name in ("move when used", "half when used")):
        return case.inconclusive(f"{case.member} keeps no graph, but stays behind")
    return case.refuted("twice", f"{case.member} keeps no graph, and nothing stays behind")


def _second_backward(case: Case, facts: Facts) -> Judgement | None:
    """What a second step says of the attribute; None where it does not need what that keeps."""
    carrying, behind = case.mine(facts["carrying"]), case.mine(facts.get("behind a layer", ()))
    if carrying and not set(carrying).difference(facts.get("anew", ())) and "grows with every" not in case.claim.text:
        return case.inconclusive(f"{carrying[0]} keeps the graph until a method starts it anew")
    if carrying:
        return case.confirmed("twice", f"{facts['raised']} ({carrying[0]} keeps the graph)")
    if behind:
        return case.confirmed("twice behind a layer", f"the second backward raises, since {behind[0]} keeps the graph")
    return None


def _derived(case: Case) -> Judgement:
    facts = case.facts.get("reload")
    if facts is None:
        return case.inconclusive("a second one with other weights could not be built")
    derived = case.mine(facts["derived"])
    if case.written_by:
        return case.inconclusive(f"{case.written_by} writes {case.member}, which may be a state of its own by then")
    if not derived:
        return case.inconclusive(f"{case.member} is not computed from the weights in an object that was built so")
    for name, also in (("stale", ""), ("stale when converted", " where the module was converted to float64 before")):
        stale = [path for path in case.mine(facts[name]) if path in derived]
        if stale and facts.get("frozen") and not case.mine(facts["stale when all is loaded"]):
            return case.inconclusive(f"no weight is trained, and a whole state_dict() brings {stale[0]} with them")
        if stale and "ran" in case.stages and not case.mine(facts["read"]):
            return case.inconclusive(f"{stale[0]} is still that of its first weights, but forward does not read it")
        if stale:
            return case.confirmed("reload", f"{stale[0]} is still that of its first weights{also}")
    if not case.has_run("built"):
        return case.inconclusive(f"line {case.claim.line} did not run in an object that was built so")
    return case.refuted("reload", f"{case.member} is that of the weights it has")


_KEEPS_MODE = re.compile(r"never reaches train\(\)|training flag by hand|without its mode|in training mode")
_ARGUMENT = re.compile(r"TypeError: .*(argument|positional)")


def _protocol(case: Case) -> Judgement:
    facts = case.facts.get("protocol")
    if facts is None:
        return case.inconclusive("train(False) could not be called")
    member = case.claim.member
    if member in facts["not callable"]:
        return case.confirmed("state", f"{member} cannot be called")
    if member == "eval":
        return _own_eval(case, facts)
    if member != "train":
        return case.inconclusive(f"what {member}() does to others was not tried")
    fault = _fault_of_train(case, facts)
    if fault:
        return case.confirmed("protocol", fault)
    if facts["raised"]:
        return case.inconclusive(f"raises {facts['raised']}")
    if facts["still"] or facts["not_back"]:
        parts = ", ".join((facts["still"] or facts["not_back"])[:3])
        return case.inconclusive(f"{parts} did not change the mode, which may be meant")
    if facts["unreached"]:
        return case.inconclusive(f"line {facts['unreached'][0]} did not run in train() of an object that was built so")
    return case.refuted("protocol", "returns the module and switches it and all its parts")


def _fault_of_train(case: Case, facts: Facts) -> str:
    """What train() breaks; "" where nothing is sure."""
    is_no_switch = "is no change of mode" in case.claim.text
    if facts["raised"] and (is_no_switch or _ARGUMENT.search(facts["raised"])):
        return f"raises {facts['raised']}"
    if facts["returned"] not in ("", "self"):
        return f"train(False) returns {facts['returned']}"
    # A module that keeps its mode may be meant to: where the finding does not say so, that is no fault.
    is_said = _KEEPS_MODE.search(case.claim.text) is not None
    is_kept = is_said and "self" in facts["still"]
    return "the module is still in training mode after train(False)" if is_kept else ""


def _own_eval(case: Case, facts: Facts) -> Judgement:
    if _ARGUMENT.search(facts["raised"]) and ".eval()" in facts["raised"]:
        return case.confirmed("protocol", f"eval() without arguments raises {facts['raised']}")
    if facts["eval_returned"] not in ("", "self"):
        return case.confirmed("protocol", f"eval() returns {facts['eval_returned']}")
    alone = facts.get("by eval alone", ())
    if alone:
        return case.confirmed("protocol", f"eval() makes {alone[0]} what it should be, and eval() of a parent does not")
    return case.inconclusive("nothing was seen that eval() does and eval() of a parent does not")


def _lost(case: Case) -> Judgement:
    for name, where in (("state", ""), ("state elsewhere", " (built in float64 or on another device)")):
        facts = case.facts.get(name, {})
        found = [facts["held"][path] for path in case.mine(facts.get("held", ()))]
        is_plain = bool(found) and not set(REGISTERED).intersection(found)
        if is_plain and case.has_run("built") and case.mine(facts["of lost Parameters"]):
            return case.confirmed("state", f"{case.member} is no Parameter: no optimizer sees it{where}")
    registered = case.mine(case.facts.get("state", {}).get("held", ()))
    if registered and set(REGISTERED).intersection(case.facts["state"]["held"][one] for one in registered):
        return case.inconclusive(f"{case.member} is a Parameter as long as the conversion does nothing")
    return case.inconclusive(f"{case.member} is not computed from a Parameter that the module does not have")


def _emptied(case: Case) -> Judgement:
    is_none = case.member in case.facts.get("state", {}).get("none", ())
    facts = case.facts.get("registrations", {})
    # What is lost is also registered with None: by the assignment, after the call.
    if is_none and case.lines_of(facts.get("empty", ())) and not case.lines_of(facts.get("registered", ())):
        return case.inconclusive(f"None is what line {case.claim.line} registers")
    if is_none and case.has_run("built"):
        return case.confirmed("state", f"{case.member} is None")
    return case.inconclusive(f"{case.member} was not seen to be emptied")


_JUDGES: Mapping[str, Callable[[Case], Judgement]] = {
    "TL101": left_behind,
    "TL102": _kept_graph,
    "TL103": stale,
    "TL104": stale,
    "TL105": left_behind,
    "TL106": _derived,
    "TL108": _protocol,
    "TL112": remembered,
    "TL113": left_behind,
    "TL114": _lost,
    "TL115": _emptied,
    **MORE,
}
