"""The language of `# class:` comments: what a class statement of tests/index says that the index must know.

A comment on the line of a `class` statement is a word and clauses:

    # class: module; buffers table, scale?; parameters weight; modules layer; plain cache; not built
    # class: likely module        an unknown base and evidence
    # class: plain                known not to be a module
    # class: unknown              a base that cannot be found, and no evidence

The clauses say how names are registered when construction ends. The buffers and the parameters are all that there are,
names that hold None among them; of modules and plain attributes only those that matter are named. "scale?" is
registered in some objects, and not in the one that is built without arguments. "not built" is a class that cannot be
built without arguments.
`# todo: class <the same>  <reason>` is what is right and not known yet.
A project with a line `# not run: <reason>` in one of its files cannot be imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_COMMENT = re.compile(r"# (?:class: (?P<claim>.+)|todo: class (?P<todo>.+?)  (?P<reason>.+))$")
_NOT_RUN = re.compile(r"^# not run: \S", re.MULTILINE)
WORDS = ("module", "likely module", "plain", "unknown")
HOWS = {"buffers": "buffer", "parameters": "parameter", "modules": "module", "plain": "plain"}
NOT_BUILT = "not built"


@dataclass(frozen=True, eq=False)
class Mark:
    """What one comment says of one class.

    file: inside the project. line: of the word `class`, 1-based. start: the line of its first decorator. registered:
    "buffer", "parameter", "module" or "plain" by attribute name. optional: the names with a question mark. reason: why
    a `todo` is not known.
    """

    file: str
    line: int
    start: int
    name: str
    word: str
    registered: Mapping[str, str] = field(default_factory=dict)
    optional: frozenset[str] = frozenset()
    is_built: bool = True
    reason: str | None = None

    def names(self, how: str) -> frozenset[str]:
        """The names that are registered in this way, the optional ones among them."""
        return frozenset(name for name, registered in self.registered.items() if registered == how)


@dataclass(frozen=True, eq=False)
class Fixture:
    """A folder of tests/index: its files by their path inside, and the marks in them."""

    name: str
    files: Mapping[str, str]
    marks: tuple[Mark, ...]

    @property
    def python_files(self) -> tuple[str, ...]:
        """The files that the tool is given, in order."""
        return tuple(file for file in self.files if file.endswith(".py"))

    @property
    def runs(self) -> bool:
        """True where Python can import every file."""
        return not any(_NOT_RUN.search(text) for text in self.files.values())


def fixtures(folder: Path) -> list[Fixture]:
    """The projects of a folder, in order. Raises ValueError, naming file and line, for a mark that cannot be read."""
    projects = sorted(path for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__")
    return [fixture(project.name, _files(project)) for project in projects]


def fixture(name: str, files: Mapping[str, str]) -> Fixture:
    """The project of some files. Raises ValueError as fixtures() does."""
    return Fixture(name, files, tuple(mark for file, text in files.items() for mark in _marks(file, text)))


def _files(folder: Path) -> dict[str, str]:
    paths = sorted(path for path in folder.rglob("*.*") if path.suffix in (".py", ".pyi", ".toml"))
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}


def _marks(file: str, text: str) -> Iterator[Mark]:
    comments = list(_comments(text)) if file.endswith(".py") and "class" in text else []
    tree = ast.parse(text) if comments else ast.Module([], [])
    classes = {node.lineno: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    for line, found in comments:
        if line not in classes:
            raise ValueError(f"{file}:{line}: there is no class statement for the mark to be about")
        try:
            yield _parsed(file, classes[line], found)
        except ValueError as error:
            raise ValueError(f"{file}:{line}: {error}") from error


def _comments(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    for line, content in enumerate(text.splitlines(), 1):
        found = _COMMENT.search(content)
        if found is not None:
            yield line, found


def _parsed(file: str, node: ast.ClassDef, found: re.Match[str]) -> Mark:
    word, *clauses = (found["claim"] or found["todo"]).strip().split("; ")
    if word not in WORDS:
        raise ValueError(f"cannot read the word {word!r}; index_marks.py says what a mark may say")
    registered: dict[str, str] = {}
    for clause in clauses:
        registered |= {} if clause == NOT_BUILT else _clause(clause)
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    optional = frozenset(name.strip("?") for name in registered if name.endswith("?"))
    sure = {name.strip("?"): how for name, how in registered.items()}
    is_built = NOT_BUILT not in clauses
    return Mark(file, node.lineno, start, node.name, word, sure, optional, is_built, found["reason"])


def _clause(clause: str) -> dict[str, str]:
    how, _, names = clause.partition(" ")
    if how not in HOWS or not names:
        raise ValueError(f"cannot read the clause {clause!r}; index_marks.py says what a mark may say")
    return dict.fromkeys(names.split(", "), HOWS[how])
