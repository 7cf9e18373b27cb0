"""A file -> what was read of it."""

from __future__ import annotations

import gc
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.findings import Suppression
from torchlint.source import SourceError, SourceFile
from torchlint.suppress import find_suppressions

if TYPE_CHECKING:
    from torchlint.model.facts import FileFacts


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


def recall(source: SourceFile, cache: Path) -> Examined | None:
    """The file as it was read before, by the facts in the folder `cache`; None where it has to be read."""
    from torchlint.reading.cache import recalled

    held = recalled(source, cache)
    return Examined(source.path, held[0], find_suppressions(source), size=len(source.data)) if held else None


def keep(one: Examined, source: SourceFile, cache: Path) -> None:
    """Keep the facts of a file that was read elsewhere in the folder `cache`."""
    from torchlint.reading.cache import remember

    remember(source, one.facts, cache)


def examine_apart(path: str, given: SourceFile | None = None) -> Examined:
    """The same in a process of its own, for a file that may kill the one that reads it."""
    from torchlint.reading.gate import read_apart

    try:
        source = given or SourceFile.load(Path(path))
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
