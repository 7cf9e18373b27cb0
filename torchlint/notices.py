"""What a run could not do, as sentences."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from torchlint.discover import Discovery
from torchlint.findings import Notification
from torchlint.imported import own_problems
from torchlint.report.contents import shown
from torchlint.results import FileResult
from torchlint.source import SourceError


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


def unreadable(results: Iterable[FileResult], folder: Path) -> Iterator[Notification]:
    """What stopped us in files that are checked."""
    for one in results:
        if one.error is not None:
            text = f"cannot analyse {shown(one.path, folder)}: {one.error}; skipped"
            yield Notification(one.path, one.error.line, text)


def problems_of(results: Sequence[FileResult], checked: Container[str]) -> dict[str, SourceError]:
    """What stopped us in files of the project that are not checked but lead to what is, by file, in order."""
    problems = {path: error for one in results for path, error in one.problems}
    return own_problems(problems, checked)
