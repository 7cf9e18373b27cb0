"""From what a child told to a verdict for each finding. Pure: it runs nothing and knows torch by name alone.

Confirmed: the attribute or method of the finding itself is in the evidence. Refuted: it was exercised in every way that
the finding speaks of, and did no harm. All else is inconclusive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from torchlint.confirm.plan import Claim
from torchlint.confirm.supervisor import Answer
from torchlint.findings import Verdict

Facts = Mapping[str, Any]
_REGISTERED = ("parameter", "buffer")
_EVAL = ".eval(); forward; "
_DID = {
    "move": '.to("{device}"); forward',
    "move when used": _EVAL + '.to("{device}"); forward',
    "half": ".to(torch.bfloat16); forward",
    "half when used": _EVAL + ".to(torch.bfloat16); forward",
    "half after a second eval": ".eval(); .train(); " + _EVAL + ".to(torch.bfloat16); forward",
    "load": _EVAL + "load_state_dict(); forward",
    "train again": _EVAL + ".train(); an update of the weights; forward",
    "eval again": _EVAL + ".train(); an update of the weights; .eval(); forward",
    "resize": "forward; forward with a longer input",
    "reload": "load_state_dict() of other weights",
    "twice": ".train(); forward; backward, twice",
    "protocol": ".train(False); .train(); .eval()",
    "state": "",
}
_IN_PARENT = " in a parent"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reason: a sentence that says how the class was built, what was done, and what came of it.

    history: the one that decided. path: the tensor or method that it is about, as "self.table[0]".
    """

    verdict: Verdict
    evidence: str
    history: str = ""
    path: str = ""


class _Case:
    """One claim, with all that is known of its class."""

    def __init__(self, claim: Claim, answer: Answer, device: str) -> None:
        self.claim = claim
        self.facts: dict[str, Facts] = {r["name"]: r["facts"] for r in answer.records if r["stage"] == "facts"}
        self.stages = {record["stage"]: record for record in answer.records}
        self.stopped = {r["name"]: r["error"] for r in answer.records if r["stage"] == "stopped"}
        self.ended = answer.ended
        self._device = "cuda" if device == "sim" else device
        self._is_simulated = device == "sim"
        self.needed = [name for name in claim.histories if device or not name.startswith("move")]
        owner = re.escape(answer.job.qualname.rpartition(".")[2].lstrip("_"))
        # A name with two underscores is stored under that of its class.
        self._path = re.compile(rf"self\.(_{owner})?{re.escape(claim.member)}(?![A-Za-z0-9_]).*", re.DOTALL)

    @property
    def member(self) -> str:
        """The attribute of the finding, as code writes it."""
        return f"self.{self.claim.member}"

    def mine(self, paths: Iterable[str]) -> list[str]:
        """Those of the paths that are, or lie below, the attribute of the finding; also by another name of the same."""
        same = self.facts.get("state", {}).get("same", {}).get(self.member, ())
        return [path for path in paths if path in same or (self.claim.member and self._path.fullmatch(path))]

    def ran(self, name: str) -> bool:
        """True where a history went to its end, with a forward that did not raise."""
        facts = self.facts.get(name)
        return facts is not None and facts.get("raised", "no forward") == "" and not facts.get("fresh")

    def has_run(self, when: str) -> bool:
        """True where the line of the finding ran when the class was "built", or when it "ran"."""
        lines = self.stages.get("lines", {}).get(when, ())
        return any(self.claim.line <= line <= max(self.claim.line, self.claim.last_line) for line in lines)

    @property
    def is_repeatable(self) -> bool:
        """True where the same forward gives the same result twice."""
        return bool(self.stages.get("ran", {}).get("repeatable"))

    def story(self, history: str, outcome: str) -> str:
        """The evidence: what was built, done and seen."""
        built = self.stages.get("constructed", {"text": "", "seed": 0})
        called = self.stages.get("ran", {}).get("text", "")
        did = _DID[history.removesuffix(_IN_PARENT)].format(device=self._device)
        if not called:
            did = did.removesuffix("; forward")
        if history.endswith(_IN_PARENT):
            did = f"as a part of another module: {did}"
        inputs = f" with {called}" if called and "forward" in did else ""
        where = " [simulated device]" if self._is_simulated and history.startswith("move") else ""
        steps = f"{built['text']}; {did}{inputs}{where}" if did else built["text"]
        return f"{steps}: {outcome} (seed {built['seed']})"

    def confirmed(self, history: str, outcome: str, path: str = "") -> Judgement:
        return Judgement(Verdict.CONFIRMED, self.story(history, outcome), history, path or self.member)

    def refuted(self, history: str, outcome: str) -> Judgement:
        return Judgement(Verdict.REFUTED, self.story(history, outcome), history)

    def inconclusive(self, reason: str) -> Judgement:
        return Judgement(Verdict.INCONCLUSIVE, reason)


def judge(answer: Answer, device: str) -> dict[str, Judgement]:
    """A judgement for each claim of a job, by the key of its finding. device: as in Surroundings."""
    return {claim.key: _judged(_Case(claim, answer, device)) for claim in answer.job.claims}


def _judged(case: _Case) -> Judgement:
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


def _cause(case: _Case, unfinished: list[str]) -> str:
    """Why histories have no facts."""
    no_forward = case.stages.get("no forward")
    if no_forward is not None:
        return f"no inputs were found on which forward runs: {no_forward['error']}"
    stopped = next((f"{name}: {case.stopped[name]}" for name in unfinished if name in case.stopped), "")
    return stopped or case.ended


# What a class says that cannot be built: TL107, TL109

_RAISES_WHEN_BUILT = {
    "TL107": re.compile(r"KeyError: .*(already exists|can't contain|empty string)"),
    "TL109": re.compile(r"before Module\.__init__\(\) call|has no attribute '_(parameters|buffers|modules)'"),
}


def _of_failure(case: _Case, failed: Facts) -> Judgement:
    """A class that could not be built: proof for the rules that say so, if it was the line and error of the finding."""
    stage = "construct" if "construct" in case.stages else "import"
    wanted = _RAISES_WHEN_BUILT.get(case.claim.code)
    is_there = case.claim.line <= failed["line"] <= max(case.claim.line, case.claim.last_line)
    if stage == "construct" and is_there and wanted is not None and wanted.search(failed["error"]):
        evidence = f"constructing it raises at line {failed['line']}: {failed['error']}"
        return Judgement(Verdict.CONFIRMED, evidence, "construct")
    reason = f"{failed['error']}" + (f" (line {failed['line']})" if failed["line"] else "")
    what = "the file could not be imported" if stage == "import" else "no arguments were found that build the class"
    return case.inconclusive(f"{what}: {reason}")


def _was_built(case: _Case) -> Judgement:
    return case.inconclusive("the class could be built in the way that was tried")


# Tensors that stay behind: TL101, TL105


def _left_behind(case: _Case) -> Judgement:
    state = case.facts.get("state")
    if state is None:
        return case.inconclusive("the class could not be looked at")
    lost = case.mine(state["unregistered parameters"])
    if lost:
        return case.confirmed("state", f"{lost[0]} is in neither parameters() nor state_dict()", lost[0])
    for name in ("move", "half"):
        harm, path = _harm(case, name)
        if harm:
            return case.confirmed(name, harm, path)
    stays = next((name for name in ("move", "half") if case.mine(case.facts.get(name, {}).get("left", ()))), None)
    return _stays(case, stays, state["read"]) if stays is not None else _moves(case, state)


def _stays(case: _Case, history: str, read_before: list[str]) -> Judgement:
    """A tensor that stays behind, and no harm was seen."""
    facts = case.facts[history]
    path = case.mine(facts["left"])[0]
    if case.mine(facts.get("read", ())) and facts["finished"]:
        return case.confirmed(history, f"{path} stays behind (state only: forward converts it)", path)
    if case.mine(read_before):
        return case.confirmed(
            history, f"{path} stays behind, and forward reads it (state only: it raises before that)", path
        )
    if "ran" in case.stages:
        return case.inconclusive(f"{case.member} stays behind, but the forward that ran does not read it")
    return case.confirmed(history, f"{path} stays behind (state only: no forward ran)", path)


def _moves(case: _Case, state: Facts) -> Judgement:
    """No tensor of the attribute stays behind: fine, if there is one and the line of the finding made it."""
    held = {path: how for path, how in state["held"].items() if path in case.mine(state["held"])}
    is_alias = case.member in state["only Parameters of the module"]
    if not held and not is_alias:
        return case.inconclusive(f"{case.member} held no tensor in an object that was built so")
    if not case.has_run("built"):
        return case.inconclusive(f"line {case.claim.line} did not run in an object that was built so")
    if is_alias:
        return case.refuted("state", f"{case.member} holds only Parameters that the module has as such too")
    if all(how in _REGISTERED for how in held.values()):
        return case.refuted("state", f"{', '.join(held)} is registered")
    return _went_along(case, held)


def _went_along(case: _Case, held: Iterable[str]) -> Judgement:
    """Plain tensors of which none stayed behind: refuted where all were seen to have moved, also by a parent."""
    tried = [name for name in ("move", "half") if name in case.facts]
    for name in tried:
        if any(path not in case.facts[name]["there"] for path in held) and name == tried[0]:
            return case.inconclusive(f"{case.member} is not there after the conversion")
        parent = case.facts.get(name + _IN_PARENT)
        if parent is None or case.mine(parent["left"]):
            return case.inconclusive(f"{case.member} moves with the module, but not as a part of another one")
    return case.refuted(tried[0], f"{case.member} moved with the module") if tried else case.inconclusive("not tried")


def _harm(case: _Case, name: str) -> tuple[str, str]:
    """What an attribute that stayed behind does to forward, and which tensor of it; "" where nothing is seen."""
    facts = case.facts.get(name, {})
    if facts.get("fresh"):
        return "", ""
    for clash in facts.get("clashes", ()):
        names = case.mine(clash["names"])
        if not names or names[0] not in facts["left"]:
            continue
        line = f" at line {clash['line']}" if clash["line"] else ""
        if clash["what"] == "raised" and facts["raised"] and not facts.get("doubts"):
            others = f" (once {', '.join(clash['by_hand'])} is converted by hand)" if clash["by_hand"] else ""
            return (
                f"{clash['operation']}{line} raises{others}, since {names[0]} stayed behind: {clash['error']}",
                names[0],
            )
        if clash["what"] == "promoted" and _is_promoted(facts):
            turned = f"{clash['operation']}{line} turns float32, since {names[0]} stayed float32"
            return f"{turned}, and so does the output", names[0]
    return "", ""


def _is_promoted(facts: Facts) -> bool:
    """True where the output is float32 only because something was left in it."""
    wide, otherwise = facts.get("dtypes", ()), facts.get("dtypes when all convert", ())
    return "torch.float32" in wide and bool(otherwise) and "torch.float32" not in otherwise


# Caches: TL103, TL104


def _stale(case: _Case) -> Judgement:
    if not case.needed:
        return case.inconclusive("what the finding says it outlives cannot be tried")
    built = {path for name in case.needed for path in case.facts.get(name, {}).get("built", ())}
    for name in case.needed:
        is_conversion = name.startswith(("half", "move"))
        outcome, path = _harm(case, name) if is_conversion else (_kept_value(case, name), "")
        if outcome:
            return case.confirmed(name, outcome, path)
    if not case.mine(built):
        return case.inconclusive(f"no forward that ran fills {case.member}")
    if not case.is_repeatable:
        return case.inconclusive("forward gives another result each time")
    idle = next((name for name in case.needed if not _is_renewed(case, name)), None)
    if idle is not None:
        return case.inconclusive(f"{case.member} is filled, but nothing was seen of it in: {idle}")
    return case.refuted(case.needed[0], f"{case.member} is renewed, and the output is that of a fresh module")


def _kept_value(case: _Case, name: str) -> str:
    """What an attribute that was not renewed does to forward; "" where nothing is seen."""
    facts = case.facts.get(name, {})
    if facts.get("fresh") or not case.is_repeatable:
        return ""
    matter, built = facts.get("matter", ()), facts.get("built", ())
    # A cache that only another one was computed from does not matter any more; both are of the old weights.
    is_chain = bool(matter) and set(matter) <= set(built)
    old = [path for path in case.mine(facts.get("stale", ())) if path in matter or (is_chain and path in built)]
    if not old:
        return ""
    if facts["raised"]:
        return f"{old[0]} keeps its old value, and forward raises: {facts['raised']}"
    return f"{old[0]} keeps its old value: the output differs from that of a fresh module {facts['differs']}"


def _is_renewed(case: _Case, name: str) -> bool:
    """True where an event had something to renew in the attribute, and that was done."""
    if not case.ran(name) or (case.facts[name].get("differs") and not name.startswith("half")):
        return False
    facts = case.facts[name]
    if name.startswith(("half", "move")):
        return bool(case.mine(facts["there"])) and not case.mine(facts["left"])
    return bool(case.mine(facts["renewed"])) and not case.mine(facts["stale"])


# The others


def _kept_graph(case: _Case) -> Judgement:
    facts = case.facts.get("twice")
    if facts is None:
        return case.inconclusive("two training steps could not be run")
    kept, carrying = case.mine(facts["kept"]), case.mine(facts["carrying"])
    if carrying:
        return case.confirmed("twice", f"{facts['raised']} ({carrying[0]} keeps the graph)")
    if kept and facts["copy"] and "deepcopy" in case.claim.text:
        return case.confirmed("twice", f"{kept[0]} keeps the graph, and a copy fails: {facts['copy']}")
    for name in ("move when used", "half when used") if kept else ():
        harm, path = _harm(case, name)
        if harm:
            return case.confirmed(name, harm, path)
    if kept:
        return case.inconclusive(f"{kept[0]} keeps the graph of the last call, and nothing that ran needs it")
    if not facts["trained"] or not case.has_run("ran"):
        return case.inconclusive(f"no training step that ran stores {case.member}")
    if any(case.mine(case.facts.get(name, {}).get("left", ())) for name in ("move when used", "half when used")):
        return case.inconclusive(f"{case.member} keeps no graph, but stays behind")
    return case.refuted("twice", f"{case.member} keeps no graph, and nothing stays behind")


def _derived(case: _Case) -> Judgement:
    facts = case.facts.get("reload")
    if facts is None:
        return case.inconclusive("a second one with other weights could not be built")
    derived = case.mine(facts["derived"])
    if not derived:
        return case.inconclusive(f"{case.member} is not computed from the weights in an object that was built so")
    for name, also in (("stale", ""), ("stale when converted", " where the module was converted to float64 before")):
        stale = [path for path in case.mine(facts[name]) if path in derived]
        if stale and "ran" in case.stages and not case.mine(facts["read"]):
            return case.inconclusive(f"{stale[0]} is still that of its first weights, but forward does not read it")
        if stale:
            return case.confirmed("reload", f"{stale[0]} is still that of its first weights{also}")
    if not case.has_run("built"):
        return case.inconclusive(f"line {case.claim.line} did not run in an object that was built so")
    return case.refuted("reload", f"{case.member} is that of the weights it has")


_ARGUMENT = re.compile(r"TypeError: .*(argument|positional)")


def _protocol(case: _Case) -> Judgement:
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


def _fault_of_train(case: _Case, facts: Facts) -> str:
    """What train() breaks; "" where nothing is sure."""
    is_no_switch = "is no change of mode" in case.claim.text
    if facts["raised"] and (is_no_switch or _ARGUMENT.search(facts["raised"])):
        return f"raises {facts['raised']}"
    if facts["returned"] not in ("", "self"):
        return f"train(False) returns {facts['returned']}"
    return "the module is still in training mode after train(False)" if "self" in facts["still"] else ""


def _own_eval(case: _Case, facts: Facts) -> Judgement:
    if facts["eval_returned"] not in ("", "self"):
        return case.confirmed("protocol", f"eval() returns {facts['eval_returned']}")
    alone = facts.get("by eval alone", ())
    if alone:
        return case.confirmed("protocol", f"eval() makes {alone[0]} what it should be, and eval() of a parent does not")
    return case.inconclusive("nothing was seen that eval() does and eval() of a parent does not")


def _lost(case: _Case) -> Judgement:
    for name, where in (("state", ""), ("state elsewhere", " (built in float64 or on another device)")):
        held = case.facts.get(name, {}).get("held", {})
        found = [held[path] for path in case.mine(held)]
        if found and case.has_run("built") and not set(_REGISTERED).intersection(found):
            return case.confirmed("state", f"{case.member} is no Parameter: no optimizer sees it{where}")
    return case.inconclusive(f"{case.member} is a Parameter as long as the conversion does nothing")


def _emptied(case: _Case) -> Judgement:
    is_none = case.member in case.facts.get("state", {}).get("none", ())
    if is_none and case.has_run("built"):
        return case.confirmed("state", f"{case.member} is None")
    return case.inconclusive(f"{case.member} was not seen to be emptied")


_JUDGES: Mapping[str, Callable[[_Case], Judgement]] = {
    "TL101": _left_behind,
    "TL102": _kept_graph,
    "TL103": _stale,
    "TL104": _stale,
    "TL105": _left_behind,
    "TL106": _derived,
    "TL107": _was_built,
    "TL108": _protocol,
    "TL109": _was_built,
    "TL114": _lost,
    "TL115": _emptied,
}
