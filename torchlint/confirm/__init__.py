"""Confirm findings by running the classes that they are about, in processes of their own. No torch is imported here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from torchlint.confirm.case import Judgement
from torchlint.confirm.lines import JUDGES, judge_lines, line_jobs
from torchlint.confirm.plan import HISTORIES, Job, again, is_named, jobs_for
from torchlint.confirm.pool import answers_to
from torchlint.confirm.replay import script_for
from torchlint.confirm.replay_lines import script_for_line
from torchlint.confirm.supervisor import Answer, ConfirmError, Limits, Supervisor, Surroundings
from torchlint.confirm.verdict import judge, parts_of
from torchlint.findings import Finding, Verdict

__all__ = ["ConfirmError", "Job", "Limits", "Orders", "Outcome", "Surroundings", "confirm", "hint_in", "replay"]

Watch = Callable[[int, int], None]
_ORDER = (Verdict.CONFIRMED, Verdict.INCONCLUSIVE, Verdict.REFUTED)


@dataclass(frozen=True, slots=True)
class Orders:
    """How to confirm. python: the interpreter with the user's packages. device: auto, cpu, cuda, mps or sim.

    wanted: the dotted ends of classes ("Scale", "layers.Scale"); empty means all. hint_for: what the settings say of a
    class. jobs: how many classes run at once.
    """

    python: Path
    device: str = "auto"
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    wanted: tuple[str, ...] = ()
    hint_for: Callable[[Job], Mapping[str, Any]] = lambda job: {}
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """The findings with their verdicts, confirmed ones first. surroundings: None where there was nothing to run.

    costs: CPU seconds of each class.
    """

    findings: tuple[Finding, ...]
    surroundings: Surroundings | None
    costs: tuple[float, ...] = ()


def confirm(findings: Iterable[Finding], orders: Orders, watch: Watch) -> Outcome:
    """Build and run the classes of `findings`; `watch(done, total)` is called after each class.

    Every finding gets a verdict, if only that it is not of a kind which running can prove. Raises ConfirmError where
    nothing can be run at all.
    """
    findings = tuple(findings)
    wanted = (job for job in (*jobs_for(findings), *line_jobs(findings)) if _is_wanted(job.name, orders.wanted))
    jobs = tuple(replace(job, hint=orders.hint_for(job)) for job in wanted)
    course = _Course(orders, watch)
    if jobs:
        with _supervisor(orders) as supervisor:
            course.run(jobs, supervisor)
    judged = [_with_verdict(finding, course.judgements.get(finding.key)) for finding in findings]
    return Outcome(tuple(sorted(judged, key=_grade)), course.surroundings, tuple(course.costs.values()))


class _Course:
    """Jobs, and once more those of which the usual way to build and call a class showed nothing."""

    def __init__(self, orders: Orders, watch: Watch) -> None:
        self._orders, self._watch = orders, watch
        self.judgements: dict[str, Judgement] = {}
        self.costs: dict[tuple[str, str, bool], float] = {}
        self.surroundings: Surroundings | None = None

    def run(self, jobs: tuple[Job, ...], supervisor: Supervisor) -> None:
        """Do all jobs."""
        self.surroundings = supervisor.surroundings
        answers = {id(answer.job): answer for answer in self._answers(jobs, supervisor, 0, len(jobs))}
        open_keys = {key for key, one in self.judgements.items() if one.verdict is Verdict.INCONCLUSIVE}
        others = tuple(filter(None, (_otherwise(answers[id(job)], open_keys) for job in jobs)))
        for _ in self._answers(others, supervisor, len(jobs), len(jobs) + len(others)):
            pass

    def _answers(self, jobs: tuple[Job, ...], supervisor: Supervisor, before: int, total: int) -> Iterator[Answer]:
        answers = answers_to(jobs, supervisor, lambda: _supervisor(self._orders), self._orders.jobs)
        for done, answer in enumerate(answers, start=before + 1):
            job = answer.job
            name = (job.path, job.qualname, job.is_of_lines)
            self.costs[name] = self.costs.get(name, 0.0) + answer.cpu
            self.judgements |= _judged(answer, self.surroundings.device if self.surroundings else "")
            self._watch(done, total)
            yield answer


def _otherwise(answer: Answer, open_keys: set[str]) -> Job | None:
    """What to try otherwise: nothing where the class could not even be built."""
    stages = {record["stage"] for record in answer.records}
    return again(answer.job, open_keys, stages) if not answer.ended else None


def replay(findings: Iterable[Finding], key: str, orders: Orders) -> str:
    """A script that repeats what confirms the finding with this key. Raises ConfirmError where there is none."""
    found = [finding for finding in findings if finding.key == key]
    if not found:
        raise ConfirmError(f"no finding has the key {key}: --output-format json shows the keys")
    jobs = tuple(replace(job, hint=orders.hint_for(job)) for job in (*jobs_for(found), *line_jobs(found)))
    if not jobs:
        raise ConfirmError(f"running a class says nothing of {found[0].code} yet")
    with _supervisor(orders) as supervisor:
        answer, judgement = _shown(supervisor, jobs[0], key)
    if judgement.verdict is not Verdict.CONFIRMED:
        raise ConfirmError(f"{key} is {judgement.verdict.value}, so there is nothing to repeat: {judgement.evidence}")
    is_of_line = answer.job.is_of_lines
    script = script_for_line(answer, judgement, key) if is_of_line else script_for(answer, judgement, found[0].code)
    if script is None:
        raise ConfirmError(f"{key} is confirmed, but that cannot be written as a script: {judgement.evidence}")
    return script


def _shown(supervisor: Supervisor, job: Job, key: str) -> tuple[Answer, Judgement]:
    """What came of a job, in the way that confirms the finding; in the usual one where there is none."""
    device = supervisor.surroundings.device if supervisor.surroundings else ""
    (usual,) = supervisor.run((job,))
    judgement = _judged(usual, device)[key]
    stages = {record["stage"] for record in usual.records}
    other = again(job, {key}, stages) if judgement.verdict is Verdict.INCONCLUSIVE else None
    for answer in supervisor.run((other,)) if other is not None else ():
        for part in parts_of(answer):
            found = judge(part, device).get(key)
            if found is not None:
                return part, found
    return usual, judgement


def _supervisor(orders: Orders) -> Supervisor:
    return Supervisor(orders.python, orders.device, orders.seed, orders.limits)


def _judged(answer: Answer, device: str) -> dict[str, Judgement]:
    return judge_lines(answer, device) if answer.job.is_of_lines else judge(answer, device)


def _is_wanted(name: str, wanted: tuple[str, ...]) -> bool:
    return not wanted or any(is_named(name, one) for one in wanted)


def hint_in(hints: Mapping[str, Mapping[str, Any]], job: Job) -> Mapping[str, Any]:
    """The hint for a class: the longest name that is an end of its own decides."""
    fitting = [name for name in hints if is_named(job.name, name)]
    return hints[max(fitting, key=len)] if fitting else {}


def _with_verdict(finding: Finding, judgement: Judgement | None) -> Finding:
    if judgement is None:
        is_known = finding.code in HISTORIES or finding.code in JUDGES
        reason = "its class was not run" if is_known else f"running a class says nothing of {finding.code} yet"
        judgement = Judgement(Verdict.INCONCLUSIVE, reason)
    return replace(finding, verdict=judgement.verdict, evidence=judgement.evidence)


def _grade(finding: Finding) -> tuple[int, object]:
    return _ORDER.index(finding.verdict or Verdict.INCONCLUSIVE), finding.order
