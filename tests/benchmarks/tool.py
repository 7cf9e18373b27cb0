"""The tool as its users meet it: the command line in, SARIF out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import click

# The sentence ends in a full stop; links to the other places may follow.
_SEE = re.compile(r"\.(?: See: \[.*)?$", re.DOTALL)
_SUMMARY = re.compile(r"Checked ([\d,]+) files? with ([\d,]+) modules?")


@dataclass(frozen=True, order=True)
class Result:
    """One finding. path: absolute. line: 1-based. level: "error", "warning" or "note"."""

    path: str
    line: int
    code: str
    level: str
    message: str

    @property
    def is_note(self) -> bool:
        """Whether it is harmless today, or a matter of style."""
        return self.level == "note"


@dataclass(frozen=True)
class Run:
    """One run over some paths: what was found, and how much was read. codes: the rules that ran."""

    results: tuple[Result, ...]
    codes: tuple[str, ...]
    file_count: int
    module_count: int
    notification_count: int


def check(paths: Iterable[Path], folder: Path, *options: str) -> Run:
    """Run `torchlint check` over `paths` in `folder`. Ends the program when the tool fails."""
    with tempfile.TemporaryDirectory() as scratch:
        log_file = Path(scratch) / "log.sarif"
        command = [sys.executable, "-m", "torchlint", "check", *map(str, paths), "--isolated", "--exit-zero", *options]
        done = subprocess.run(
            [*command, "--output-format", "sarif", "--output-file", str(log_file)],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        # 2: a file could not be analysed; the others were.
        if done.returncode not in (0, 2) or not log_file.exists():
            raise click.ClickException(f"torchlint ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
        log = json.loads(log_file.read_text(encoding="utf-8"))
    (run,) = log["runs"]
    counts = _SUMMARY.search(done.stdout)
    file_count, module_count = (int(count.replace(",", "")) for count in counts.groups()) if counts else (0, 0)
    return Run(
        results=tuple(sorted(_result(one, folder) for one in run["results"] if not one.get("suppressions"))),
        codes=tuple(rule["id"] for rule in run["tool"]["driver"]["rules"]),
        file_count=file_count,
        module_count=module_count,
        notification_count=sum(len(one.get("toolExecutionNotifications", ())) for one in run.get("invocations", ())),
    )


def _result(result: dict[str, Any], folder: Path) -> Result:
    place = result["locations"][0]["physicalLocation"]
    return Result(
        path=_absolute(unquote(urlparse(place["artifactLocation"]["uri"]).path), folder),
        line=place["region"]["startLine"],
        code=result["ruleId"],
        level=result["level"],
        message=_SEE.sub("", result["message"]["text"]),
    )


def _absolute(path: str, folder: Path) -> str:
    """A URI of the log is relative to the working directory or to the root of the repository around it."""
    bases = (folder, *folder.resolve().parents)
    return next(str((base / path).resolve()) for base in bases if (base / path).exists())
