"""A source file as text, and the places in it."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

try:  # the same as in hashlib, which takes longer to import than all of this file
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

# In place of a path: all files that are checked, where a judgement asks for every one of them that holds something.
EVERY_CHECKED_FILE = "<checked>"

_DIGEST_BYTES = 16
_LINE_END = re.compile(r"\r\n|\r|\n")


class CommandError(Exception):
    """What stops the command; the text is a whole sentence for the one who gave it."""


class SourceError(Exception):
    """A file that cannot be analysed. `str(error)` completes the sentence "cannot analyse FILE: ...".

    line, column: 1-based, where the trouble is. remark: what else stopped us, in parentheses at the end.
    """

    def __init__(
        self, reason: str, line: int | None = None, column: int | None = None, remark: str | None = None
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column
        self.remark = remark

    def __str__(self) -> str:
        line = f" at line {self.line}" if self.line else ""
        column = f", column {self.column}" if self.line and self.column else ""
        remark = f" ({self.remark})" if self.remark else ""
        return f"{self.reason}{line}{column}{remark}"

    def __reduce__(self) -> tuple[type[SourceError], tuple[str, int | None, int | None, str | None]]:
        return SourceError, (self.reason, self.line, self.column, self.remark)


def content_digest(data: bytes, size: int = _DIGEST_BYTES) -> bytes:
    """What stands for some content, in `size` bytes."""
    return blake2b(data, digest_size=size).digest()


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A region of a file: lines and columns are 1-based, columns count Unicode code points, the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class SourceFile:
    """One file: its bytes as read, and its text as Python decodes it (cookie, BOM, UTF-8 by default)."""

    path: str
    data: bytes

    @classmethod
    def load(cls, path: Path) -> SourceFile:
        """Read `path`. Raises SourceError when the file cannot be read."""
        try:
            return cls(str(path), path.read_bytes())
        except OSError as error:
            raise SourceError(f"{error.strerror or error}".lower()) from error

    @cached_property
    def text(self) -> str:
        """The decoded text with its line ends as they are. Raises SourceError on undecodable or NUL bytes."""
        if b"\0" in self.data:
            raise SourceError("it contains a NUL byte", self.data[: self.data.index(b"\0")].count(b"\n") + 1)
        import tokenize

        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(self.data).readline)
            return self.data.decode(encoding)
        except (SyntaxError, LookupError) as error:
            raise SourceError(f"{error.msg if isinstance(error, SyntaxError) else error}", 1) from error
        except UnicodeDecodeError as error:
            line = self.data[: error.start].count(b"\n") + 1
            raise SourceError(f"byte 0x{self.data[error.start]:02x} is not valid {error.encoding}", line) from error

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends, split as Python's tokenizer splits them (not at form feeds or U+2028)."""
        return _LINE_END.split(self.text)
