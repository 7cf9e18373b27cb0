"""Findings about a line: which code to call for them, and what is to be seen there. No torch, as in verdict.py.

Confirmed: what the page of the rule says was seen at the line. Refuted: the line ran, and what the finding says of
it is not so. All else is inconclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from torchlint.confirm.case import Judgement
from torchlint.confirm.loops import JUDGES as LOOPS
from torchlint.confirm.plan import HISTORIES, Claim, Job, is_of_function, job_at
from torchlint.confirm.supervisor import Answer
from torchlint.findings import Finding, Verdict

Facts = Mapping[str, Any]
_NEVER_HEARD = "the line did not run in any call that could be made"


def line_jobs(findings: Iterable[Finding]) -> tuple[Job, ...]:
    """A job for each class or function that has findings about lines; in the order of the findings."""
    claims: dict[tuple[str, str], list[Claim]] = {}
    for finding in findings:
        owner, _, member = finding.symbol.rpartition(".")
        if finding.code in JUDGES and member and (finding.code not in HISTORIES or is_of_function(finding)):
            span = finding.span
            claim = Claim(finding.key, finding.code, member, span.line, span.end_line, finding.message)
            claims.setdefault((span.path, owner or member), []).append(claim)
    return tuple(job_at(path, name, tuple(some), (), is_of_lines=True) for (path, name), some in claims.items())


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen of one claim. device: as in Surroundings."""

    claim: Claim
    facts: Facts
    device: str

    @property
    def harm(self) -> Facts | None:
        """The first thing that was seen to go wrong."""
        return next(iter(self.facts.get("harm", ())), None)

    def confirmed(self, outcome: str) -> Judgement:
        return Judgement(Verdict.CONFIRMED, f"{self.facts['call']}: {outcome} (seed {self.facts['seed']})", "line")

    def refuted(self, outcome: str) -> Judgement:
        return Judgement(Verdict.REFUTED, f"{self.facts['call']}: {outcome} (seed {self.facts['seed']})", "line")

    def nothing(self, reason: str = "nothing was seen of it") -> Judgement:
        """Inconclusive: the line did not run, or it ran and said nothing."""
        raised = self.facts["raised"]
        if "without" in self.facts:
            other = self.facts["without"]
            return Judgement(Verdict.INCONCLUSIVE, f"{self.facts['call']}: it happens, and with {other} it does not")
        if not self.facts["ran"]:
            reason = _NEVER_HEARD
        elif not raised:
            return Judgement(Verdict.INCONCLUSIVE, f"{self.facts['call']}: {reason}")
        return Judgement(Verdict.INCONCLUSIVE, f"{reason}: {raised}" if raised else reason)


def judge_lines(answer: Answer, device: str) -> dict[str, Judgement]:
    """A judgement for each claim of a job about lines, by the key of its finding."""
    seen = {record["name"]: record["facts"] for record in answer.records if record["stage"] == "facts"}
    why = _why_not(answer)
    return {
        claim.key: JUDGES[claim.code](Sight(claim, seen[claim.key], device))
        if claim.key in seen
        else Judgement(Verdict.INCONCLUSIVE, why)
        for claim in answer.job.claims
    }


def _why_not(answer: Answer) -> str:
    """Why there are no facts."""
    stages = {record["stage"]: record for record in answer.records}
    failed = stages.get("failed")
    if failed is None:
        return f"stopped at {next(reversed(stages), 'start')}: {answer.ended or 'it ended without a word'}"
    what = "no arguments were found that build the class" if "construct" in stages else "the file could not be imported"
    return f"{what}: {failed['error']}" + (f" (line {failed['line']})" if failed["line"] else "")


def _float_index(sight: Sight) -> Judgement:
    harm = sight.harm
    if harm is not None:
        return sight.confirmed(
            f"{_spoken(harm['operation'])} at line {harm['line']} gets a {harm['dtype']} from line {sight.claim.line} "
            f"and raises: {harm['error']}"
        )
    return sight.nothing()


def _merging_view(sight: Sight) -> Judgement:
    harm = sight.harm
    if harm is None:
        return sight.nothing()
    shape = "x".join(map(str, harm["shape"]))
    return sight.confirmed(
        f"{harm['operation']}() at line {harm['line']} of a {shape} with strides {tuple(harm['strides'])} raises, "
        f"and runs on a contiguous copy: {harm['error']}"
    )


def _device_less(sight: Sight) -> Judgement:
    harm = sight.harm
    if harm is None:
        doubts = sight.facts.get("doubts", ())
        return sight.nothing(doubts[0] if doubts else "nothing was seen of it on the device")
    where = " [simulated device]" if sight.device == "sim" else ""
    line = f" at line {harm['line']}" if harm["line"] else ""
    return sight.confirmed(
        f'on "cuda"{where}: {_spoken(harm["operation"])}{line} gets what line {sight.claim.line} made on the CPU, '
        f"and raises: {harm['error']}"
    )


def _converted(sight: Sight) -> Judgement:
    harm = sight.harm
    if harm is None:
        if sight.facts.get("spared") and not sight.facts["raised"] and sight.facts["ran"]:
            return sight.refuted(f"the line meets {sight.facts['spared'][0]} in the state, and does not convert it")
        return sight.nothing()
    if "error" in harm:
        return sight.confirmed(f"{harm['operation']} of a {harm['from']} in the state raises: {harm['error']}")
    lost = "its values are not what they were" if harm["lost"] else "it can no longer index"
    if "complex" in harm["from"]:
        lost = "its imaginary part is lost"
    shape = "x".join(map(str, harm["shape"])) or "0-dim"
    return sight.confirmed(f"a {shape} {harm['from']} of the state becomes {harm['to']}: {lost}")


def _out_of_range(sight: Sight) -> Judgement:
    harm = sight.harm
    if harm is None:
        return sight.nothing()
    converted = sight.facts["converted"]
    where = f"in {converted}, " if converted else ""
    return sight.confirmed(f"{where}{_spoken(harm['operation'])} at line {harm['line']} {harm['does']}")


def _cast(sight: Sight) -> Judgement:
    facts, harm = sight.facts, sight.harm
    if harm is not None and "error" in harm:
        return sight.confirmed(
            f"{harm['operation']} at line {harm['line']} gets the result of the cast and raises: {harm['error']}"
        )
    if harm is not None:
        return sight.confirmed(
            f"in a region of {harm['region']} a {harm['from']} becomes {harm['to']} by the cast at line {harm['line']}"
        )
    lowered, honoured = facts.get("lowered", ()), facts.get("honoured", ())
    if lowered and not honoured:
        one = lowered[0]
        return sight.confirmed(
            f"{_spoken(one['operation'])} at line {one['line']} gets the float32 of the cast "
            f"and computes in {one['dtype']}"
        )
    is_claim = "runs in its lower precision" in sight.claim.text
    if is_claim and honoured and not lowered and facts["straight"] and not facts["raised"]:
        return sight.refuted(f"{honoured[0]} gets the float32 of the cast, and computes in it")
    return sight.nothing("no region was open there" if facts.get("outside") else "nothing was seen of it")


def _backward(sight: Sight) -> Judgement:
    harm = sight.harm
    if harm is None:
        is_outside = sight.facts.get("regions") and not any(sight.facts["regions"])
        return sight.nothing("no region was open there" if is_outside else "nothing was seen of it")
    seen = "; run after the region, it gives other gradients" if harm["differ"] else ""
    return sight.confirmed(f"the backward pass at line {sight.claim.line} runs inside an open autocast region{seen}")


def _half_weights(sight: Sight) -> Judgement:
    harm = sight.harm
    if harm is None:
        return sight.nothing()
    return sight.confirmed(f"{harm['does']}{': ' if harm['error'] else ''}{harm['error']}")


def _half_loss(sight: Sight) -> Judgement:
    if sight.harm is None:
        return sight.nothing(
            "the gradients were finite" if sight.facts.get("went back") else "no scaled loss went back"
        )
    return sight.confirmed(
        f"the gradients of the scaled loss are not finite; where line {sight.claim.line} converts nothing they are"
    )


def _protocol(sight: Sight) -> Judgement:
    harm = sight.harm
    if harm is None:
        return sight.nothing("with the scaler and without it the parameters move alike")
    if harm["error"]:
        return sight.confirmed(f"raises, and does not where the scaler is switched off: {harm['error']}")
    return sight.confirmed(f"the parameters move {harm['ratio']:.2g} times as far as where the scaler is switched off")


def _kept_by_function(sight: Sight) -> Judgement:
    harm = sight.harm
    if harm is None:
        return sight.nothing("nothing was seen of what is kept")
    where = " [simulated device]" if sight.device == "sim" and "device" in harm["event"] else ""
    name = sight.claim.text.partition(" is kept by")[0]
    return sight.confirmed(
        f"called once more, {harm['event']}{where}, it {harm['does']}; where {name} is emptied before, it does not"
    )


def _spoken(operation: str) -> str:
    """An operation as a person calls it."""
    return {"__getitem__": "a subscript", "__setitem__": "an item assignment"}.get(operation, operation)


JUDGES: Mapping[str, Callable[[Sight], Judgement]] = {
    "TL104": _kept_by_function,
    "TL201": _float_index,
    "TL204": _device_less,
    "TL205": _merging_view,
    "TL301": _converted,
    "TL302": _out_of_range,
    "TL401": _cast,
    "TL402": _backward,
    "TL404": _half_weights,
    "TL405": _half_loss,
    "TL406": _protocol,
    **LOOPS,
}
