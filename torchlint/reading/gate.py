"""The gate before LibCST: which files can matter, and which may be parsed in this process.

LibCST 1.9.0 recurses and backtracks without a limit, so a deep expression ends in a segmentation fault, and a sum of
20,000 terms or a dozen nested match patterns do not end at all. Such files are read in a process of their own.
"""

from __future__ import annotations

import ast
import io
import pickle
import re
import subprocess
import sys
import tokenize
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from torchlint.model.facts import FileFacts, Outline
from torchlint.model.terms import Imported
from torchlint.source import SourceError, SourceFile

DEPTH_LIMIT = 100
HOPELESS_DEPTH = 400  # the visitors recurse more than two frames a level, and Python allows 1,000
PATTERN_DEPTH_LIMIT = 5
SIZE_LIMIT_BYTES = 2_000_000
APART_BASE_SECONDS = 10.0
APART_SECONDS_PER_MEGABYTE = 5.0

_OPENING = b"([{"
_CLOSING = b")]}"
_STRING_STARTS = {tokenize.STRING, getattr(tokenize, "FSTRING_START", tokenize.STRING)}
_TENSOR_METHOD = re.compile(rb"\.(?:expand_as|index_select|masked_fill_?|type_as|unsqueeze_?|view_as)\(")
# Of each kind of node the fields that may hold others with something below them: neither names, nor operators, nor
# whether a name is read or written.
_FLAT_FIELDS = frozenset("ctx op ops id attr arg name n s kind type_comment".split())
_DEEP_FIELDS = {
    kind: tuple(field for field in kind._fields if field not in _FLAT_FIELDS)
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
_TOO_DEEP = "nested too deeply"
_STOPPED = "LibCST stopped"
_RECURSION = "recursion limit"
_FAULT = 1  # the exit code of a Python process that ends in a traceback


def read_safely(source: SourceFile) -> FileFacts | None:
    """The facts of `source`; None when it cannot hold or shape a module class.

    Whatever LibCST does, this process survives. Raises SourceError for a file that cannot be analysed.
    """
    source.lines  # noqa: B018  raises SourceError for bytes that are not Python text
    try:
        tree = parse_ast(source)
    except SyntaxError as error:
        return _read_refused(source, error)
    except (RecursionError, MemoryError) as error:
        raise SourceError(_TOO_DEEP, longest_statement_line(source)) from error
    depth, line = deepest(source, tree)
    if depth > HOPELESS_DEPTH:
        raise SourceError(_TOO_DEEP, line)
    if depth > DEPTH_LIMIT:
        return _read_deep(source, line)
    if len(source.data) > SIZE_LIMIT_BYTES:
        return read_apart(source, None)
    if not may_matter(source, tree):
        return None
    return _read_here(source, tree)


def read_outline(source: SourceFile) -> Outline | FileFacts:
    """The outline of a file that is imported, by ast alone; all facts of one that ast refuses and LibCST reads.

    Raises SourceError for a file that cannot be analysed.
    """
    source.lines  # noqa: B018  raises SourceError for bytes that are not Python text
    try:
        tree = parse_ast(source)
    except SyntaxError as error:
        return _read_refused(source, error)
    except (RecursionError, MemoryError) as error:
        raise SourceError(_TOO_DEEP, longest_statement_line(source)) from error
    from torchlint.reading.outline import outline_of

    try:
        return outline_of(tree, source)
    except RecursionError as error:
        raise SourceError(_TOO_DEEP, longest_statement_line(source), remark=_RECURSION) from error


def read_part(source: SourceFile, outline: Outline, group: int) -> FileFacts:
    """The facts of one part of `source`, whose outline is given; of the whole file where the part is nested deeply.

    Raises SourceError for a part that cannot be analysed.
    """
    numbers = sorted({n for first, last in outline.groups[group] for n in range(first, last + 1)})
    text = "\n".join(source.lines[number - 1] for number in numbers)
    excerpt = SourceFile(source.path, f"{text}\n".encode())
    tree = parse_ast(excerpt)
    depth, _ = deepest(excerpt, tree)
    if depth > DEPTH_LIMIT or len(excerpt.data) > SIZE_LIMIT_BYTES:
        return read_apart(source, None)
    from torchlint.reading.reader import read_excerpt
    from torchlint.reading.scope import usual_names

    imports = {name: term for name, term in outline.names.items() if isinstance(term, Imported)}
    usual = usual_names(outline.star_imports, outline.names)
    try:
        return read_excerpt(excerpt, tree, numbers, imports, usual)
    except RecursionError as error:
        raise SourceError(_TOO_DEEP, numbers[0], remark=_RECURSION) from error


def parse_ast(source: SourceFile) -> ast.Module:
    """The ast of `source`. Raises SyntaxError, RecursionError or MemoryError as ast.parse does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source.data)
        except ValueError as error:
            raise SyntaxError(str(error)) from error


def may_matter(source: SourceFile, tree: ast.Module) -> bool:
    """Whether the file says torch or calls a method that only tensors have, or has a class that may inherit from Module
    through a file that does."""
    if b"torch" in source.data or _TENSOR_METHOD.search(source.data):
        return True
    imported = {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    return any(
        isinstance(base, ast.Attribute) or (isinstance(base, ast.Name) and not imported.isdisjoint({base.id, "*"}))
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for base in node.bases
    )


def deepest(source: SourceFile, tree: ast.Module) -> tuple[int, int]:
    """How many levels LibCST would nest the file (no more are counted beyond HOPELESS_DEPTH), and on which line."""
    deepest_yet, at = 0, 1
    waiting: list[tuple[ast.AST, int, int]] = [(tree, 0, 1)]
    while waiting:
        node, depth, line = waiting.pop()
        kind = type(node)
        line = getattr(node, "lineno", line)
        below = depth + 1
        if kind in _HIDDEN_DEPTH:
            below += _HIDDEN_DEPTH[kind](source, node)
        if below > deepest_yet:
            deepest_yet, at = below, line
            if below > HOPELESS_DEPTH:
                break
        for field in _DEEP_FIELDS[kind]:
            value = getattr(node, field, None)
            if isinstance(value, list):
                waiting.extend([(part, below, line) for part in value if isinstance(part, ast.AST)])
            elif isinstance(value, ast.AST):
                waiting.append((value, below, line))
    return deepest_yet, at


def _adjacent_operands(_: SourceFile, node: ast.BoolOp) -> int:
    return len(node.values) - 1


def _dots(_: SourceFile, node: ast.Import | ast.ImportFrom) -> int:
    module: str | None = getattr(node, "module", None)
    names = [module or "", *(alias.name for alias in node.names)]
    return max(name.count(".") for name in names)


# The time for a pattern grows by a factor of 2 to 5 with each bracket; ast drops parentheses, so the text is asked.
# Brackets in the bodies count too: such a file is read apart without need, and that costs half a second.
def _pattern_brackets(source: SourceFile, node: ast.Match) -> int:
    deepest = depth = 0
    for byte in "\n".join(source.lines[node.lineno - 1 : node.end_lineno]).encode():
        depth += (byte in _OPENING) - (byte in _CLOSING)
        deepest = max(deepest, depth)
    return DEPTH_LIMIT if deepest > PATTERN_DEPTH_LIMIT else 0


def _adjacent_strings(source: SourceFile, node: ast.Constant | ast.JoinedStr) -> int:
    shortest = 2 * DEPTH_LIMIT
    first, last = node.lineno, node.end_lineno or node.lineno
    if first == last and (node.end_col_offset or 0) - node.col_offset < shortest:
        return 0
    if isinstance(node, ast.Constant) and not isinstance(node.value, str | bytes):
        return 0
    text = "\n".join(source.lines[first - 1 : last])
    if text.count('"') + text.count("'") < shortest:
        return 0
    return sum(token.type in _STRING_STARTS for token in _tokens(f"({text}\n)"))


# How many levels LibCST nests a node where ast is flat.
_HIDDEN_DEPTH: dict[type[ast.AST], Callable[[SourceFile, Any], int]] = {
    ast.BoolOp: _adjacent_operands,
    ast.Constant: _adjacent_strings,
    ast.Import: _dots,
    ast.ImportFrom: _dots,
    ast.JoinedStr: _adjacent_strings,
    ast.Match: _pattern_brackets,
}


def longest_statement_line(source: SourceFile) -> int | None:
    """The first line of the statement with the most tokens: the likely reason why a parser gave up."""
    longest, line = 0, None
    length, start = 0, None
    for token in _tokens(source.text):
        start = start or token.start[0]
        length += 1
        if length > longest:
            longest, line = length, start
        if token.type == tokenize.NEWLINE:
            length, start = 0, None
    return line


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens of `text` up to the first that is none."""
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError):
        return


def _read_refused(source: SourceFile, refusal: SyntaxError) -> FileFacts:
    """What LibCST makes of a file that ast refuses: it knows syntax that is newer than the Python we run on."""
    try:
        return read_apart(source, refusal.lineno)
    except SourceError as error:
        if error.remark is not None:
            raise
        detail = None if refusal.msg == error.reason else refusal.msg
        raise SourceError(error.reason, refusal.lineno, refusal.offset, remark=detail) from error


def _read_deep(source: SourceFile, line: int) -> FileFacts:
    try:
        return read_apart(source, line)
    except SourceError as error:
        # LibCST calls deep code invalid (20,000 adjacent strings); ast accepted it, so depth is the reason.
        raise SourceError(_TOO_DEEP, line, remark=error.remark or _STOPPED) from error


def read_apart(source: SourceFile, suspect_line: int | None) -> FileFacts:
    """The facts of `source`, read in a process of its own that may crash or hang (it has 10 s, and 5 s per MB).

    Raises SourceError for what LibCST refuses, and where it overruns or dies (naming `suspect_line`, or the line of
    the longest statement); RuntimeError with the last line of the traceback for a fault of our own.
    """
    limit_seconds = APART_BASE_SECONDS + APART_SECONDS_PER_MEGABYTE * len(source.data) / 1_000_000
    try:
        # The folder is ours, because Python looks for modules where it starts, and the user's may hold an ast.py.
        child = subprocess.run(
            [sys.executable, "-m", "torchlint.reading.gate"],
            input=pickle.dumps(source),
            capture_output=True,
            timeout=limit_seconds,
            cwd=Path(__file__).parents[2],
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SourceError(f"not read within {limit_seconds:.0f} seconds", remark=_STOPPED) from None
    if child.returncode == _FAULT:
        raise RuntimeError(child.stderr.decode(errors="replace").strip().rpartition("\n")[2])
    if child.returncode != 0:
        raise SourceError(_TOO_DEEP, suspect_line or longest_statement_line(source), remark=_STOPPED)
    answer: FileFacts | SourceError = pickle.loads(child.stdout)
    if isinstance(answer, SourceError):
        raise answer
    return answer


def _read_here(source: SourceFile, tree: ast.Module | None) -> FileFacts:
    from torchlint.reading.reader import read

    try:
        return read(source, tree)
    except RecursionError as error:
        raise SourceError(_TOO_DEEP, longest_statement_line(source), remark=_RECURSION) from error


def _answer(source: SourceFile) -> bytes:
    """What read_apart's child writes: pickled facts, or the pickled SourceError."""
    try:
        tree: ast.Module | None = parse_ast(source)
    except (SyntaxError, RecursionError, MemoryError):
        tree = None
    try:
        return pickle.dumps(_read_here(source, tree))
    except SourceError as error:
        return pickle.dumps(error)
    except RecursionError:
        return pickle.dumps(SourceError(_TOO_DEEP, longest_statement_line(source), remark=_RECURSION))


def _leave_no_core_file() -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    _leave_no_core_file()
    sys.stdout.buffer.write(_answer(pickle.load(sys.stdin.buffer)))
