"""Where nodes stand. LibCST nodes carry no positions, so each is read side by side with the ast node of the same
expression."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

import libcst as cst

from torchlint.model.terms import Place
from torchlint.source import SourceFile


class Locator:
    """Places of ast nodes, with columns in code points (ast counts UTF-8 bytes).

    numbers: the line number in the file of each line of `source`, for a source that is only a part of a file.
    """

    def __init__(self, source: SourceFile, numbers: Sequence[int] | None = None) -> None:
        self._lines = None if source.data.isascii() else source.lines
        self._numbers = numbers

    def place(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword | ast.excepthandler) -> Place:
        """The place of `node`."""
        line, column = node.lineno, node.col_offset
        end_line, end_column = node.end_lineno or line, node.end_col_offset or column
        if self._lines is None:
            columns = column + 1, end_column + 1
        else:
            columns = self._column(line, column), self._column(end_line, end_column)
        if self._numbers is not None:
            line, end_line = self._numbers[line - 1], self._numbers[end_line - 1]
        return line, columns[0], end_line, columns[1]

    def _column(self, line: int, offset: int) -> int:
        text = self._lines[line - 1] if self._lines and line <= len(self._lines) else ""
        return len(text.encode()[:offset].decode(errors="replace")) + 1 if not text.isascii() else offset + 1


def positions_without_ast(module: cst.Module) -> tuple[cst.Module, Mapping[cst.CSTNode, Place]]:
    """Places by LibCST's own provider: twice the cost of the parse, so only for a file that ast refuses and LibCST
    accepts."""
    from libcst.metadata import MetadataWrapper, PositionProvider

    wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
    found = wrapper.resolve(PositionProvider)
    places = {
        node: (span.start.line, span.start.column + 1, span.end.line, span.end.column + 1)
        for node, span in found.items()
    }
    return wrapper.module, places
