"""Read, link and judge the files of which no earlier run is known to hold."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.analysis.judging import Judgement, Task, Testimonies, Witness, judge_files, judge_project
from torchlint.analysis.reading import Reading
from torchlint.cache.ledger import Judged
from torchlint.examine import Examined, examine
from torchlint.findings import Hit, Notification, Said, Suppression
from torchlint.imported import ImportedFiles
from torchlint.model.facts import FileFacts, Function, Outline
from torchlint.model.project import Project
from torchlint.model.terms import NOWHERE
from torchlint.pages import Page, check_pages, load_pages
from torchlint.results import FileResult
from torchlint.rules import Rule, load, needed

if TYPE_CHECKING:
    from torchlint.analysis.executors import Workshop
    from torchlint.source import SourceFile

Watch = Callable[[int, int], None]
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


@dataclass(frozen=True)
class Work:
    """What is to be analysed. fresh: the files. remembered: those that are checked too and whose results are known, as
    far as they take part in the project. enabled: the rules for each file."""

    fresh: Sequence[Path]
    remembered: Iterable[str]
    enabled: Mapping[str, frozenset[str]]
    files: ImportedFiles
    cache: Path | None
    jobs: int
    given: Mapping[str, SourceFile] = field(default_factory=dict)
    workshop: Workshop | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """Of each file a result and what it rests on; said: what rules about the whole project say. notes: of the run."""

    judged: tuple[Judged, ...]
    said: tuple[Said, ...]
    notes: tuple[Notification, ...]
    can_be_kept: bool


class Checked(dict[str, FileFacts]):
    """The facts of the files that are checked; those that were not read yet are read when they are asked for."""

    def __init__(self, known: Mapping[str, FileFacts], others: Iterable[str], cache: Path | None) -> None:
        super().__init__(known)
        self._cache = cache
        self._waiting = frozenset(others) - known.keys()
        for path in self._waiting:
            self[path] = _nothing(path)
        self._read: set[str] = set()

    def __getitem__(self, path: str) -> FileFacts:
        if path in self._waiting and path not in self._read:
            self._read.add(path)
            self[path] = examine(path, cache=self._cache).facts or _nothing(path)
        return super().__getitem__(path)

    def get(self, path: str, default: FileFacts | None = None) -> FileFacts | None:  # type: ignore[override]
        """As of any dictionary."""
        return self[path] if path in self else default  # noqa: SIM401  this is what it means

    def copy(self) -> Checked:
        """Itself: what is read is read for all."""
        return self


def _nothing(path: str) -> FileFacts:
    """The facts of a file that defines nothing, or no longer can be read."""
    return FileFacts(path, Function("<module>", "<module>", NOWHERE, path=path), outline=Outline(path, {}, {}, {}))


def analyse(work: Work, watch: Watch) -> Analysis:
    """Analyse the files of `work`; `watch(done, total)` is called after each file that was read.

    Raises PageError when rules and pages disagree.
    """
    rules, pages = load(), load_pages()
    check_pages(rules, pages)
    reading = Reading(work.fresh, work.given, jobs=work.jobs, cache=work.cache, workshop=work.workshop)
    read = {one.path: one for one in _watched(reading, len(work.fresh), watch)}
    examined = tuple(read[str(file)] for file in work.fresh)
    with _rarely_collected():
        return _analysed(work, reading, examined, rules, pages)


@contextmanager
def _rarely_collected() -> Iterator[None]:
    """What was read stays until the end: the collector need not walk it again and again while rules judge. Nearly all
    that they leave behind is freed without it."""
    thresholds = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


def _analysed(
    work: Work, reading: Reading, examined: tuple[Examined, ...], rules: Mapping[str, Rule], pages: Mapping[str, Page]
) -> Analysis:
    facts = {one.path: one.facts for one in examined if one.facts is not None}
    project = Project(Checked(facts, work.remembered, work.cache), work.files)
    testimonies = Testimonies()
    judged = {one.path: (one, testimonies.grounds_of(one)) for one in _judge(examined, project, rules, work)}
    anywhere = frozenset().union(*work.enabled.values())
    whole = judge_project([rule for code, rule in rules.items() if code in anywhere], project)
    return Analysis(
        tuple(
            Judged(_result(one, judgement, pages), grounds, testimonies.scans)
            for one in examined
            for judgement, grounds in (judged.get(one.path, (Judgement(one.path), ())),)
        ),
        tuple(said(pages[code], hit) for code, hit in whole.hits),
        (
            *(Notification(None, None, note, fatal=False) for note in reading.notes),
            *([whole.trouble] if whole.trouble is not None else []),
        ),
        # A rule about the project as a whole rests on everything, so nothing can be remembered.
        can_be_kept=not any(rule.subject == "project" for rule in rules.values()),
    )


def _judge(
    examined: Iterable[Examined], project: Project, rules: Mapping[str, Rule], work: Work
) -> Iterator[Judgement]:
    tasks = [
        Task(one.path, tuple(_asked_of_files(work.enabled[one.path], rules)), one.size)
        for one in examined
        if one.facts is not None
    ]
    witness = Witness(project, work.files, keeps=work.cache is not None)
    return judge_files(tasks, project, jobs=work.jobs, witness=witness)


def _asked_of_files(enabled: frozenset[str], rules: Mapping[str, Rule]) -> Iterator[Rule]:
    return (rule for rule in needed(enabled, rules.values()) if rule.subject != "project")


def _result(examined: Examined, judgement: Judgement, pages: Mapping[str, Page]) -> FileResult:
    return FileResult(
        path=examined.path,
        said=tuple(said(pages[code], hit) for code, hit in judgement.hits),
        suppressions=examined.suppressions,
        modules=judgement.modules,
        has_facts=examined.facts is not None,
        error=examined.error,
        trouble=judgement.trouble,
        problems=judgement.problems,
    )


def said(page: Page, hit: Hit) -> Said:
    """A hit in the words of its page."""
    return Said(
        code=page.code,
        name=page.name,
        gravest=page.severity,
        severity=page.severity_of(hit),
        confidence=hit.confidence or page.confidence,
        message=page.message(hit),
        span=hit.span,
        symbol=hit.symbol,
        related=hit.because,
        fix=hit.fix,
    )


def _watched(examined: Iterable[Examined], total: int, watch: Watch) -> Iterator[Examined]:
    for done, one in enumerate(examined, start=1):
        watch(done, total)
        yield one


def said_of_suppressions(suppressions: Iterable[Suppression], enabled: frozenset[str]) -> Iterator[Said]:
    """What the rules about suppressions say of those that silence nothing."""
    suppressions, pages = list(suppressions), load_pages()
    for rule in load().values():
        if rule.subject == "suppression" and rule.code in enabled:
            yield from (said(pages[rule.code], hit) for one in suppressions for hit in rule.judge(one))
