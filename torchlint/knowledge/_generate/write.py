"""Write tables as a Python file of plain literals, one row a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_WIDTH = 118
_HEADER = '''"""What torch returns. Generated, do not edit: run `python -m torchlint.knowledge._generate` with torch installed.

The words of RETURNS are explained in torchlint/knowledge/lookup.py.
"""

from typing import Any
'''


def text(tables: Mapping[str, Any]) -> str:
    """The file's whole text."""
    return (
        _HEADER
        + "\n"
        + "\n".join(f"{name}{_annotation(table)} = {_literal(table)}" for name, table in tables.items())
        + "\n"
    )


def _annotation(table: Any) -> str:
    if isinstance(table, dict):
        return ": dict[str, Any]"
    return ": frozenset[str]" if isinstance(table, frozenset) else ""


def _literal(table: Any) -> str:
    if isinstance(table, dict):
        return "{\n" + "".join(f"    {key!r}: {value!r},\n" for key, value in table.items()) + "}"
    if isinstance(table, frozenset):
        return (
            'frozenset(\n    """\n' + "".join(f"    {line}\n" for line in _filled(sorted(table))) + '    """.split()\n)'
        )
    return repr(table)


def _filled(words: list[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > _WIDTH - 4:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    if line:
        yield line
