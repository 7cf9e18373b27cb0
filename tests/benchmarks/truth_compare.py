"""The half of the measure that asks torchlint: its answer on each class that torch knows, against torch's. No torch."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from tests.benchmarks.truth_kinds import kind_of_missed_class, kind_of_missed_name
from tests.benchmarks.truth_record import ClassTruth, Instance, PackageTruth
from torchlint.analysis.reading import Reading
from torchlint.cache.store import usual_folder
from torchlint.engine import Request, settings_for
from torchlint.imported import ImportedFiles
from torchlint.model.classes import ModuleClass
from torchlint.model.facts import FileFacts
from torchlint.model.modules.state import Registration, State
from torchlint.model.project import Project

RIGHT, MISSED, WRONG = "right", "missed", "wrong"
BOTH, TRUTH_ONLY, INDEX_ONLY = "both", "in truth only", "in index only"


@dataclass(frozen=True)
class Answer:
    """torchlint's answer on one class. verdict: RIGHT, MISSED (a module not seen as one) or WRONG (a plain class called
    one). is_certain: as the class says of itself; False where torchlint does not know the class."""

    truth: ClassTruth
    verdict: str
    is_certain: bool
    kind: str = ""


@dataclass(frozen=True)
class Name:
    """A registered name of one class. sort: BUFFER or PARAMETER. verdict: BOTH, TRUTH_ONLY or INDEX_ONLY.

    kind: of the miss, or of the surplus.
    """

    truth: ClassTruth
    name: str
    sort: Registration
    verdict: str
    kind: str = ""


@dataclass(frozen=True)
class Comparison:
    """One package compared. unmet: the classes that torchlint sees and torch did not import."""

    package: PackageTruth
    answers: tuple[Answer, ...]
    names: tuple[Name, ...]
    unmet: int


def compare(package: PackageTruth, project: Project) -> Comparison:
    """Ask torchlint about every class of the truth."""
    views = {f"{view.path}::{view.qualname}": view for view in _views(project, Path(package.folder))}
    by_key = {truth.key: truth for truth in package.classes}
    seen = {key for key, view in views.items() if view.is_module}
    answers = tuple(_answer(truth, views.get(truth.key), by_key, seen) for truth in package.classes)
    names: list[Name] = []
    for _, truths in groupby(package.classes, key=lambda truth: truth.path):
        names += (name for truth in truths for name in _names(truth, views.get(truth.key), package.folder))
        project.forget_evaluations()
    return Comparison(package, answers, tuple(names), sum(key not in by_key for key in views))


def whole(folder: Path, jobs: int) -> Project:
    """A project with all files of the folder, as one run of torchlint over it has them."""
    files = sorted(Path(os.path.realpath(path)) for path in folder.rglob("*.py"))
    examined = Reading(files, {}, jobs=jobs, cache=usual_folder())
    return _project({one.path: one.facts for one in examined if one.facts is not None})


def on_demand() -> Project:
    """A project without files: of each file it reads what is asked for, as it does of those that others import."""
    return _project({})


def _project(facts: Mapping[str, FileFacts]) -> Project:
    settings_of = settings_for(Request((), isolated=True))
    return Project(facts, ImportedFiles(settings_of, cache=usual_folder()))


def _views(project: Project, folder: Path) -> Iterator[ModuleClass]:
    for path in sorted(folder.rglob("*.py")):
        yield from project.classes_in(os.path.realpath(path))


def _answer(truth: ClassTruth, view: ModuleClass | None, by_key: dict[str, ClassTruth], seen: set[str]) -> Answer:
    is_module = view is not None and view.is_module
    is_certain = view is not None and view.is_certain
    if is_module == truth.is_module:
        return Answer(truth, RIGHT, is_certain)
    if is_module:
        return Answer(truth, WRONG, is_certain, "a plain class")
    return Answer(truth, MISSED, is_certain, kind_of_missed_class(truth, view is not None, by_key, seen))


def _names(truth: ClassTruth, view: ModuleClass | None, folder: str) -> Iterator[Name]:
    if truth.instance is None:
        return
    for sort, held in (
        (Registration.BUFFER, truth.instance.buffers),
        (Registration.PARAMETER, truth.instance.parameters),
    ):
        known = _known(view, truth.instance, sort)
        for name in sorted(held.keys() & known):
            yield Name(truth, name, sort, BOTH)
        for name in sorted(held.keys() - known):
            yield Name(truth, name, sort, TRUTH_ONLY, _kind_of_miss(truth, view, name, held[name], folder))
        for name in sorted(name for name in known - held.keys() if not _is_right_otherwise(view, truth.instance, name)):
            yield Name(truth, name, sort, INDEX_ONLY, _surplus(truth.instance, name, sort))


def _kind_of_miss(truth: ClassTruth, view: ModuleClass | None, name: str, origin: object, folder: str) -> str:
    if view is None or not view.is_module:
        return "the class is not seen as a module"
    known = sorted(how.value for how in _kinds(view.state, name))
    if known:
        return f"known as {' and '.join(known)}"
    return kind_of_missed_name(truth, name, origin, folder)  # type: ignore[arg-type]


def _known(view: ModuleClass | None, instance: Instance, sort: Registration) -> set[str]:
    """The names that the index holds for buffers, or for parameters."""
    if view is None or not view.is_module:
        return set()
    state = view.state
    candidates = {*state.names, *state.registrations, *instance.buffers, *instance.parameters}
    return {name for name in candidates if sort in _kinds(state, name)}


def _kinds(state: State, name: str) -> frozenset[Registration]:
    """What the index holds a name for; several kinds where the source registers it one way or the other."""
    return state.registrations_of(name)


def _is_right_otherwise(view: ModuleClass | None, instance: Instance, name: str) -> bool:
    """True for a name that the source registers either way, where the object has it the other way."""
    kinds = _kinds(view.state, name) if view is not None else frozenset[Registration]()
    return (name in instance.buffers and Registration.BUFFER in kinds) or (
        name in instance.parameters and Registration.PARAMETER in kinds
    )


def _surplus(instance: Instance, name: str, sort: Registration) -> str:
    """What the object has under a name that the index holds as registered."""
    if name in instance.buffers or name in instance.parameters:
        return "registered as the other kind"
    return "plain attribute or child of the object" if name in instance.others else "absent from the object"


# Tables


def class_table(comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Markdown rows: the classes by package."""
    yield "| package | classes | modules | right | missed | called a module wrongly | for certain | not compared |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    rows = list(comparisons)
    for one in rows:
        yield _class_row(one.package.name, one.answers, one.unmet)
    yield _class_row("all", [answer for one in rows for answer in one.answers], sum(one.unmet for one in rows))


def _class_row(name: str, answers: Iterable[Answer], unmet: int) -> str:
    answers = list(answers)
    counts = Counter(one.verdict for one in answers)
    modules = sum(one.truth.is_module for one in answers)
    certain = sum(one.verdict == WRONG and one.is_certain for one in answers)
    right = _share(counts[RIGHT], len(answers))
    numbers = (f"{count:,}" for count in (counts[MISSED], counts[WRONG], certain, unmet))
    return "| " + " | ".join([name, f"{len(answers):,}", f"{modules:,}", right, *numbers]) + " |"


def name_table(comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Markdown rows: the registered names of built objects by package; right: of the names that the objects have."""
    yield (
        "| package | modules | built | buffers | right | missed | in the index only | parameters | right | missed"
        " | in the index only |"
    )
    yield "|---|" + "---:|" * 10
    rows = list(comparisons)
    for one in rows:
        yield _name_row(one.package.name, [one])
    yield _name_row("all", rows)


def _name_row(name: str, rows: list[Comparison]) -> str:
    modules = [truth for one in rows for truth in one.package.classes if truth.is_module]
    built = sum(truth.instance is not None for truth in modules)
    cells = [name, f"{len(modules):,}", f"{built:,}"]
    for sort in (Registration.BUFFER, Registration.PARAMETER):
        counts = Counter(found.verdict for one in rows for found in one.names if found.sort is sort)
        total = counts[BOTH] + counts[TRUTH_ONLY]
        cells += [f"{total:,}", _share(counts[BOTH], total), f"{counts[TRUTH_ONLY]:,}", f"{counts[INDEX_ONLY]:,}"]
    return "| " + " | ".join(cells) + " |"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}%" if whole else "-"


def miss_lists(comparison: Comparison, *, verbose: bool) -> Iterator[str]:
    """The misses by kind, the most frequent first, each with an example; all of them where `verbose`."""
    yield from _by_kind("classes missed", _of_classes(comparison, MISSED), verbose)
    yield from _by_kind("plain classes called modules", _of_classes(comparison, WRONG), verbose)
    for sort in (Registration.BUFFER, Registration.PARAMETER):
        yield from _by_kind(f"{sort.value}s missed", _of_names(comparison, sort, TRUTH_ONLY), verbose)
        yield from _by_kind(f"{sort.value}s in the index only", _of_names(comparison, sort, INDEX_ONLY), verbose)


def _of_classes(comparison: Comparison, verdict: str) -> list[tuple[str, str]]:
    folder = Path(comparison.package.folder).parent
    return [
        (one.kind, f"{_place(one.truth.path, one.truth.line, folder)} {one.truth.qualname}")
        for one in comparison.answers
        if one.verdict == verdict
    ]


def _of_names(comparison: Comparison, sort: Registration, verdict: str) -> list[tuple[str, str]]:
    folder = Path(comparison.package.folder).parent
    return [
        (
            one.kind,
            f"{_place(one.truth.path, one.truth.line, folder)} {one.truth.qualname}.{one.name}{_born(one, folder)}",
        )
        for one in comparison.names
        if one.sort is sort and one.verdict == verdict
    ]


def _born(name: Name, folder: Path) -> str:
    instance = name.truth.instance
    if instance is None:
        return ""
    origin = {**instance.parameters, **instance.buffers}.get(name.name)
    within = f", seen within {instance.within}" if instance.within else ""
    return f" (registered at {_place(origin.path, origin.line, folder)}{within})" if origin and origin.path else within


def _place(path: str, line: int, folder: Path) -> str:
    return f"{Path(path).relative_to(folder) if Path(path).is_relative_to(folder) else path}:{line}"


def _by_kind(title: str, misses: list[tuple[str, str]], verbose: bool) -> Iterator[str]:
    if not misses:
        return
    yield f"\n**{title}: {len(misses)}**\n"
    for kind, count in Counter(kind for kind, _ in misses).most_common():
        examples = [example for other, example in misses if other == kind]
        yield f"- {count} x {kind}: {examples[0]}"
        if verbose:
            yield from (f"  - {example}" for example in examples[1:])
