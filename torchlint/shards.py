"""Parts of a run, for machines that know nothing of each other: a file belongs to one, whatever else there is."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from torchlint.source import CommandError, content_digest

_FORM = re.compile(r"([1-9]\d{0,3})/([1-9]\d{0,3})", re.ASCII)


class ShardError(CommandError):
    """A text that names no shard; the text is a whole sentence."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The `number`-th of `count` parts, from 1."""

    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def holds(self, path: Path, root: Path) -> bool:
        """Whether a file belongs to this part: by its path below the repository, which is the same on every machine.

        A file keeps its part when others come and go, so that each machine's cache serves its next run.
        """
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
        number = int.from_bytes(content_digest(os.fsencode(name))[:8], "big")
        return number % self.count == self.number - 1


def parse_shard(text: str) -> Shard:
    """The shard that "2/4" names. Raises ShardError."""
    form = _FORM.fullmatch(text)
    if form is None or int(form[1]) > int(form[2]):
        raise ShardError(f"`{text}` is no shard: write I/N, the I-th of N parts, such as 2/4")
    return Shard(int(form[1]), int(form[2]))
