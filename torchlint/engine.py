"""The pipeline: from what the user asks to the report, in one function that reads from top to bottom."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.cache.ledger import Judged, Ledger
from torchlint.cache.store import StoreError, check_folder, usual_folder
from torchlint.discover import DEFAULT_EXCLUDED, Discovery, discover, matches
from torchlint.findings import Finding, Notification, Said, Suppression
from torchlint.imported import ImportedFiles
from torchlint.notices import missing, problems_of, unknown_files, unreadable
from torchlint.report.contents import Report
from torchlint.results import FileResult
from torchlint.rules import codes
from torchlint.settings import Overrides, Settings, SettingsError, SettingsOf, covers, load_settings
from torchlint.shards import Shard
from torchlint.source import SourceError, SourceFile, Span
from torchlint.suppress import Silenced, apply, find_suppressions

if TYPE_CHECKING:
    from torchlint.analysis.executors import Workshop
    from torchlint.examine import Examined
    from torchlint.model.project import Project

Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class Request:
    """What to check and how. paths: as the user wrote them. stdin: a source that is given, not read from disk.

    config: the file with the settings for all; None means the nearest one of each file. jobs: processes, at least 1.
    cache_folder: None for the usual one. executor: where files are read, by its name; None for here.
    shard: which of the files to judge, the others being read where they matter to these; None for all.
    """

    paths: tuple[str, ...]
    overrides: Overrides = field(default_factory=Overrides)
    config: Path | None = None
    isolated: bool = False
    stdin: SourceFile | None = None
    force_exclude: bool = False
    cache: bool = True
    cache_folder: Path | None = None
    jobs: int = 1
    executor: str | None = None
    shard: Shard | None = None


def check(request: Request, watch: Watch) -> Report:
    """Check what `request` names; `watch(done, total)` is called after each file that was read.

    What goes wrong with a file is a notification of the report. Raises SettingsError for options that cannot be obeyed
    and PageError when rules and pages disagree.
    """
    settings_of = settings_for(request)
    found = find_files(request, settings_of)
    enabled = _enabled_rules(found.files, settings_of)
    root, folder = repository_of(Path.cwd()), Path.cwd()
    results, others = _results(request, _to_judge(found.files, request.shard, root), settings_of, enabled, watch)

    findings = _findings((said for result in results for said in result.said), settings_of, enabled, root)
    silenced = [apply(findings[one.path], one.suppressions) for one in results]
    elsewhere = list(_found_elsewhere(findings, {one.path for one in results}))
    heard = [finding for one in (*silenced, *elsewhere) for finding in one.heard]
    for one, parts in zip(results, silenced, strict=True):
        heard += _unused(parts.unused, enabled[one.path], settings_of, root)
    return Report(
        findings=_in_order(one for one in heard if _is_shown(one, settings_of)),
        suppressed=_in_order(one for parts in (*silenced, *elsewhere) for one in parts.suppressed),
        notifications=(
            *missing(found),
            *settings_of.problems,
            *unreadable(results, folder),
            *unknown_files(problems_of(results, enabled), folder),
            *(one.trouble for one in results if one.trouble is not None),
            *others,
        ),
        files=len(results),
        modules=sum(one.modules for one in results),
        skipped=sum(one.error is not None for one in results),
        root=root,
        folder=folder,
        given={request.stdin.path: request.stdin} if request.stdin else {},
        shard=request.shard,
        used_elsewhere=tuple(one for parts in elsewhere for one in parts.used),
    )


def _to_judge(files: Sequence[Path], shard: Shard | None, root: Path) -> Sequence[Path]:
    return files if shard is None else [file for file in files if shard.holds(file, root)]


def _found_elsewhere(findings: Mapping[str, Sequence[Finding]], judged: Container[str]) -> Iterator[Silenced]:
    """The findings in files of other shards: a class may have them in a method that it inherits."""
    for path, some in findings.items():
        if some and path not in judged:
            with suppress(SourceError):
                yield apply(some, find_suppressions(SourceFile.load(Path(path))))


def _results(
    request: Request,
    files: Sequence[Path],
    settings_of: SettingsOf,
    enabled: Mapping[str, frozenset[str]],
    watch: Watch,
) -> tuple[list[FileResult], list[Notification]]:
    """The result of each file, in order, remembered or made now; and what is to be said of the run as a whole."""
    cache = cache_folder(request)
    workshop = _workshop(request)
    imported = ImportedFiles(settings_of, cache=cache)
    ledger = None
    if cache is not None and request.stdin is None:
        ledger = Ledger(cache, {path: _key(rules) for path, rules in enabled.items()}, imported)
    known = ledger.recall() if ledger is not None else {}
    fresh = [file for file in files if str(file) not in known]
    notes = [Notification(None, None, text, fatal=False) for text in (ledger.damage if ledger is not None else ())]
    judged: tuple[Judged, ...] = ()
    if fresh:
        # A run that remembers everything need not know how files are read and judged.
        from torchlint.analysis.analyse import Work, analyse

        given = {request.stdin.path: request.stdin} if request.stdin else {}
        fresh_paths = {str(file) for file in fresh}
        remembered = [path for path in enabled if path not in fresh_paths and _may_have_facts(known.get(path))]
        work = Work(fresh, remembered, enabled, imported, cache, request.jobs, given, workshop)
        analysis = analyse(work, watch)
        judged = analysis.judged if analysis.can_be_kept else ()
        known.update((one.result.path, one.result) for one in analysis.judged)
        notes += analysis.notes
    if ledger is not None:
        ledger.keep(judged)
    return [known[str(file)] for file in files], notes


def _may_have_facts(result: FileResult | None) -> bool:
    return result is None or result.has_facts


def _workshop(request: Request) -> Workshop | None:
    if request.executor is None:
        return None
    from torchlint.analysis.executors import workshop

    return workshop(request.executor, request.jobs)


def cache_folder(request: Request) -> Path | None:
    """Where what was read and found is kept; None for nowhere. Raises SettingsError for a folder that is not ours."""
    if not request.cache:
        return None
    folder = request.cache_folder or usual_folder()
    try:
        check_folder(folder)
    except StoreError as error:
        raise SettingsError(str(error)) from error
    return folder


def _key(enabled: frozenset[str]) -> bytes:
    return ",".join(sorted(enabled)).encode()


def plan(request: Request) -> tuple[Discovery, SettingsOf]:
    """The files that `check` would check (and the paths that are not there), and the settings of each."""
    settings_of = settings_for(request)
    return find_files(request, settings_of), settings_of


def known_codes() -> tuple[str, ...]:
    """The codes of all rules, in order."""
    return codes()


def source_of(name: Path | None, content: bytes) -> SourceFile:
    """A source from standard input; `name`: the file that it stands for."""
    path = os.path.realpath(name) if name else str(Path.cwd() / "<stdin>")
    return SourceFile(path, content)


def settings_for(request: Request) -> SettingsOf:
    """The settings of each file under `request`. Raises SettingsError for a --config that cannot be obeyed."""
    if request.isolated:
        return SettingsOf(request.overrides, codes(), fixed=Settings())
    if request.config is None:
        return SettingsOf(request.overrides, codes())
    return SettingsOf(request.overrides, codes(), fixed=load_settings(request.config, codes()) or Settings())


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


def _enabled_rules(files: Iterable[Path], settings_of: SettingsOf) -> dict[str, frozenset[str]]:
    """The rules that run for each file."""
    known: dict[tuple[int, tuple[tuple[str, ...], ...]], frozenset[str]] = {}
    enabled: dict[str, frozenset[str]] = {}
    for path in files:
        settings = settings_of(path)
        ignored = tuple(
            some for patterns, some in settings.per_file_ignores if matches(path, patterns.base, patterns.globs)
        )
        key = (id(settings), ignored)
        if key not in known:
            on = (code for code in codes() if settings.enables(code))
            known[key] = frozenset(code for code in on if not any(covers(some, code) for some in ignored))
        enabled[str(path)] = known[key]
    return enabled


def _findings(
    everything: Iterable[Said], settings_of: SettingsOf, enabled: Mapping[str, frozenset[str]], root: Path
) -> dict[str, list[Finding]]:
    """The findings by file, without those in files that were not asked about or where the rule is off.

    There is one for a place, rule and symbol: the gravest of those that several classes give, in any order of files.
    """
    findings: dict[str, dict[tuple[str, Span, str], Finding]] = {path: {} for path in enabled}
    for said in everything:
        if said.code not in enabled.get(said.span.path, ()):
            continue
        found = _finding(said, settings_of, root)
        identity = (said.code, said.span, said.symbol)
        other = findings[said.span.path].setdefault(identity, found)
        findings[said.span.path][identity] = max(found, other, key=_gravity)
    return {path: _numbered(some.values()) for path, some in findings.items()}


def _gravity(finding: Finding) -> tuple[object, ...]:
    """The severity first; the rest is there to choose the same one in any order, as `torchlint merge` does."""
    related = tuple((place.span, place.text) for place in finding.related)
    return finding.severity.rank, finding.confidence.rank, finding.message, related


def _numbered(findings: Iterable[Finding]) -> list[Finding]:
    """The findings of a file in order, the second of one key as "key#2": a key names one finding."""
    seen: dict[str, int] = {}
    numbered: list[Finding] = []
    for found in sorted(findings, key=lambda one: one.order):
        count = seen[found.key] = seen.get(found.key, 0) + 1
        numbered.append(found if count == 1 else replace(found, key=f"{found.key}#{count}"))
    return numbered


def _finding(said: Said, settings_of: SettingsOf, root: Path) -> Finding:
    path = Path(said.span.path)
    return Finding(
        code=said.code,
        name=said.name,
        severity=settings_of(path).severity_of(said.code, said.gravest, said.severity),
        confidence=said.confidence,
        message=said.message,
        span=said.span,
        key=f"{said.code}:{module_name(path, root)}.{said.symbol}",
        symbol=said.symbol,
        related=said.related,
        fix=said.fix,
    )


def _unused(
    suppressions: Sequence[Suppression], enabled: frozenset[str], settings_of: SettingsOf, root: Path
) -> list[Finding]:
    """What the rules about suppressions say; a code of a rule that is off is no fault of the comment."""
    if not suppressions:
        return []
    from torchlint.analysis.analyse import said_of_suppressions

    vain = [replace(one, codes=tuple(c for c in one.codes if c in enabled or c not in codes())) for one in suppressions]
    asked = [one for one, whole in zip(vain, suppressions, strict=True) if one.codes or not whole.codes]
    return _numbered(_finding(said, settings_of, root) for said in said_of_suppressions(asked, enabled))


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda one: one.order))


def _is_shown(finding: Finding, settings_of: SettingsOf) -> bool:
    return settings_of(Path(finding.span.path)).shows(finding.code, finding.severity, finding.confidence)


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
