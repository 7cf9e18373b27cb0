"""Verdicts about tensors that no conversion reaches: TL101, TL105, TL113."""

from __future__ import annotations

from collections.abc import Iterable

from torchlint.confirm.case import IN_PARENT, REGISTERED, Case, Facts, Judgement, harm_of
from torchlint.findings import Verdict

# What a finding says of a tensor that forward converts itself.
_CONVERTED = "converts at every read"


def left_behind(case: Case) -> Judgement:
    """Whether the tensor of a finding of TL101, TL105 or TL113 stays behind when its module is moved or saved."""
    state = case.facts.get("state")
    if state is None:
        return case.inconclusive("the class could not be looked at")
    if case.is_other_way and case.written_from_outside_by:
        return case.inconclusive(
            f"{case.written_from_outside_by} may give {case.member} another value before it is read"
        )
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
    if case.written_later_by:
        return f"{case.written_later_by} writes {case.member}: it holds data of the run"
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
        return _harmless(case, history, path)
    if case.mine(read_before):
        return case.confirmed(
            history, f"{path} stays behind, and forward reads it (state only: it raises before that)", path
        )
    if "ran" in case.stages:
        return case.inconclusive(f"{case.member} stays behind, but the forward that ran does not read it")
    if case.is_worse_way:
        return case.inconclusive(f"{case.member} stays behind, but no forward ran in this way")
    return case.confirmed(history, f"{path} stays behind (state only: no forward ran)", path)


def _harmless(case: Case, history: str, path: str) -> Judgement:
    """A tensor that stays behind, and forward reads it and runs."""
    is_converted = path in case.facts[history].get("converted", ())
    if is_converted and _CONVERTED not in case.claim.text:
        return case.inconclusive(f"{path} stays behind, and forward converts it")
    how = "forward converts it" if is_converted else "forward runs all the same"
    return case.confirmed(history, f"{path} stays behind (state only: {how})", path)


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
