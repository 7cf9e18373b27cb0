"""What a finished run of the analysis says; every report format is written from it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from torchlint.findings import Finding, Notification, Severity, Suppression
from torchlint.shards import Shard
from torchlint.source import CommandError, SourceFile


class MergeError(CommandError):
    """Logs that are not those of one run; the text is a whole sentence."""


class SarifTooLargeError(Exception):
    """More results than code scanning accepts; the text is a whole sentence that says what to do."""


@dataclass(frozen=True)
class Report:
    """Findings are sorted by place, then by code; `suppressed` holds those that a comment silences.

    files: how many were checked. modules: how many nn.Module classes they define. skipped: files not analysed.
    root: the folder of the repository, for URIs. folder: the working directory, for people.
    given: sources that are not to be read from disk (standard input), by path.
    shard: the part of the run that this is; None for the whole. used_elsewhere: comments in files of other shards, with
    the codes of findings here that they silence.
    """

    findings: tuple[Finding, ...]
    suppressed: tuple[Finding, ...]
    notifications: tuple[Notification, ...]
    files: int
    modules: int
    skipped: int
    root: Path
    folder: Path
    given: Mapping[str, SourceFile] = field(default_factory=dict)
    shard: Shard | None = None
    used_elsewhere: tuple[Suppression, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether all that was asked for was analysed."""
        return not any(notification.fatal for notification in self.notifications)

    def has_at_least(self, severity: Severity) -> bool:
        """Whether a finding is as grave as `severity`, or graver."""
        return any(finding.severity.rank >= severity.rank for finding in self.findings)

    def source(self, path: str) -> SourceFile:
        """The file as it was checked. Raises SourceError when it cannot be read any more."""
        return self.given[path] if path in self.given else SourceFile.load(Path(path))

    def shown(self, path: str) -> str:
        """The path as people read it: relative to the working directory where it lies below it."""
        return shown(path, self.folder)


def shown(path: str, folder: Path) -> str:
    """`path` relative to `folder` where it lies below it."""
    prefix = str(folder) + os.sep
    return path.removeprefix(prefix)
