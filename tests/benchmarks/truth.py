"""Whether the index says of real classes what torch says of them; prints Markdown.

    python -m tests.benchmarks.truth torch PACKAGE... --output FILE.json
    python -m tests.benchmarks.truth compare FILE.json... [--on-demand] [--verbose]

`torch` needs an environment in which the packages import: it imports each one whole, asks of every class whether it is
a subclass of nn.Module, and builds what can be built by default (more with scipy, yacs and expecttest beside them).
`compare` needs the same files, and no torch.
docs/accuracy.md holds the figures.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import click

from tests.benchmarks.truth_record import PackageTruth, read, write

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.group()
def main() -> None:
    """Whether the index says of real classes what torch says of them; prints Markdown."""


@main.command("torch")
@click.argument("packages", nargs=-1, required=True)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), required=True)
def ask_torch(packages: tuple[str, ...], output: Path) -> None:
    """Write what torch says of the classes of installed PACKAGES."""
    found = []
    for name in packages:
        found.append(_recorded(name))
        click.echo(_summary(found[-1]))
    write(found, output)


def _recorded(package: str) -> PackageTruth:
    with tempfile.TemporaryDirectory() as scratch:
        part = Path(scratch) / "part.json"
        program = [sys.executable, "-W", "ignore", "-m", "tests.benchmarks.truth", "record", package, str(part)]
        done = subprocess.run(program, stdout=subprocess.DEVNULL, check=False)
        if done.returncode or not part.exists():
            raise click.ClickException(f"cannot ask torch about {package}: the process ended with {done.returncode}")
        (truth,) = read(part)
    return truth


def _summary(truth: PackageTruth) -> str:
    modules = [one for one in truth.classes if one.is_module]
    instances = [one.instance for one in modules if one.instance is not None]
    alone = sum(not one.within for one in instances)
    return (
        f"{truth.name} {truth.version}: {truth.imported:,} modules imported, {len(truth.failed):,} not;"
        f" {len(truth.classes):,} classes, {truth.generated:,} generated ones left out; {len(modules):,} of them"
        f" nn.Modules, {len(instances):,} of these built ({alone:,} by themselves)"
    )


@main.command()
@click.argument("truth", nargs=-1, required=True, type=_FILE)
@click.option("--verbose", is_flag=True, help="List every miss.")
@click.option("--jobs", type=click.IntRange(1), default=1, help="Processes that read the files.")
@click.option("--on-demand", is_flag=True, help="Pass no file: each is read as far as the questions need it.")
def compare(truth: tuple[Path, ...], verbose: bool, jobs: int, on_demand: bool) -> None:
    """Ask torchlint about the classes in the files TRUTH, and count where it is right."""
    from tests.benchmarks import truth_compare

    packages = [package for file in truth for package in read(file)]
    comparisons = [
        truth_compare.compare(
            package, truth_compare.on_demand() if on_demand else truth_compare.whole(Path(package.folder), jobs)
        )
        for package in packages
    ]
    for line in (*truth_compare.class_table(comparisons), "", *truth_compare.name_table(comparisons)):
        click.echo(line)
    for one in comparisons:
        click.echo(f"\n## {one.package.name} {one.package.version}")
        for line in truth_compare.miss_lists(one, verbose=verbose):
            click.echo(line)


@main.command(hidden=True)
@click.argument("package")
@click.argument("output", type=click.Path(dir_okay=False, path_type=Path))
def record(package: str, output: Path) -> None:
    """Write what torch says of one package, in this process."""
    from tests.benchmarks import truth_torch

    write([truth_torch.record(package)], output)


if __name__ == "__main__":
    main()
