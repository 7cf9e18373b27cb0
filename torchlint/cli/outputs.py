"""Which format goes where: standard output, and files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import click

from torchlint.report.contents import Report
from torchlint.report.text import COLOURED, PLAIN, Palette, write_concise, write_full

FULL = "full"
CONCISE = "concise"
JSON = "json"
SARIF = "sarif"
FORMATS = (FULL, CONCISE, JSON, SARIF)
FOR_PEOPLE = (FULL, CONCISE)


@dataclass(frozen=True, slots=True)
class Output:
    """A file to write, and its format."""

    format: str
    file: Path


def outputs_of(pairs: Iterable[str]) -> list[Output]:
    """What "FORMAT:FILE" says, for each of `pairs`. Raises BadParameter where the format or the file is missing."""
    outputs: list[Output] = []
    for pair in pairs:
        name, colon, file = pair.partition(":")
        if name not in FORMATS or not colon or not file:
            raise click.BadParameter(f"`{pair}` must be FORMAT:FILE, with {', '.join(FORMATS)} as FORMAT")
        outputs.append(Output(name, Path(file)))
    return outputs


def refuse_impossible(outputs: Iterable[Output]) -> None:
    """Raise BadParameter for a file that cannot be written, before a long run is spent on it."""
    seen: set[str] = set()
    for output in outputs:
        real = os.path.realpath(output.file)
        if not Path(real).parent.is_dir():
            raise click.BadParameter(f"cannot write {output.file}: there is no folder {output.file.parent}")
        if Path(real).is_dir():
            raise click.BadParameter(f"cannot write {output.file}: it is a folder")
        if real in seen and (Path(real).is_file() or not Path(real).exists()):
            raise click.BadParameter(f"two outputs go to {output.file}; name another file")
        seen.add(real)


def palette_for(choice: str, stream: TextIO) -> Palette:
    """Colours as `choice` says; "auto" asks NO_COLOR, FORCE_COLOR and whether `stream` is a terminal, in this order."""
    if choice != "auto":
        return COLOURED if choice == "always" else PLAIN
    if os.environ.get("NO_COLOR"):
        return PLAIN
    if os.environ.get("FORCE_COLOR"):
        return COLOURED
    return COLOURED if stream.isatty() and os.environ.get("TERM") != "dumb" else PLAIN


def writer(name: str, report: Report, palette: Palette, *, include_suppressed: bool) -> Callable[[TextIO], None]:
    """What writes `report` to a stream in the format `name`."""
    if name == JSON:
        from torchlint.report.json_report import write_json

        return lambda stream: write_json(report, stream)
    if name == CONCISE:
        return lambda stream: write_concise(report, stream, palette)
    if name == FULL:
        return lambda stream: write_full(report, stream, palette)
    from torchlint.pages import load_pages
    from torchlint.report.sarif import write_sarif

    return lambda stream: write_sarif(report, load_pages(), stream, include_suppressed=include_suppressed)


def never_fail_to_print() -> None:
    """Let names that the terminal's encoding lacks be printed as escapes."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")
