"""`torchlint check`: its options, and what happens with its answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from torchlint import engine
from torchlint.cli.confirm import confirmed, replayed, with_confirm_options
from torchlint.cli.options import (
    CLEAN,
    FAILED,
    FINDINGS,
    cache_dir_option,
    core_count,
    exit_zero_option,
    fail_on_option,
    python_option,
)
from torchlint.cli.outputs import (
    FOR_PEOPLE,
    FORMATS,
    FULL,
    Output,
    never_fail_to_print,
    outputs_of,
    palette_for,
    refuse_impossible,
    writer,
)
from torchlint.cli.progress import Progress
from torchlint.report.contents import Report, SarifTooLargeError
from torchlint.report.output import OutputError, write_file
from torchlint.report.text import sentence, summary, write_statistics
from torchlint.settings import CONFIDENCES, describe, parse_overrides, parse_severity
from torchlint.shards import parse_shard

STDIN = "-"

_FILE = click.Path(path_type=Path)
_SURE = "Report findings of this confidence or higher.  [default: medium]"
_OPTIONS = (
    click.argument("paths", nargs=-1, type=click.Path()),
    click.option("--select", multiple=True, metavar="CODES", help="Run these rules only: codes, prefixes (TL1), ALL."),
    click.option("--ignore", multiple=True, metavar="CODES", help="Do not run these rules."),
    click.option("--extend-select", multiple=True, metavar="CODES", help="Run these rules too."),
    click.option(
        "--per-file-ignores", multiple=True, metavar="PATTERN:CODES", help="Do not run these rules on these files."
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="Leave these out instead of the usual folders (.venv, build ...).",
    ),
    click.option("--extend-exclude", multiple=True, metavar="PATTERN", help="Leave these out too."),
    click.option("--force-exclude", is_flag=True, help="Exclude files also where they are named on the command line."),
    click.option("--show-notes", is_flag=True, help="Also report notes: harmless today, or a matter of style."),
    click.option("--min-confidence", type=click.Choice(CONFIDENCES), help=_SURE),
    fail_on_option,
    exit_zero_option,
    click.option(
        "--output-format",
        type=click.Choice(FORMATS),
        default=FULL,
        help="The format of standard output, or of --output-file.",
    ),
    click.option("--output-file", type=_FILE, help="Write the report there; text stays on the terminal."),
    click.option(
        "--output", "outputs", multiple=True, metavar="FORMAT:FILE", help="Write one more report. Repeatable."
    ),
    click.option("--sarif-include-suppressed", is_flag=True, help="Put suppressed findings into SARIF, marked so."),
    click.option("--config", type=_FILE, help="Take the settings from this file for all files."),
    click.option("--isolated", is_flag=True, help="Use no configuration file."),
    python_option,
    click.option("--show-settings", is_flag=True, help="Show the settings for the first file, and do nothing else."),
    click.option("--show-files", is_flag=True, help="Show the files that would be checked, and do nothing else."),
    click.option("--stdin-filename", type=_FILE, help="The name of the source on standard input."),
    click.option("--statistics", is_flag=True, help="Count the findings of each rule."),
    click.option("--quiet", "-q", is_flag=True, help="Say nothing but findings and errors."),
    click.option("--color", type=click.Choice(("auto", "always", "never")), default="auto", help="Colour the text."),
    click.option("--no-cache", is_flag=True, help="Read and judge every file anew."),
    cache_dir_option,
    click.option(
        "--jobs", "-j", type=click.IntRange(min=1), help="Processes to read and run with.  [default: one per core]"
    ),
    click.option(
        "--shard",
        metavar="I/N",
        callback=lambda _context, _parameter, value: parse_shard(value) if value else None,
        help="Judge the I-th of N parts of the files; see `torchlint merge`.",
    ),
    click.option("--executor", metavar="SPEC", help="Read files on processes:N, dask://HOST:PORT or MODULE:CALLABLE."),
)


def _with_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command(short_help="Check Python files for hazards.")
@_with_options
@click.option("--confirm", "runs", is_flag=True, help="Run the classes of the findings, as `confirm` does.")
def check(**options: Any) -> int:
    """Check the Python files in PATHS ("-": standard input; default: this folder) for hazards.

    Exit codes: 0 clean, 1 findings, 2 something could not be checked, 130 interrupted.
    """
    return _run(options) if options["runs"] else _checked(options, lambda report: report)


@click.command(short_help="Check, then run the classes of the findings.")
@_with_options
@with_confirm_options
def confirm(**options: Any) -> int:
    """Check PATHS as `check` does, then build and run the classes that findings are about, each in a process of its
    own, and say of each finding whether it is confirmed, refuted or inconclusive. This runs your code.

    Exit codes: as of `check`.
    """
    return _run(options)


def _run(options: dict[str, Any]) -> int:
    if STDIN in options["paths"]:
        raise click.UsageError("confirm runs files; standard input is none")
    settings_of = engine.settings_for(_request(options))
    if options.get("replay"):
        click.echo(replayed(engine.check(_request(options), lambda done, total: None), options, settings_of), nl=False)
        return CLEAN
    return _checked(options, lambda report: confirmed(report, options, settings_of))


def _checked(options: dict[str, Any], finish: Callable[[Report], Report]) -> int:
    never_fail_to_print()
    request = _request(options)
    if options["show_settings"] or options["show_files"]:
        return _show_plan(request, settings=options["show_settings"])
    stdout_format, outputs = _destinations(options)
    with Progress(quiet=options["quiet"]) as progress:
        report = engine.check(request, progress)
    report = finish(report)
    complaints = _write_files(report, outputs, options)
    _write_stdout(report, stdout_format, options)
    _write_stderr(report, stdout_format, complaints, options)
    if complaints or not report.is_complete:
        return FAILED
    fails = report.has_at_least(parse_severity(options["fail_on"])) and not options["exit_zero"]
    return FINDINGS if fails else CLEAN


def _request(options: dict[str, Any]) -> engine.Request:
    paths: tuple[str, ...] = options["paths"] or (".",)
    stdin = None
    if STDIN in paths:
        if len(paths) > 1:
            raise click.UsageError("`-` (standard input) cannot be mixed with other paths")
        stdin = engine.source_of(options["stdin_filename"], sys.stdin.buffer.read())
        paths = ()
    if options["config"] and options["isolated"]:
        raise click.UsageError("--config and --isolated exclude each other")
    return engine.Request(
        paths=paths,
        overrides=parse_overrides(options, Path.cwd(), engine.known_codes()),
        config=options["config"] and options["config"].absolute(),
        isolated=options["isolated"],
        stdin=stdin,
        force_exclude=options["force_exclude"],
        cache=not options["no_cache"],
        cache_folder=options["cache_dir"],
        jobs=options["jobs"] or core_count(),
        executor=options["executor"],
        shard=options["shard"],
    )


def _destinations(options: dict[str, Any]) -> tuple[str, list[Output]]:
    """The format of standard output, and the files to write."""
    stdout_format: str = options["output_format"]
    outputs = outputs_of(options["outputs"])
    if options["output_file"]:
        outputs.append(Output(stdout_format, options["output_file"]))
        stdout_format = stdout_format if stdout_format in FOR_PEOPLE else FULL
    refuse_impossible(outputs)
    return stdout_format, outputs


def _show_plan(request: engine.Request, *, settings: bool) -> int:
    found, settings_of = engine.plan(request)
    for path in found.missing:
        click.echo(f"torchlint: cannot find {path}: there is no such file or folder", err=True)
    if settings:
        first = found.files[0] if found.files else Path.cwd() / "file.py"
        click.echo(describe(settings_of(first)))
    else:
        click.echo("".join(f"{file}\n" for file in found.files), nl=False)
    return FAILED if found.missing else CLEAN


def _write_files(report: Report, outputs: list[Output], options: dict[str, Any]) -> list[str]:
    """Write every file; what went wrong, as sentences."""
    complaints: list[str] = []
    colour = palette_for(options["color"] if options["color"] == "always" else "never", sys.stdout)
    for output in outputs:
        write = writer(output.format, report, colour, include_suppressed=options["sarif_include_suppressed"])
        try:
            write_file(output.file, write)
        except (OutputError, SarifTooLargeError) as error:
            complaints.append(str(error))
    return complaints


def _write_stdout(report: Report, stdout_format: str, options: dict[str, Any]) -> None:
    colour = palette_for(options["color"], sys.stdout)
    writer(stdout_format, report, colour, include_suppressed=options["sarif_include_suppressed"])(sys.stdout)
    sys.stdout.flush()


def _write_stderr(report: Report, stdout_format: str, complaints: list[str], options: dict[str, Any]) -> None:
    """Say what went wrong, and what was done: on standard output where people read it, else beside it."""
    for notification in report.notifications:
        if notification.fatal or not options["quiet"]:
            click.echo(sentence(notification), err=True)
    for complaint in complaints:
        click.echo(f"error: {complaint}", err=True)
    stream = sys.stdout if stdout_format in FOR_PEOPLE else sys.stderr
    if options["statistics"]:
        write_statistics(report, stream)
    if not options["quiet"]:
        stream.write(summary(report) + "\n")
