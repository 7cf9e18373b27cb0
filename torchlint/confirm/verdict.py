"""From what a child told to a verdict for each finding. Pure: it runs nothing and knows torch by name alone.

Confirmed: the attribute or method of the finding itself is in the evidence. Refuted: it was exercised in every way that
the finding speaks of, and did no harm. All else is inconclusive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from torchlint.confirm.case import IN_PARENT, REGISTERED, Case, Facts, Judgement, harm_of
from torchlint.confirm.supervisor import Answer
from torchlint.confirm.verdict_caches import remembered, stale
from torchlint.confirm.verdict_more import JUDGES as MORE
from torchlint.findings import Verdict


def judge(answer: Answer, device: str) -> dict[str, Judgement]:
    """A judgement for each claim of a job, by the key of its finding. device: as in Surroundings."""
    return {claim.key: _judged(Case(claim, answer, device)) for claim in answer.job.claims}


def _judged(case: Case) -> Judgement:
    failed = case.stages.get("failed")
    if failed is not None:
        return _of_failure(case, failed)
    if "constructed" not in case.stages:
        last = next(reversed(case.stages), "start")
        return case.inconclusive(f"stopped at {last}: {case.ended or 'it ended without a word'}")
    judgement = _JUDGES[case.claim.code](case)
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
    reason = f"{failed['error']}" + (f" (line {failed['line']})" if failed["line"] else "")
    what = "the file could not be imported" if stage == "import" else "no arguments were found that build the class"
    return case.inconclusive(f"{what}: {reason}")


# Tensors that stay behind: TL101, TL105


def _left_behind(case: Case) -> Judgement:
    state = case.facts.get("state")
    if state is None:
        return case.inconclusive("the class could not be looked at")
    judgement = _what_stays(case, state)
    doubt = (_other_line(case, state) or _no_state(case, state)) if judgement.verdict is Verdict.CONFIRMED else ""
    return case.inconclusive(doubt) if doubt else judgement


def _other_line(case: Case, state: Facts) -> str:
    """Why what stays behind is not what the line of the finding makes, or moves after all; "" where it may be."""
    if case.moved_by:
        return f"{case.moved_by} moves {case.member}"
    held = state["held"]
    is_made_early = case.claim.code == "TL113" or any(held[path] in ("class", "global") for path in case.mine(held))
    if is_made_early or case.has_run("built") or case.has_run("ran"):
        return ""
    return f"line {case.claim.line} did not run in an object that was built so"


def _what_stays(case: Case, state: Facts) -> Judgement:
    lost = case.mine(state["unregistered parameters"])
    if lost:
        return case.confirmed("state", f"{lost[0]} is in neither parameters() nor state_dict()", lost[0])
    for name in ("move", "half"):
        harm, path = harm_of(case, name)
        if harm:
            return case.confirmed(name, harm, path)
    stays = next((name for name in ("move", "half") if case.mine(case.facts.get(name, {}).get("left", ()))), None)
    return _stays(case, stays, state["read"]) if stays is not None else _moves(case, state)


def _no_state(case: Case, state: Facts) -> str:
    """Why the members of a container are no state of the module, or nobody's; "" where they may be."""
    if case.claim.code != "TL105":
        return ""
    given_out = case.mine(state.get("given out", ()))
    if given_out:
        return f"parameters() of the class gives out {given_out[0]}"
    if case.member in state.get("refilled", ()):
        return f"forward puts other tensors into {case.member}: it holds data of the run"
    if case.written_by:
        return f"{case.written_by} writes {case.member}: it holds data of the run"
    is_lost = bool(case.mine(state["unregistered parameters"]))
    is_unread = is_lost and "ran" in case.stages and not case.mine(state["read"])
    return f"the forward that ran does not read {case.member}" if is_unread else ""


def _stays(case: Case, history: str, read_before: list[str]) -> Judgement:
    """A tensor that stays behind, and no harm was seen."""
    facts = case.facts[history]
    path = case.mine(facts["left"])[0]
    if path in facts.get("brought along", ()):
        return case.inconclusive(f"{path} stays behind, and forward brings it along")
    if case.mine(facts.get("read", ())) and facts["finished"]:
        return case.confirmed(history, f"{path} stays behind (state only: forward converts it)", path)
    if case.mine(read_before):
        return case.confirmed(
            history, f"{path} stays behind, and forward reads it (state only: it raises before that)", path
        )
    if "ran" in case.stages:
        return case.inconclusive(f"{case.member} stays behind, but the forward that ran does not read it")
    return case.confirmed(history, f"{path} stays behind (state only: no forward ran)", path)


def _moves(case: Case, state: Facts) -> Judgement:
    """No tensor of the attribute stays behind: fine, if there is one and the line of the finding made it."""
    held = {path: how for path, how in state["held"].items() if path in case.mine(state["held"])}
    is_alias = case.member in state["only Parameters of the module"]
    if not held and not is_alias:
        return case.inconclusive(f"{case.member} held no tensor in an object that was built so")
    if not case.has_run("built"):
        return case.inconclusive(f"line {case.claim.line} did not run in an object that was built so")
    if is_alias:
        return case.refuted("state", f"{case.member} holds only Parameters that the module has as such too")
    if all(how in REGISTERED for how in held.values()):
        return case.refuted("state", f"{', '.join(held)} is registered")
    return _went_along(case, held)


def _went_along(case: Case, held: Iterable[str]) -> Judgement:
    """Plain tensors of which none stayed behind: refuted where all were seen to have moved, also by a parent."""
    tried = [name for name in ("move", "half") if name in case.facts]
    for name in tried:
        if any(path not in case.facts[name]["there"] for path in held) and name == tried[0]:
            return case.inconclusive(f"{case.member} is not there after the conversion")
        parent = case.facts.get(name + IN_PARENT)
        if parent is None or case.mine(parent["left"]):
            return case.inconclusive(f"{case.member} moves with the module, but not as a part of another one")
    return case.refuted(tried[0], f"{case.member} moved with the module") if tried else case.inconclusive("not tried")


# The others


def _kept_graph(case: Case) -> Judgement:
    facts = case.facts.get("twice")
    if facts is None:
        return case.inconclusive("two training steps could not be run")
    kept, carrying = case.mine(facts["kept"]), case.mine(facts["carrying"])
    if (
        carrying
        and not set(carrying).difference(facts.get("anew", ()))
        and "grows with every call" not in case.claim.text
    ):
        return case.inconclusive(f"{carrying[0]} keeps the graph until a method starts it anew")
    if carrying:
        return case.confirmed("twice", f"{facts['raised']} ({carrying[0]} keeps the graph)")
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
    "TL101": _left_behind,
    "TL102": _kept_graph,
    "TL103": stale,
    "TL104": stale,
    "TL105": _left_behind,
    "TL106": _derived,
    "TL108": _protocol,
    "TL112": remembered,
    "TL113": _left_behind,
    "TL114": _lost,
    "TL115": _emptied,
    **MORE,
}
