"""Which class a person means: "Scale", "Outer.Scale", "pkg.layers.Scale" or "pkg/layers.py:Scale"."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.source import CommandError, SourceError, SourceFile, Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.project import Project

CLOSEST = 5

_IN_FILE = re.compile(r"(?P<file>.+\.pyi?)::?(?P<name>[^:]*)")
_CLASS = re.compile(rb"class[ \t]+([\w\x80-\xff]+)")


class SeekError(CommandError):
    """What cannot be looked for; the text is a whole sentence."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A class by its name, which may be qualified or dotted, and the file that it must stand in, where one is named."""

    name: str
    file: str | None = None

    @property
    def last(self) -> str:
        """The name in the class statement."""
        return self.name.rpartition(".")[2]


@dataclass(slots=True)
class Texts:
    """What the bytes of some files say, before any is analysed. count: how many files there are.

    classes: the files that may define a class, by its name. unreadable: what stopped us, by file.
    """

    count: int = 0
    classes: dict[str, list[str]] = field(default_factory=dict)
    unreadable: dict[str, SourceError] = field(default_factory=dict)


def wanted(text: str) -> Wanted:
    """What `text` asks for. Raises SeekError where it names no class."""
    in_file = _IN_FILE.fullmatch(text)
    name, file = (in_file["name"], in_file["file"]) if in_file else (text, None)
    if not all(part.isidentifier() for part in name.split(".")) or text.endswith((".py", ".pyi")):
        raise SeekError(f"`{text}` names no class: give Scale, Outer.Scale, package.layers.Scale or layers.py:Scale")
    return Wanted(name, file)


def search(files: Iterable[Path]) -> Texts:
    """Look through the bytes of `files`, which costs a hundredth of analysing them. May name a file too many."""
    texts = Texts()
    for file in files:
        texts.count += 1
        try:
            data = SourceFile.load(file).data
        except SourceError as error:
            texts.unreadable[str(file)] = error
            continue
        for name in dict.fromkeys(_CLASS.findall(data)):
            texts.classes.setdefault(name.decode(errors="replace"), []).append(str(file))
    return texts


@dataclass(frozen=True, slots=True)
class Search:
    """Where a class is looked for: what the texts of the files say, and the project that analyses those that fit.

    folders: where an import may start. missing: paths that are not there, as written. dotted: the full dotted name of
    a class. shown: a path as people read it. trouble: what stops the analysis of a file, as the end of a sentence.
    """

    texts: Texts
    project: Project
    folders: tuple[str, ...]
    missing: tuple[str, ...]
    dotted: Callable[[ModuleClass], str]
    shown: Callable[[str], str]
    trouble: Callable[[str], str]

    def named(self, name: str) -> list[ModuleClass]:
        """The classes with this name in their class statement, in the order of files."""
        paths = self.texts.classes.get(name, ())
        return [view for path in paths for view in self.project.classes_in(path) if view.name == name]

    def place(self, span: Span) -> str:
        """file:line, as people read it."""
        return f"{self.shown(span.path)}:{span.line}"


def find_class(asked: Wanted, search: Search) -> ModuleClass:
    """The one class that is meant. Raises SeekError, which says what to ask for instead."""
    namesakes = search.named(asked.last)
    fitting = [view for view in namesakes if _ends_in(search.dotted(view), asked.name)]
    exact = [view for view in fitting if asked.name in (search.dotted(view), view.qualname if asked.file else "")]
    chosen = exact if len(exact) == 1 else fitting or _imported(asked, search, namesakes)
    if len(chosen) == 1:
        return chosen[0]
    raise SeekError("\n".join(_several(chosen, asked, search) if chosen else _nothing(namesakes, asked, search)))


def _ends_in(dotted: str, name: str) -> bool:
    return dotted == name or dotted.endswith(f".{name}")


def _imported(asked: Wanted, search: Search, namesakes: list[ModuleClass]) -> list[ModuleClass]:
    """The class that an import of the name would bring: a package may offer a class that another file defines."""
    from torchlint.model.classes import ModuleClass

    project = search.project
    if asked.file is not None:
        found = [project.names.of(path, asked.name) for path in search.folders]
    elif "." in asked.name:
        starts = (*(view.path for view in namesakes), *(f"{folder}/_.py" for folder in search.folders))
        found = [project.names.of_import(start, asked.name) for start in starts]
    else:
        return []
    return [one for one in found if isinstance(one, ModuleClass)][:1]


def _several(chosen: list[ModuleClass], asked: Wanted, search: Search) -> Iterator[str]:
    yield f"{len(chosen)} classes are called {asked.name}; name one by its dotted path, or as FILE:CLASS:"
    names = [search.dotted(view) for view in chosen]
    width = max(map(len, names))
    yield from (f"  {name:{width}}  {search.place(view.span)}" for name, view in zip(names, chosen, strict=True))


def _nothing(namesakes: list[ModuleClass], asked: Wanted, search: Search) -> Iterator[str]:
    texts = search.texts
    where = f"in {asked.file}" if asked.file else f"in {texts.count} Python file{'' if texts.count == 1 else 's'}"
    yield f"there is no class {asked.name} {where}"
    if asked.name.startswith("torch."):
        yield "What torch defines is known from tables; to see a class of it, name its file: FILE:CLASS"
    if namesakes:
        yield f"Classes that are called {asked.last}:"
        yield from (f"  {search.dotted(view)}  {search.place(view.span)}" for view in namesakes)
    else:
        yield from _closest(asked.last, search)
    unread = [path for path in texts.classes.get(asked.last, ()) if not search.project.classes_in(path)]
    for path in unread:
        yield f"{search.shown(path)} may define it, but cannot be analysed: {search.trouble(path)}"
    for path, error in texts.unreadable.items():
        yield f"cannot read {search.shown(path)}: {error}"
    for missing in search.missing:
        yield f"cannot find {missing}: there is no such file or folder"


def _closest(name: str, search: Search) -> Iterator[str]:
    """The classes with the most similar names, the best first; a difference in case alone is the smallest."""
    by_folded = {one.casefold(): one for one in search.texts.classes}
    similar = [by_folded[one] for one in difflib.get_close_matches(name.casefold(), by_folded, n=CLOSEST)]
    found = [view for one in similar for view in search.named(one)[:CLOSEST]]
    if found:
        yield "The closest names:"
        yield from (f"  {search.dotted(view)}  {search.place(view.span)}" for view in found)
