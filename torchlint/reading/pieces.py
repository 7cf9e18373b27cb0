"""A long file in pieces: LibCST's tree of a file takes three hundred times its size, so one piece after the other is
parsed, read and forgotten."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from torchlint.reading.statements import lines_of
from torchlint.source import SourceFile

WHOLE_BELOW_BYTES = 50_000
_PIECE_LETTERS = 30_000
_LINE_END = re.compile(r"\r\n|\r|\n")


def pieces(source: SourceFile, tree: ast.Module) -> Iterator[tuple[str, Sequence[ast.stmt]]]:
    """The text of `source` cut between statements of its top level, each piece with its statements.

    tree: its ast. A piece is longer than _PIECE_LETTERS by one statement at most, however long that is.
    """
    text, body = source.text, tree.body
    starts = [0, *(end.end() for end in _LINE_END.finditer(text)), len(text)]
    begin, first = 0, 0
    for number, (one, following) in enumerate(pairwise(body), start=1):
        last_line = lines_of(one)[1]
        if starts[last_line] - begin > _PIECE_LETTERS and lines_of(following)[0] > last_line:
            yield text[begin : starts[last_line]], body[first:number]
            begin, first = starts[last_line], number
    yield text[begin:], body[first:]
