"""The pipeline: from what the user asks to the report, in one function that reads from top to bottom."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.discover import DEFAULT_EXCLUDED, Discovery, discover, matches
from torchlint.examine import Examined, examine_all, internal
from torchlint.findings import Finding, Hit, Notification, Suppression
from torchlint.imported import ImportedFiles
from torchlint.pages import Page, check_pages, load_pages
from torchlint.report.contents import Report, shown
from torchlint.rules import Rule, judge, load, needed
from torchlint.settings import Overrides, Settings, SettingsOf, covers, load_settings
from torchlint.source import SourceError, SourceFile, Span
from torchlint.suppress import apply

if TYPE_CHECKING:
    from torchlint.model.project import Project

Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class Request:
    """What to check and how. paths: as the user wrote them. stdin: a source that is given, not read from disk.

    config: the file with the settings for all; None means the nearest one of each file. jobs: processes, at least 1.
    """

    paths: tuple[str, ...]
    overrides: Overrides = field(default_factory=Overrides)
    config: Path | None = None
    isolated: bool = False
    stdin: SourceFile | None = None
    force_exclude: bool = False
    cache: bool = True
    jobs: int = 1


def check(request: Request, watch: Watch) -> Report:
    """Check what `request` names; `watch(done, total)` is called after each file that was read.

    What goes wrong with a file is a notification of the report. Raises SettingsError for options that cannot be obeyed
    and PageError when rules and pages disagree.
    """
    rules, pages = load(), load_pages()
    check_pages(rules, pages)
    settings_of = settings_for(request, rules)
    found = find_files(request, settings_of)
    folder = Path.cwd()
    root = repository_of(folder)
    given = {request.stdin.path: request.stdin} if request.stdin else {}

    reading = examine_all(found.files, given, jobs=request.jobs, cache=request.cache)
    examined = tuple(_watched(reading, len(found.files), watch))
    # What was read stays until the end: the collector need not walk it again and again while rules judge.
    gc.freeze()
    imported = ImportedFiles(settings_of, cache=request.cache)
    project = link(examined, imported)
    enabled = {one.path: _enabled_rules(Path(one.path), rules, settings_of) for one in examined}
    judged = tuple(_judge_all(examined, project, rules, enabled))

    findings = _findings(judged, pages, settings_of, enabled, root)
    heard: list[Finding] = []
    suppressed: list[Finding] = []
    for one in examined:
        silenced = apply(findings[one.path], one.suppressions)
        heard += silenced.heard
        suppressed += silenced.suppressed
        unused = _unused(silenced.unused, enabled[one.path], rules)
        heard += _numbered(_finding(pages[code], hit, settings_of, root) for code, hit in unused)

    return Report(
        findings=tuple(sorted((one for one in heard if _is_shown(one, settings_of)), key=lambda one: one.order)),
        suppressed=tuple(sorted(suppressed, key=lambda one: one.order)),
        notifications=(
            *missing(found),
            *settings_of.problems,
            *_unreadable(examined, folder),
            *unknown_files(imported.own_problems(enabled), folder),
            *(judgement for judgement in judged if isinstance(judgement, Notification)),
        ),
        files=len(examined),
        modules=sum(_module_count(project, one.path) for one in examined),
        skipped=sum(one.error is not None for one in examined),
        root=root,
        folder=folder,
        given=given,
    )


def settings_under(request: Request) -> SettingsOf:
    """The settings for each file, as `check` takes them."""
    return settings_for(request, load())


def plan(request: Request) -> tuple[Discovery, SettingsOf]:
    """The files that `check` would check (and the paths that are not there), and the settings of each."""
    settings_of = settings_for(request, load())
    return find_files(request, settings_of), settings_of


def known_codes() -> tuple[str, ...]:
    """The codes of all rules, in order."""
    return tuple(load())


def source_of(name: Path | None, content: bytes) -> SourceFile:
    """A source from standard input; `name`: the file that it stands for."""
    path = os.path.realpath(name) if name else str(Path.cwd() / "<stdin>")
    return SourceFile(path, content)


def settings_for(request: Request, rules: Mapping[str, Rule]) -> SettingsOf:
    """The settings of each file under `request`. Raises SettingsError for a --config that cannot be obeyed."""
    if request.isolated:
        return SettingsOf(request.overrides, rules, fixed=Settings())
    if request.config is None:
        return SettingsOf(request.overrides, rules)
    return SettingsOf(request.overrides, rules, fixed=load_settings(request.config, rules) or Settings())


def find_files(request: Request, settings_of: SettingsOf) -> Discovery:
    """The files to check, with the one on standard input."""

    def is_excluded(path: Path) -> bool:
        settings = settings_of(path)
        if settings.exclude is None:
            usual = path.name in DEFAULT_EXCLUDED
        else:
            usual = matches(path, settings.exclude.base, settings.exclude.globs)
        return usual or any(matches(path, extra.base, extra.globs) for extra in settings.extend_exclude)

    def is_refused(path: Path) -> bool:
        return request.force_exclude and any(is_excluded(part) for part in (path, *path.parents[:-1]))

    found = discover(request.paths, is_excluded, is_refused)
    if request.stdin is None or is_refused(Path(request.stdin.path)):
        return found
    return Discovery((Path(request.stdin.path), *found.files), found.missing)


def link(examined: Iterable[Examined], files: ImportedFiles) -> Project:
    """The project of the files that were examined; `files` brings those that they lead to."""
    from torchlint.model.project import Project

    return Project({one.path: one.facts for one in examined if one.facts is not None}, files)


def _enabled_rules(path: Path, rules: Mapping[str, Rule], settings_of: SettingsOf) -> frozenset[str]:
    settings = settings_of(path)
    ignored = [codes for some, codes in settings.per_file_ignores if matches(path, some.base, some.globs)]
    return frozenset(
        code for code in rules if settings.enables(code) and not any(covers(codes, code) for codes in ignored)
    )


def _judge_all(
    examined: Iterable[Examined], project: Project, rules: Mapping[str, Rule], enabled: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, Hit] | Notification]:
    """Ask the rules about one file after the other, so that a fault of ours costs one file; then about the whole."""
    for one in examined:
        if one.facts is not None:
            chosen = [rule for rule in needed(enabled[one.path], rules.values()) if rule.subject != "project"]
            yield from _judge(chosen, project, [one.path])
    anywhere = frozenset().union(*enabled.values())
    yield from _judge(
        [rule for code, rule in rules.items() if code in anywhere and rule.subject == "project"], project, []
    )


def _judge(rules: Iterable[Rule], project: Project, paths: Sequence[str]) -> Iterator[tuple[str, Hit] | Notification]:
    try:
        yield from judge(rules, project, paths)
    except Exception as error:
        path = paths[0] if paths else None
        yield Notification(path, None, f"cannot judge all of {path or 'the project'}: {internal(error)}")


def _module_count(project: Project, path: str) -> int:
    try:
        return sum(1 for _ in project.modules_in(path))
    except Exception:
        # Judging the file meets the same fault and reports it.
        return 0


def _findings(
    judged: Iterable[tuple[str, Hit] | Notification],
    pages: Mapping[str, Page],
    settings_of: SettingsOf,
    enabled: Mapping[str, frozenset[str]],
    root: Path,
) -> dict[str, list[Finding]]:
    """The findings by file, without those in files that were not asked about or where the rule is off.

    There is one for a place, rule and symbol: the gravest of those that several classes give, in any order of files.
    """
    findings: dict[str, dict[tuple[str, Span, str], Finding]] = {path: {} for path in enabled}
    for judgement in judged:
        if isinstance(judgement, Notification):
            continue
        code, hit = judgement
        if code not in enabled.get(hit.span.path, ()):
            continue
        found = _finding(pages[code], hit, settings_of, root)
        identity = (code, hit.span, hit.symbol)
        other = findings[hit.span.path].setdefault(identity, found)
        findings[hit.span.path][identity] = max(found, other, key=lambda one: (one.severity.rank, one.message))
    return {path: _numbered(some.values()) for path, some in findings.items()}


def _numbered(findings: Iterable[Finding]) -> list[Finding]:
    """The findings of a file in order, the second of one key as "key#2": a key names one finding."""
    seen: dict[str, int] = {}
    numbered: list[Finding] = []
    for found in sorted(findings, key=lambda one: one.order):
        count = seen[found.key] = seen.get(found.key, 0) + 1
        numbered.append(found if count == 1 else replace(found, key=f"{found.key}#{count}"))
    return numbered


def _finding(page: Page, hit: Hit, settings_of: SettingsOf, root: Path) -> Finding:
    path = Path(hit.span.path)
    return Finding(
        code=page.code,
        name=page.name,
        severity=settings_of(path).severity_of(page.code, page.severity, page.severity_of(hit)),
        confidence=hit.confidence or page.confidence,
        message=page.message(hit),
        span=hit.span,
        key=f"{page.code}:{module_name(path, root)}.{hit.symbol}",
        symbol=hit.symbol,
        related=hit.because,
        fix=hit.fix,
    )


def _unused(
    suppressions: Iterable[Suppression], enabled: frozenset[str], rules: Mapping[str, Rule]
) -> Iterator[tuple[str, Hit]]:
    """What the rules about suppressions say; a code of a rule that is off is no fault of the comment."""
    for rule in rules.values():
        if rule.subject != "suppression" or rule.code not in enabled:
            continue
        for suppression in suppressions:
            vain = tuple(code for code in suppression.codes if code in enabled or code not in rules)
            if vain or not suppression.codes:
                yield from ((rule.code, hit) for hit in rule.judge(replace(suppression, codes=vain)))


def _is_shown(finding: Finding, settings_of: SettingsOf) -> bool:
    return settings_of(Path(finding.span.path)).shows(finding.code, finding.severity, finding.confidence)


def missing(found: Discovery) -> Iterator[Notification]:
    """The paths that the user named and that are not there."""
    for path in found.missing:
        yield Notification(None, None, f"cannot find {path}: there is no such file or folder")
    if not found.files and not found.missing:
        yield Notification(None, None, "there are no Python files to check", fatal=False)


def unknown_files(problems: Mapping[str, SourceError], folder: Path) -> Iterator[Notification]:
    """What stopped us in files that others import, each as a sentence that is no failure of the run."""
    for path, error in problems.items():
        text = f"cannot analyse {shown(path, folder)}: {error}; what it defines is not known"
        yield Notification(path, error.line, text, fatal=False)


def _unreadable(examined: Iterable[Examined], folder: Path) -> Iterator[Notification]:
    for one in examined:
        if one.error is not None:
            text = f"cannot analyse {shown(one.path, folder)}: {one.error}; skipped"
            yield Notification(one.path, one.error.line, text)


def _watched(examined: Iterable[Examined], total: int, watch: Watch) -> Iterator[Examined]:
    for done, one in enumerate(examined, start=1):
        watch(done, total)
        yield one


def module_name(path: Path, root: Path) -> str:
    """The dotted name by which `path` is imported; below `root` but in no package, its path with dots."""
    top = path.parent
    while (top / "__init__.py").exists() and top.parent != top:
        top = top.parent
    if top == path.parent and path.is_relative_to(root):
        top = root
    parts = path.relative_to(top).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def repository_of(folder: Path) -> Path:
    """The repository around a folder, or the folder itself."""
    return next((above for above in (folder, *folder.parents) if (above / ".git").exists()), folder)
