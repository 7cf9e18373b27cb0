"""Files -> what was read of them, in this process or in several."""

from __future__ import annotations

import gc
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.findings import Suppression
from torchlint.source import SourceError, SourceFile
from torchlint.suppress import find_suppressions

if TYPE_CHECKING:
    from torchlint.model.facts import FileFacts

SERIAL_BELOW_BYTES = 1_000_000
FILES_PER_TASK = 8


@dataclass(frozen=True, slots=True)
class Examined:
    """One file as read: facts (None when it cannot matter or cannot be analysed), its suppressions, what went wrong.

    size: in bytes.
    """

    path: str
    facts: FileFacts | None = None
    suppressions: tuple[Suppression, ...] = ()
    error: SourceError | None = None
    size: int = 0


def examine_all(
    files: Sequence[Path], given: Mapping[str, SourceFile], *, jobs: int, cache: Path | None
) -> Iterator[Examined]:
    """Examine `files` in order, in `jobs` processes where that pays; a file of `given` is not read from disk.

    cache: the folder where facts are kept; None for none.
    """
    paths = [str(file) for file in files]
    if jobs == 1 or len(paths) < 2 or sum(map(_size, files)) < SERIAL_BELOW_BYTES:
        yield from (examine(path, given.get(path), cache=cache) for path in paths)
        return
    yield from _examine_in_processes(paths, given, jobs, cache=cache)


def _examine_in_processes(
    paths: Sequence[str], given: Mapping[str, SourceFile], jobs: int, *, cache: Path | None
) -> Iterator[Examined]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from functools import partial

    done = 0
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_leave_interrupts_to_the_parent)
    with pool:
        try:
            sources = [given.get(path) for path in paths]
            for one in pool.map(partial(examine, cache=cache), paths, sources, chunksize=FILES_PER_TASK):
                done += 1
                yield one
        except BrokenProcessPool:
            # The gate should have kept away what kills a process; nobody knows which file it was, so none is trusted.
            pass
    yield from map(_examine_apart, paths[done:])


def examine(path: str, given: SourceFile | None = None, *, cache: Path | None) -> Examined:
    """Read one file, from disk unless it is `given`; never raises."""
    from torchlint.reading.cache import read_cached
    from torchlint.reading.gate import read_safely

    # LibCST builds a million objects without a cycle; looking for cycles meanwhile costs a tenth of the time.
    gc.disable()
    try:
        source = given or SourceFile.load(Path(path))
        facts = read_cached(source, read_safely, cache) if cache else read_safely(source)
        return Examined(path, facts, find_suppressions(source), size=len(source.data))
    except SourceError as error:
        return Examined(path, error=error)
    except Exception as error:
        return Examined(path, error=SourceError(internal(error)))
    finally:
        # The facts stay until the end: without this the collector walks all of them again after every file.
        gc.freeze()
        gc.enable()


def _examine_apart(path: str) -> Examined:
    from torchlint.reading.gate import read_apart

    try:
        source = SourceFile.load(Path(path))
        return Examined(path, read_apart(source, None), find_suppressions(source), size=len(source.data))
    except SourceError as error:
        return Examined(path, error=error)
    except RuntimeError as error:
        return Examined(path, error=SourceError(internal(error)))


def internal(error: Exception) -> str:
    """A fault of our own as part of a sentence, with its place for the one who mends it."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}, line {frame.lineno}"
    return f"internal error ({type(error).__name__}: {error}, in {place}), please report it with the file"


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def _leave_interrupts_to_the_parent() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
