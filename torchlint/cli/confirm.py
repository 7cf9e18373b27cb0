"""`torchlint confirm`: check, then run the classes that findings are about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from torchlint.cli.options import core_count
from torchlint.cli.progress import Progress
from torchlint.environment import interpreter_of
from torchlint.findings import Notification
from torchlint.report.contents import Report
from torchlint.settings import DEVICES, SettingsOf

if TYPE_CHECKING:
    from torchlint.confirm import Orders, Outcome

CONFIRM_OPTIONS = (
    click.option("--device", type=click.Choice(DEVICES), help="Move the classes there.  [default: auto]"),
    click.option("--class", "classes", multiple=True, metavar="NAME", help="Run this class only. Repeatable."),
    click.option("--seed", type=int, default=0, help="Of all random numbers.  [default: 0]"),
    click.option("--timeout", type=click.FloatRange(min=1), help="Seconds for one class.  [default: 30]"),
    click.option(
        "--replay", metavar="KEY", help="Print a script that repeats what confirms this finding, and no report."
    ),
    click.option("--memory", type=click.IntRange(min=64), help="MiB for one class.  [default: 4096]"),
)


class ConfirmFailure(click.ClickException):
    """Nothing could be run."""

    exit_code = 2


def with_confirm_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of confirm, added to a command."""
    for option in reversed(CONFIRM_OPTIONS):
        command = option(command)
    return command


def confirmed(report: Report, options: dict[str, Any], settings_of: SettingsOf) -> Report:
    """The report with a verdict for each finding. Raises ClickException where nothing can be run."""
    from torchlint.confirm import ConfirmError, confirm

    orders = _orders(options, settings_of)
    with Progress(quiet=options["quiet"], label="Running") as progress:
        try:
            outcome = confirm(report.findings, orders, progress)
        except ConfirmError as error:
            raise ConfirmFailure(str(error)) from error
    said = [Notification(None, None, text, fatal=False) for text in _about(outcome)]
    return replace(report, findings=outcome.findings, notifications=(*report.notifications, *said))


def replayed(report: Report, options: dict[str, Any], settings_of: SettingsOf) -> str:
    """The script for the finding that --replay names. Raises ClickException where there is none."""
    from torchlint.confirm import ConfirmError, replay

    try:
        return replay(report.findings, options["replay"], _orders(options, settings_of))
    except ConfirmError as error:
        raise ConfirmFailure(str(error)) from error


def _orders(options: dict[str, Any], settings_of: SettingsOf) -> Orders:
    """Options first, where the command has them, then the settings of the working directory; hints are of each file."""
    from torchlint.confirm import Limits, Orders, hint_in

    here = settings_of(Path.cwd() / "file.py")
    return Orders(
        python=interpreter_of(options["python"] or here.python, Path.cwd()),
        device=options.get("device") or here.confirm.device,
        seed=options.get("seed", 0),
        limits=Limits(
            options.get("timeout") or here.confirm.timeout, options.get("memory") or int(here.confirm.memory)
        ),
        wanted=options.get("classes", ()),
        hint_for=lambda job: hint_in(settings_of(Path(job.path)).confirm.classes, job),
        jobs=options.get("jobs") or core_count(),
    )


def _about(outcome: Outcome) -> list[str]:
    from statistics import median

    surroundings, findings = outcome.surroundings, outcome.findings
    if surroundings is None:
        return []
    cost = f"{len(outcome.costs)} classes in {median(outcome.costs):.2f} CPU seconds each (median)"
    devices = {"sim": "a simulated cuda:0", "": "the CPU alone"}
    where = devices.get(surroundings.device, surroundings.device)
    network = "without network" if surroundings.is_offline else "with the network in reach"
    counts = Counter(finding.verdict.value for finding in findings if finding.verdict)
    verdicts = ", ".join(f"{counts[name]} {name}" for name in ("confirmed", "refuted", "inconclusive"))
    note = f"; {surroundings.note}" if surroundings.note else ""
    return [
        f"ran {cost} with torch {surroundings.torch} on {where}, {network}, in child processes with limits, "
        f"which guard against accidents and not against malice{note}: {verdicts}"
    ]
