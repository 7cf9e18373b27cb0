"""The text of classes and functions, parsed without the rest of their files; places are those in the file."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import re
import types
from collections.abc import Iterator, Sequence

_HEADER = re.compile(r"([ \t]*)class (\w+)\b")


def function_tree(code: types.CodeType) -> ast.stmt | None:
    """The statement that a function is written in; None where its source is not at hand."""
    is_file = code.co_name == "<module>"
    return None if is_file else _statement_in(code.co_filename, code.co_firstlineno)


def class_tree(kind: type) -> ast.ClassDef | None:
    """The statement of a class; None where its source is not at hand."""
    file = file_of(kind)
    headers = [line for line, _, name in _headers(file) if name == kind.__name__] if file else []
    first = min(_first_lines(kind), default=0)
    # Of several with this name it is the one around its methods.
    for line in reversed(headers) if first else headers:
        found = _statement_in(file, line)
        if isinstance(found, ast.ClassDef) and (not first or found.lineno <= first <= (found.end_lineno or 0)):
            return found
    return None


def file_of(kind: type) -> str:
    """The file of a class; "" for one that has none."""
    try:
        return inspect.getsourcefile(kind) or ""
    except TypeError:
        return ""


def classes_saying(file: str, text: str) -> Iterator[ast.ClassDef]:
    """The classes at the top of a file in which a text stands."""
    lines = linecache.getlines(file)
    headers = [line for line, indent, _ in _headers(file) if not indent]
    for first, after in zip(headers, [*headers[1:], len(lines) + 1], strict=True):
        if any(text in line for line in lines[first - 1 : after - 1]):
            found = _statement_in(file, first)
            if isinstance(found, ast.ClassDef):
                yield found


@functools.lru_cache(maxsize=64)
def _headers(file: str) -> tuple[tuple[int, str, str], ...]:
    """The lines at which classes begin, with their indents and names."""
    found = ((at, _HEADER.match(line)) for at, line in enumerate(linecache.getlines(file), start=1))
    return tuple((at, one[1], one[2]) for at, one in found if one is not None)


def _first_lines(kind: type) -> Iterator[int]:
    """The first lines of the functions that are written in the class."""
    for value in vars(kind).values():
        code = getattr(value, "__code__", None)
        if code is not None and getattr(value, "__qualname__", "").startswith(f"{kind.__qualname__}."):
            yield code.co_firstlineno


@functools.lru_cache(maxsize=512)
def _statement_in(file: str, first: int) -> ast.stmt | None:
    """The statement that begins at a line of a file. It may end at any line that is indented no more than the first."""
    lines = linecache.getlines(file)
    if not 0 < first <= len(lines):
        return None
    indent = _indent(lines[first - 1])
    ends = [at for at in range(first, len(lines)) if lines[at].strip() and _indent(lines[at]) <= indent]
    # A line of a text or of an argument list is such a line too: those that do not parse are passed over, ever faster.
    at = 0
    while at < len(ends):
        tree = _parsed(lines[first - 1 : ends[at]], first, bool(indent))
        if tree is not None:
            return tree
        at = 2 * at + 1
    return _parsed(lines[first - 1 :], first, bool(indent))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _parsed(lines: Sequence[str], first: int, is_inner: bool) -> ast.stmt | None:
    """The first statement of some lines, with its places in the file."""
    before = "\n" * (first - 2) + "if 1:\n" if is_inner else "\n" * (first - 1)
    try:
        body = ast.parse("".join((before, *lines))).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    return body[0].body[0] if is_inner and isinstance(body[0], ast.If) else body[0]
