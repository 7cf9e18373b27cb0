"""Bring the pinned source archives that the labels and the benchmarks speak of.

    python -m tests.benchmarks.corpus DIR [--only timm,kornia]

DIR must lie outside this repository: the code is other people's, to be read and analysed, never to be committed. About
140 MB are downloaded. Each archive is checked against the sha256 in packages.txt, and only its .py files are unpacked.
Needs pip and a package index.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

PACKAGES = Path(__file__).with_name("packages.txt")
REPOSITORY = Path(__file__).parents[2]


class CorpusError(Exception):
    """An archive that is not there, or not the pinned one. `str(error)` is a whole sentence."""


@dataclass(frozen=True)
class Package:
    """A pinned source archive. sha256: of the archive, in hexadecimal."""

    name: str
    version: str
    sha256: str

    @property
    def folder(self) -> str:
        """The folder that the archive unpacks to: "timm-1.0.31"."""
        return f"{self.name}-{self.version}"


def pinned() -> list[Package]:
    """The packages of packages.txt, in its order."""
    lines = PACKAGES.read_text(encoding="utf-8").splitlines()
    return [Package(*line.split()) for line in lines if line and not line.startswith("#")]


def bring(package: Package, target: Path) -> int:
    """Download and unpack `package` into `target` and return the number of files. Raises CorpusError."""
    downloads = target / ".downloads"
    archive = downloads / f"{package.folder}.tar.gz"
    if not archive.exists():
        _download(package, downloads)
    if hashlib.sha256(archive.read_bytes()).hexdigest() != package.sha256:
        raise CorpusError(f"{archive} is not the pinned archive: its sha256 differs; delete it and try again")
    return sum(1 for _ in _unpack(archive, target))


def _download(package: Package, downloads: Path) -> None:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    requirement = f"{package.name}=={package.version}"
    # pip asks the build backend for the metadata of what it has saved; that may fail, and the archive is what counts.
    done = subprocess.run(
        [*pip, requirement, "--dest", str(downloads)], capture_output=True, text=True, errors="replace", check=False
    )
    if not (downloads / f"{package.folder}.tar.gz").exists():
        raise CorpusError(f"pip brought no source archive of {requirement}: {done.stderr.strip()[-500:]}")


def _unpack(archive: Path, target: Path) -> Iterator[Path]:
    """Write the Python files of `archive` below `target`; links, and names that lead elsewhere, are left out."""
    root = target.resolve()
    with tarfile.open(archive) as tar:
        for member in tar:
            path = (root / member.name).resolve()
            content = tar.extractfile(member) if member.isfile() and member.name.endswith(".py") else None
            if content is None or not path.is_relative_to(root):
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.read())
            yield path


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--only", default="", metavar="NAMES", help="Bring these packages, separated by commas.")
def main(folder: Path, only: str) -> None:
    """Bring the pinned source archives into FOLDER, which must lie outside this repository."""
    if folder.resolve().is_relative_to(REPOSITORY):
        raise click.UsageError(f"{folder} lies inside this repository: choose a folder elsewhere")
    names = set(filter(None, only.split(",")))
    failures = 0
    for package in pinned():
        if (names and package.name not in names) or (folder / package.folder).exists():
            continue
        try:
            click.echo(f"{package.folder}: {bring(package, folder)} files")
        except CorpusError as error:
            click.echo(f"error: {error}", err=True)
            failures += 1
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
