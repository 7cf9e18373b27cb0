"""Read the files of a run: in this process, or on an executor whose workers may be lost."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from torchlint import __version__
from torchlint.analysis.executors import ExecutorError, Workshop, processes
from torchlint.examine import Examined, examine, examine_apart, keep, recall
from torchlint.source import SourceError, SourceFile

SERIAL_BELOW_BYTES = 1_000_000
FILES_PER_TASK = 8
TRIES = 3
PATIENCE_SECONDS = 600.0

# A file by its path, and its bytes where the worker shall not read it itself.
Errand = tuple[str, "bytes | None"]


@dataclass(frozen=True, slots=True)
class Read:
    """What a worker gives: files as read, and by which versions."""

    versions: str
    examined: tuple[Examined, ...]


@dataclass(slots=True)
class _Task:
    """executor: the one that it was handed to last."""

    errands: tuple[Errand, ...]
    tries: int = 0
    executor: Executor | None = None


class Reading:
    """The files of a run as read, in any order. notes: sentences about how it went, complete at the end."""

    def __init__(
        self,
        files: Sequence[Path],
        given: Mapping[str, SourceFile],
        *,
        jobs: int,
        cache: Path | None,
        workshop: Workshop | None = None,
    ) -> None:
        """given: files that are not read from disk. workshop: None for processes of this machine, where they pay.

        cache: the folder where facts are kept; None for none.
        """
        self._paths = [str(file) for file in files]
        self._given = given
        self._cache = cache
        is_serial = jobs == 1 or len(files) < 2 or sum(map(_size, files)) < SERIAL_BELOW_BYTES
        self._workshop = workshop or (None if is_serial else processes(jobs))
        self.notes: list[str] = []

    def __iter__(self) -> Iterator[Examined]:
        if self._workshop is None:
            yield from (examine(path, self._given.get(path), cache=self._cache) for path in self._paths)
        elif self._workshop.is_here:
            yield from self._read_on(self._workshop, ((path, self._bytes_given(path)) for path in self._paths))
        else:
            yield from self._read_elsewhere(self._workshop)

    def _bytes_given(self, path: str) -> bytes | None:
        return self._given[path].data if path in self._given else None

    def _read_elsewhere(self, workshop: Workshop) -> Iterator[Examined]:
        """What is remembered here needs no worker; the rest goes with its bytes, and is remembered here."""
        sources: dict[str, SourceFile] = {}
        for path in self._paths:
            try:
                source = self._given.get(path) or SourceFile.load(Path(path))
            except SourceError as error:
                yield Examined(path, error=error)
                continue
            held = recall(source, self._cache) if self._cache else None
            if held is not None:
                yield held
            else:
                sources[path] = source
        for one in self._read_on(workshop, ((path, source.data) for path, source in sources.items())):
            if self._cache and one.error is None:
                keep(one, sources[one.path], self._cache)
            yield one

    def _read_on(self, workshop: Workshop, errands: Iterable[Errand]) -> Iterator[Examined]:
        cache = self._cache if workshop.is_here else None
        with _Crew(workshop, cache) as crew:
            yield from crew.results(_batches(errands))
        self.notes += crew.notes


class _Crew:
    """An open executor that is opened again when it breaks, and what is under way on it."""

    def __init__(self, workshop: Workshop, cache: Path | None) -> None:
        self._workshop = workshop
        self._cache = cache
        self._under_way: dict[Future[Read], _Task] = {}
        self._context: AbstractContextManager[Executor] | None = None
        self._executor: Executor | None = None
        self._has_worked = False
        self._reason = ""
        self._failed_files = 0

    def __enter__(self) -> _Crew:
        self._open()
        return self

    def __exit__(self, *_exception: object) -> None:
        for future in self._under_way:
            future.cancel()
        self._close()

    @property
    def notes(self) -> list[str]:
        """What did not go as it was meant to, as sentences."""
        if not self._failed_files:
            return []
        files = "1 file was" if self._failed_files == 1 else f"{self._failed_files} files were"
        return [f"{files} read here, because {self._workshop.name} failed ({self._reason})"]

    def results(self, batches: Iterator[tuple[Errand, ...]]) -> Iterator[Examined]:
        """What was read of each errand, as it comes."""
        while True:
            while len(self._under_way) < self._workshop.width and (errands := next(batches, None)):
                yield from self._begin(_Task(errands))
            if not self._under_way:
                return
            done, _ = wait(self._under_way, PATIENCE_SECONDS, FIRST_COMPLETED)
            for future in done or tuple(self._under_way):
                yield from self._end(future, self._under_way.pop(future))

    def _begin(self, task: _Task) -> Iterable[Examined]:
        """Hand over a task; where nobody takes it any more, what was read of it here."""
        while self._executor is not None and task.tries < TRIES:
            task.tries += 1
            task.executor = self._executor
            try:
                self._under_way[self._executor.submit(read_errands, task.errands, self._cache)] = task
            except Exception as error:
                self._replace(error)
            else:
                return ()
        return self._read_here(task)

    def _end(self, future: Future[Read], task: _Task) -> Iterable[Examined]:
        try:
            read = future.result(timeout=0)
        except BrokenExecutor as error:
            if task.executor is self._executor:
                self._replace(error)
            return self._begin(task)
        except Exception as error:
            # Whatever the library of the executor calls it: the worker, or the way to it, was lost.
            future.cancel()
            self._reason = _in_short(error)
            return self._begin(task)
        if read.versions != versions():
            raise ExecutorError(
                f"cannot read on {self._workshop.name}: its workers run {read.versions}, and this is {versions()}; "
                "install the same there"
            )
        self._has_worked = True
        return read.examined

    def _read_here(self, task: _Task) -> Iterator[Examined]:
        """Each file in a process of its own, where one of them may have killed the workers."""
        self._failed_files += len(task.errands)
        if not self._has_worked:
            self._close()
        for path, data in task.errands:
            given = SourceFile(path, data) if data is not None else None
            yield examine(path, given, cache=self._cache) if self._executor is None else examine_apart(path, given)

    def _open(self) -> None:
        self._context = self._workshop.open()
        self._executor = self._context.__enter__()

    def _replace(self, error: Exception) -> None:
        self._reason = _in_short(error)
        self._close()
        try:
            self._open()
        except ExecutorError as gone:
            self._reason = str(gone)

    def _close(self) -> None:
        context, self._context, self._executor = self._context, None, None
        if context is not None:
            context.__exit__(None, None, None)


def read_errands(errands: Sequence[Errand], cache: Path | None) -> Read:
    """Read files, as a worker does; never raises. cache: None where it keeps nothing."""
    sources = ((path, SourceFile(path, data) if data is not None else None) for path, data in errands)
    try:
        return Read(versions(), tuple(examine(path, source, cache=cache) for path, source in sources))
    finally:
        # A worker keeps nothing of what it read.
        gc.unfreeze()


def versions() -> str:
    """What the facts of a file depend on beside the file, for people."""
    from torchlint.cache.store import version_of_libcst

    python = ".".join(map(str, sys.version_info[:2]))
    return f"torchlint {__version__} with libcst {version_of_libcst()} on Python {python}"


def _batches(errands: Iterable[Errand]) -> Iterator[tuple[Errand, ...]]:
    some = iter(errands)
    while batch := tuple(islice(some, FILES_PER_TASK)):
        yield batch


def _in_short(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0].strip(" :")


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
