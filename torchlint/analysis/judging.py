"""Ask the rules about every file of a project, in this process or in several that share it, then about the whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from torchlint.examine import internal
from torchlint.findings import Hit, Notification
from torchlint.model.names.grounds import Ground, Grounds
from torchlint.rules import Rule, judge

if TYPE_CHECKING:
    from torchlint.imported import ImportedFiles
    from torchlint.model.project import Project
    from torchlint.source import SourceError

SERIAL_BELOW_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class Task:
    """A file to judge. size: its bytes, by which the longest work is begun first."""

    path: str
    rules: tuple[Rule, ...]
    size: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules say of one file, or of the project (path None).

    modules: how many nn.Module classes the file defines. trouble: what stopped the rules. problems: what stopped us in
    the files that it leads to. grounds: what the judgement rests on; a number stands for the ground that the process
    `judge` named as the so many-eth. scans: the files that hold a word, by folder and word, as far as the process has
    not said so before.
    """

    path: str | None
    hits: tuple[tuple[str, Hit], ...] = ()
    modules: int = 0
    trouble: Notification | None = None
    problems: tuple[tuple[str, SourceError], ...] = ()
    judge: int = 0
    grounds: tuple[Ground | int, ...] = ()
    scans: tuple[tuple[tuple[str, bytes], tuple[str, ...]], ...] = ()


class Witness:
    """Says what judgements rest on, and everything once in the life of its process.

    keeps: False where nothing is remembered after the run, so that only what stopped us needs to be told.
    """

    def __init__(self, project: Project, files: ImportedFiles, *, keeps: bool = True) -> None:
        self._grounds = Grounds(project, files)
        self._files = files
        self._keeps = keeps
        self._numbers: dict[int, int] = {}
        self._named: list[Ground] = []
        self._said_scans = 0

    def testify(self, judgement: Judgement, path: str) -> Judgement:
        """The judgement of a file, with what it rests on."""
        if not self._keeps and not self._files.problems:
            return judgement
        grounds = self._grounds.of(path)
        problems = self._files.problems
        scans = tuple(islice(self._files.sought.items(), self._said_scans, None))
        self._said_scans += len(scans)
        return replace(
            judgement,
            problems=tuple((one.path, problems[one.path]) for one in grounds if one.path in problems),
            judge=os.getpid(),
            grounds=tuple(map(self._named_once, grounds)),
            scans=scans,
        )

    def _named_once(self, ground: Ground) -> Ground | int:
        if id(ground) in self._numbers:
            return self._numbers[id(ground)]
        # Kept, so that its id stays its own.
        self._numbers[id(ground)] = len(self._named)
        self._named.append(ground)
        return ground


class Testimonies:
    """What the witnesses of all processes have said."""

    def __init__(self) -> None:
        self._named: dict[int, list[Ground]] = {}
        self.scans: dict[tuple[str, bytes], tuple[str, ...]] = {}

    def grounds_of(self, judgement: Judgement) -> tuple[Ground, ...]:
        """The grounds of a judgement. To be asked in the order in which each process judged."""
        named = self._named.setdefault(judgement.judge, [])
        self.scans.update(judgement.scans)
        named += (ground for ground in judgement.grounds if not isinstance(ground, int))
        fresh = iter(named[len(named) - sum(not isinstance(ground, int) for ground in judgement.grounds) :])
        return tuple(named[ground] if isinstance(ground, int) else next(fresh) for ground in judgement.grounds)


def judge_files(
    tasks: Sequence[Task], project: Project, *, jobs: int, witness: Witness | None = None
) -> Iterator[Judgement]:
    """The judgement of each task, in any order. A fault of ours, or a process that dies, costs one file.

    witness: says what each judgement rests on; None where nobody wants to know.
    """
    from torchlint.analysis.workers import can_spread, spread

    if jobs == 1 or len(tasks) < 2 or not can_spread() or sum(task.size for task in tasks) < SERIAL_BELOW_BYTES:
        yield from (judge_file(task, project, witness) for task in tasks)
        return
    longest_first = sorted(range(len(tasks)), key=lambda number: -tasks[number].size)
    for done in spread(lambda number: judge_file(tasks[number], project, witness), longest_first, jobs):
        yield done.result or _lost(tasks[done.task].path)


def judge_file(task: Task, project: Project, witness: Witness | None = None) -> Judgement:
    """Ask the rules about one file; never raises."""
    hits, trouble = _asked(task.rules, project, [task.path])
    judgement = Judgement(task.path, hits, _module_count(project, task.path), trouble)
    try:
        return witness.testify(judgement, task.path) if witness is not None else judgement
    except Exception as error:
        return replace(judgement, trouble=trouble or _fault(task.path, error))


def judge_project(rules: Iterable[Rule], project: Project) -> Judgement:
    """Ask the rules about the project as a whole; never raises."""
    hits, trouble = _asked([rule for rule in rules if rule.subject == "project"], project, [])
    return Judgement(None, hits, trouble=trouble)


def _asked(
    rules: Iterable[Rule], project: Project, paths: Sequence[str]
) -> tuple[tuple[tuple[str, Hit], ...], Notification | None]:
    """The hits up to the first fault, and the fault."""
    hits: list[tuple[str, Hit]] = []
    try:
        hits.extend(judge(rules, project, paths))
    except Exception as error:
        path = paths[0] if paths else None
        return tuple(hits), _fault(path, error)
    return tuple(hits), None


def _fault(path: str | None, error: Exception) -> Notification:
    return Notification(path, None, f"cannot judge all of {path or 'the project'}: {internal(error)}")


def _module_count(project: Project, path: str) -> int:
    try:
        return sum(1 for _ in project.modules_in(path))
    except Exception:
        # Judging the file meets the same fault and reports it.
        return 0


def _lost(path: str) -> Judgement:
    text = f"cannot judge {path}: the process that judged it died; please report it with the file"
    return Judgement(path, trouble=Notification(path, None, text))
