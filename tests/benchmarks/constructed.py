"""How many classes of a package can be built, and called, without being told how; prints Markdown.

    python -m tests.benchmarks.constructed PATH... [--python PYTHON] [--sample 200] [--failures FILE]

Each nn.Module class at the top of the files below the paths is built and called as `torchlint confirm` would, in a
child process. Counted are those with at least one parameter or buffer, and all that were not built. PYTHON has torch
and what the package needs; a module that is not there can be replaced by a stub in PYTHONPATH. FILE gets a line for
each class that was not built or did not run, with the first error. docs/confirm.md holds the figures.
"""

from __future__ import annotations

import ast
import random
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from torchlint.confirm.plan import Claim, Job, job_at
from torchlint.confirm.pool import answers_to
from torchlint.confirm.supervisor import Answer, Limits, Supervisor

_SECONDS = 60.0
_NO_MODULE = ("is no nn.Module when the file is imported", "has no attribute")


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a class. error: the first that kept it from being built or called. cpu: seconds."""

    name: str
    is_built: bool
    has_run: bool
    has_state: bool
    error: str
    cpu: float


def jobs_below(paths: Sequence[Path]) -> Iterator[Job]:
    """A job for each class at the top of the files, which builds it, calls it, and says what it holds."""
    claim = Claim("", "TL101", "", 0)  # of any attribute
    for path in sorted(file for folder in paths for file in folder.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for name in dict.fromkeys(node.name for node in tree.body if isinstance(node, ast.ClassDef)):
            yield job_at(str(path), name, (claim,), ("state",))


def trial_of(answer: Answer) -> Trial | None:
    """What an answer says of its class; None for one that is no nn.Module."""
    stages = {record["stage"]: record for record in answer.records}
    failed = stages.get("failed", stages.get("no forward", {})).get("error", "") or answer.ended
    is_built, has_run = "constructed" in stages, "ran" in stages
    if not is_built and any(text in failed for text in _NO_MODULE) and "class" not in stages:
        return None
    held = stages.get("facts", {}).get("facts", {}).get("held", {}).values()
    has_state = not is_built or bool({"parameter", "buffer"}.intersection(held))
    return Trial(answer.job.name, is_built, has_run, has_state, "" if has_run else failed, answer.cpu)


def row(name: str, trials: Sequence[Trial]) -> str:
    """The table row of a package."""
    counted = [one for one in trials if one.has_state]
    built, ran = sum(one.is_built for one in counted), sum(one.has_run for one in counted)
    cpu = statistics.median(one.cpu for one in counted)
    shares = f"{built} = {built / len(counted):.0%} | {ran} = {ran / len(counted):.0%}"
    return f"| {name} | {len(counted)} | {len(trials) - len(counted)} | {shares} | {cpu:.2f} |"


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--python", type=click.Path(exists=True, path_type=Path), default=Path(sys.executable))
@click.option("--sample", type=click.IntRange(min=1), help="That many classes, at random (seed 2026).")
@click.option("--only", default="*.py", help="Files of this name.")
@click.option("--failures", type=click.File("w"), help="Where to write what went wrong.")
@click.option("--jobs", type=click.IntRange(min=1), default=1)
def main(
    paths: tuple[Path, ...], python: Path, sample: int | None, only: str, failures: click.utils.LazyFile, jobs: int
) -> None:
    """Build and call the classes below PATHS."""
    tasks = [job for job in jobs_below(paths) if Path(job.path).match(only)]
    if sample is not None and sample < len(tasks):
        tasks = sorted(random.Random(2026).sample(tasks, sample), key=lambda job: (job.path, job.qualname))

    def supervisor() -> Supervisor:
        return Supervisor(python, "cpu", 0, Limits(_SECONDS))

    with supervisor() as first:
        answers = answers_to(tuple(tasks), first, supervisor, jobs)
        trials = [trial for trial in map(trial_of, answers) if trial is not None]
    for one in trials if failures else ():
        if not one.has_run and one.has_state:
            failures.write(f"{'built' if one.is_built else 'not built'} {one.name} {one.cpu:.2f}: {one.error}\n")
    click.echo("| package | classes | without state | built | ran | CPU seconds (median) |\n|---|---|---|---|---|---|")
    click.echo(row(" ".join(path.name for path in paths[:3]), trials))


if __name__ == "__main__":
    main()
