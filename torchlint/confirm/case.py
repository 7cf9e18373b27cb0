"""One claim with all that is known of its class, and the judgement that comes of it. Pure, as the verdicts are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torchlint.confirm.plan import Claim
from torchlint.confirm.supervisor import Answer
from torchlint.findings import Verdict

Facts = Mapping[str, Any]
REGISTERED = ("parameter", "buffer")
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
    "load by assignment": _EVAL + "load_state_dict(assign=True); forward",
    "eval again after a fused step": _EVAL + ".train(); a step of a fused optimizer; .eval(); forward",
    "resize": "forward; forward with a longer input",
    "reload": "load_state_dict() of other weights",
    "twice": ".train(); forward; backward, twice",
    "twice behind a layer": ".train(); forward behind a layer; backward, twice",
    "protocol": ".train(False); .train(); .eval()",
    "state": "",
    "registrations": "",
    "rebuilds": ".eval(); forward, three times",
    "freed": ".eval(); forward; del",
    "wake": ".train(); forward",
    "once": ".train(); forward; backward",
    "resume": ".train(); forward and backward three times; load_state_dict() of its state into a fresh one",
}
IN_PARENT = " in a parent"
_FORWARD = re.compile(r"(?<![\w.])forward(?![\w(=])")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reason: a sentence that says how the class was built, what was done, and what came of it.

    history: the one that decided. path: the tensor or method that it is about, as "self.table[0]".
    """

    verdict: Verdict
    evidence: str
    history: str = ""
    path: str = ""


def _as_pattern(member: str) -> str:
    """A name as a regular expression: "angle*" is every name that is made so at run time."""
    return re.escape(member).replace(r"\*", r"\w*")


class Case:
    """One claim, with all that is known of its class."""

    def __init__(self, claim: Claim, answer: Answer, device: str) -> None:
        self.claim = claim
        self.facts: dict[str, Facts] = {r["name"]: r["facts"] for r in answer.records if r["stage"] == "facts"}
        self.stages = {record["stage"]: record for record in answer.records}
        self.stopped = {r["name"]: r["error"] for r in answer.records if r["stage"] == "stopped"}
        self.ended = answer.ended
        self.is_other_way = answer.job.is_again
        # The usual way to call it ran, so that another way that does not run says little.
        self.is_worse_way = self.is_other_way and answer.job.has_run
        self._device = "cuda" if device == "sim" else device
        self._is_simulated = device == "sim"
        self.needed = [name for name in claim.histories if device or not name.startswith("move")]
        owner = re.escape(answer.job.qualname.rpartition(".")[2].lstrip("_"))
        # A name with two underscores is stored under that of its class.
        top = r"(\w+\.)?" if claim.code == "TL113" else r"self\."
        self._path = re.compile(rf"{top}(_{owner})?{_as_pattern(claim.member)}(?![A-Za-z0-9_]).*", re.DOTALL)

    @property
    def was_not_moved(self) -> bool:
        """True where the finding asks for a move, and there was no device."""
        return len(self.needed) < len(self.claim.histories)

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
        """True where the line of the finding ran when the class was "built", was "trained", or "ran" in either mode."""
        lines = self.stages.get("lines", {}).get(when, ())
        return any(self.claim.line <= line <= max(self.claim.line, self.claim.last_line) for line in lines)

    @property
    def written_by(self) -> str:
        """A method that writes the attribute at any later time, "update()"; "" for none."""
        return next((f"{name}()" for name, *_ in self._writers), "")

    @property
    def written_later_by(self) -> str:
        """One of these that construction does not call."""
        return next((f"{name}()" for name, _ in self._later_writers), "")

    @property
    def written_from_outside_by(self) -> str:
        """One of those that no method of the class calls, forward() aside."""
        return next((f"{name}()" for name, is_open in self._later_writers if is_open), "")

    @property
    def _later_writers(self) -> list[tuple[str, bool]]:
        built = self.stages.get("lines", {}).get("built", ())
        return [
            (name, is_open)
            for name, is_open, first, last in self._writers
            if not any(first <= line <= last for line in built)
        ]

    def lines_of(self, noted: Iterable[Sequence[Any]]) -> list[int]:
        """The lines of the finding at which something was noted, of pairs that begin with a line."""
        last = max(self.claim.line, self.claim.last_line)
        return [one[0] for one in noted if self.claim.line <= one[0] <= last]

    @property
    def moved_by(self) -> str:
        """What moves the attribute where the module is a part of another one, "Model._apply()"; "" for none."""
        movers: Sequence[str] = self.stages.get("class", {}).get("movers", {}).get(self.claim.member, ())
        return next((f"{name}()" for name in movers), "")

    @property
    def written_by_owner(self) -> str:
        """One of these that no method of the class calls, and that is not about the line of the finding."""
        line = self.claim.line
        others = [name for name, is_open, first, last in self._writers if is_open and not first <= line <= last]
        return f"{others[0]}()" if others else ""

    @property
    def _writers(self) -> Sequence[tuple[str, bool, int, int]]:
        writers: Sequence[tuple[str, bool, int, int]] = (
            self.stages.get("class", {}).get("writers", {}).get(self.claim.member, ())
        )
        return writers

    @property
    def is_repeatable(self) -> bool:
        """True where the same forward gives the same result twice."""
        return bool(self.stages.get("ran", {}).get("repeatable"))

    def story(self, history: str, outcome: str) -> str:
        """The evidence: what was built, done and seen."""
        built = self.stages.get("constructed", {"text": "", "seed": 0})
        has_run = "ran" in self.stages
        did = _DID[history.removesuffix(IN_PARENT)].format(device=self._device)
        if not has_run:
            did = did.removesuffix("; forward")
        if history.endswith(IN_PARENT):
            did = f"as a part of another module: {did}"
        inputs = self._inputs if has_run and "forward" in did else ""
        where = " [simulated device]" if self._is_simulated and history.startswith("move") else ""
        steps = f"; {did}{inputs}{where}" if did else ""
        return f"{built['text']}{self._named(f'{steps}: {outcome}')} (seed {built['seed']})"

    @property
    def _inputs(self) -> str:
        """What forward was called with, and what was called before it in training mode."""
        ran = self.stages["ran"]
        given = f" with {ran['text']}" if ran["text"] else ""
        return given + "".join(f" (after {name}({text}) in training)" for name, text, _ in ran.get("before", ()))

    def _named(self, text: str) -> str:
        """The text with the method that was called in the place of forward."""
        entry = self.stages.get("ran", {}).get("entry", "")
        return _FORWARD.sub(f"{entry}()", text) if entry else text

    def confirmed(self, history: str, outcome: str, path: str = "") -> Judgement:
        return Judgement(Verdict.CONFIRMED, self.story(history, outcome), history, path or self.member)

    def refuted(self, history: str, outcome: str) -> Judgement:
        return Judgement(Verdict.REFUTED, self.story(history, outcome), history)

    def inconclusive(self, reason: str) -> Judgement:
        return Judgement(Verdict.INCONCLUSIVE, reason)


def harm_of(case: Case, name: str) -> tuple[str, str]:
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
    return _given_out(case, name, facts)


def _given_out(case: Case, name: str, facts: Facts) -> tuple[str, str]:
    """Likewise where forward does nothing with the attribute but to hand it on."""
    names = case.mine(facts.get("given out", ()))
    if not names or facts["raised"] or facts.get("doubts"):
        return "", ""
    if name.startswith("move"):
        return f"forward gives out {names[0]}, which stayed behind", names[0]
    return (f"forward gives out {names[0]}, which stayed float32", names[0]) if _is_promoted(facts) else ("", "")


def _is_promoted(facts: Facts) -> bool:
    """True where the output is float32 only because something was left in it."""
    wide, otherwise = facts.get("dtypes", ()), facts.get("dtypes when all convert", ())
    return "torch.float32" in wide and bool(otherwise) and "torch.float32" not in otherwise
