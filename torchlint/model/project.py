"""The files of a project as one whole: what a name stands for, wherever it is written. Files are read when they are
asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.knowledge.modules import is_module_class
from torchlint.model.events import Write
from torchlint.model.facts import ClassFacts, FileFacts, Function
from torchlint.model.terms import Argument, Attribute, Choice, Global, Imported, Subscript, Term

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.evaluate import Evaluator
    from torchlint.model.frames import Frame
    from torchlint.model.uses import Uses

_HOPS = 12


@dataclass(frozen=True, slots=True)
class External:
    """A name that no file of the project defines, by its dotted path: "torch.nn.Linear", or "builtins.len"."""

    name: str


@dataclass(frozen=True, slots=True)
class Value:
    """A value assigned at the top level of a file."""

    path: str
    term: Term


Resolved = ClassFacts | Function | External | Value


class Project:
    """The facts of the files passed, and of those that their names lead to.

    facts: by absolute path. load: reads another file of the project, or returns None where that is not possible.
    """

    def __init__(self, facts: Mapping[str, FileFacts], load: Callable[[str], FileFacts | None]) -> None:
        self._facts: dict[str, FileFacts | None] = dict(facts)
        self._load = load
        self._exists: dict[str, bool] = {}
        self._resolved: dict[tuple[str, str], Resolved] = {}
        self._imported: dict[tuple[str, str], Resolved] = {}
        self._classes: dict[int, ModuleClass] = {}
        self._roots: dict[str, tuple[str, ...]] = {}

    @cached_property
    def evaluator(self) -> Evaluator:
        """What evaluates terms to values in this project."""
        from torchlint.model.evaluate import Evaluator

        return Evaluator(self)

    @cached_property
    def uses(self) -> Uses:
        """What becomes of values inside functions."""
        from torchlint.model.uses import Uses

        return Uses(self)

    def forget_evaluations(self) -> None:
        """Drop the memory of evaluated terms, which is the bulk of what a judged file leaves behind; nothing else
        changes."""
        self.evaluator.forget()

    # What the rules ask

    def modules_in(self, path: str) -> Iterator[ModuleClass]:
        """The nn.Module classes that a file defines, in order."""
        for facts in self._classes_in(path):
            linked = self.linked(facts)
            if linked.is_module:
                yield linked

    def functions_in(self, path: str) -> Iterator[Frame]:
        """Every function of a file: its top level, functions, methods and those nested in them, each with its
        parameters open."""
        facts = self.file(path)
        if facts is None:
            return
        owners: dict[str, ClassFacts] = facts.classes
        methods = ((f, self.linked(c)) for c in owners.values() for f in c.methods.values())
        plain = ((f, None) for f in (facts.top, *facts.functions.values()))
        for function, owner in (*plain, *methods):
            yield from self._with_nested(self.evaluator.frame(function, owner))

    def _with_nested(self, frame: Frame) -> Iterator[Frame]:
        yield frame
        for nested in frame.function.nested:
            yield from self._with_nested(self.evaluator.nested_frame(nested, frame))

    # Files and names

    def file(self, path: str) -> FileFacts | None:
        """The facts of a file, read now if need be."""
        if path not in self._facts:
            self._facts[path] = self._load(path)
        return self._facts[path]

    def linked(self, facts: ClassFacts) -> ModuleClass:
        """The linked view of a class: its bases, attributes and methods wherever they are written."""
        from torchlint.model.classes import ModuleClass

        if id(facts) not in self._classes:
            self._classes[id(facts)] = ModuleClass(facts, self)
        return self._classes[id(facts)]

    def resolve_term(self, term: Term, path: str) -> Resolved | None:
        """What a name in the file `path` stands for; None where the term is no name or its meaning is not known."""
        if isinstance(term, Global):
            return self.resolve(path, term.name)
        if isinstance(term, Imported):
            return self.resolve_import(path, term.name)
        if isinstance(term, Subscript):
            return self.resolve_term(term.base, path)
        if isinstance(term, Choice):
            found_options = (self.resolve_term(option, path) for option in term.options)
            return next((found for found in found_options if found is not None), None)
        if isinstance(term, Attribute):
            owner = self.resolve_term(term.base, path)
            if isinstance(owner, ClassFacts):
                return self._nested(owner, term.name)
        return None

    def resolve(self, path: str, name: str, hops: int = 0) -> Resolved:
        """What the name `name` of a file's top level stands for."""
        key = (path, name)
        if key not in self._resolved:
            self._resolved[key] = External(f"builtins.{name}")  # what a cycle of imports finds
            self._resolved[key] = self._find(path, name, hops)
        return self._resolved[key]

    def _find(self, path: str, name: str, hops: int) -> Resolved:
        facts = self.file(path)
        if facts is None or hops > _HOPS:
            return External(f"unknown.{name}")
        term = facts.names.get(name)
        if isinstance(term, Imported):
            return self.resolve_import(path, term.name, hops + 1)
        if name in facts.classes:
            return facts.classes[name]
        if name in facts.functions and isinstance(term, Global):
            return facts.functions[name]
        if term is not None:
            found = (
                self.resolve_term(term, path)
                if isinstance(term, (Attribute, Choice, Global)) and term is not None
                else None
            )
            return found if isinstance(found, (ClassFacts, Function, External)) else Value(path, term)
        head, _, rest = name.partition(".")
        if rest and head in facts.classes:
            return self._nested(facts.classes[head], rest) or External(f"unknown.{name}")
        for origin in facts.star_imports if not name.startswith("_") else ():
            found = self.resolve_import(path, f"{origin}{'' if origin.endswith('.') else '.'}{name}", hops + 1)
            if not isinstance(found, External) or is_module_class(found.name):
                return found
        return External(f"builtins.{name}")

    def resolve_import(self, path: str, name: str, hops: int = 0) -> Resolved:
        """What an imported dotted name stands for, seen from the file `path`."""
        key = (path if name.startswith(".") else os.path.dirname(path), name)
        found = self._imported.get(key)
        if found is None:
            found = self._find_import(path, name, hops)
            if hops == 0:
                self._imported[key] = found
        return found

    def _find_import(self, path: str, name: str, hops: int) -> Resolved:
        bare = name.lstrip(".")
        level = len(name) - len(bare)
        if level == 0 and bare.partition(".")[0] == "torch":
            return External(bare)
        parts = bare.split(".") if bare else []
        for start in self._starts(path, level):
            found = self._follow(start, parts, hops)
            if found is not None:
                return found
        return External(bare)

    def _starts(self, path: str, level: int) -> tuple[str, ...]:
        """The directories that an import may begin in: the package around for a relative one, else the roots above
        the file."""
        directory = os.path.dirname(path)
        if level:
            for _ in range(level - 1):
                directory = os.path.dirname(directory)
            return (directory,)
        if directory not in self._roots:
            package = directory
            while self._is_file(os.path.join(package, "__init__.py")) and package != os.path.dirname(package):
                package = os.path.dirname(package)
            self._roots[directory] = tuple(dict.fromkeys((package, directory, os.path.dirname(package))))
        return self._roots[directory]

    def _follow(self, start: str, parts: list[str], hops: int) -> Resolved | None:
        """The definition that `parts` lead to from a directory: as many as are packages or modules, then a name
        inside."""
        here = start
        for count, part in enumerate(parts):
            folder = f"{here}/{part}"
            rest = parts[count + 1 :]
            if self._is_file(f"{folder}/__init__.py"):
                if rest and not (
                    self._is_file(f"{folder}/{rest[0]}.py") or self._is_file(f"{folder}/{rest[0]}/__init__.py")
                ):
                    return self._in_file(f"{folder}/__init__.py", rest, hops)
                here = folder
            elif self._is_file(f"{folder}.py"):
                return self._in_file(f"{folder}.py", rest, hops)
            else:
                return self._in_file(f"{here}/__init__.py", parts[count:], hops) if count else None
        return None

    def _in_file(self, path: str, names: list[str], hops: int) -> Resolved | None:
        if not names or not self._is_file(path) or self.file(path) is None:
            return None
        found = self.resolve(path, names[0], hops + 1)
        for name in names[1:]:
            inner = self._nested(found, name) if isinstance(found, ClassFacts) else None
            if inner is None:
                return External(".".join(names))
            found = inner
        return None if isinstance(found, External) and found.name.startswith(("builtins.", "unknown.")) else found

    def _nested(self, owner: ClassFacts, name: str) -> Resolved | None:
        facts = self.file(owner.path)
        inner = facts.classes.get(f"{owner.qualname}.{name}") if facts else None
        return inner or self.linked(owner).method(name)

    def _is_file(self, path: str) -> bool:
        if path not in self._exists:
            self._exists[path] = path in self._facts or os.path.isfile(path)
        return self._exists[path]

    def assigned_from_outside(self, path: str) -> frozenset[str]:
        """The attributes that the methods of a file assign on other objects than their own."""
        facts = self.file(path)
        names: set[str] = set()
        for owner in facts.classes.values() if facts else ():
            for method in owner.methods.values():
                for event in method.events:
                    if (
                        isinstance(event, Write)
                        and isinstance(event.base, Attribute)
                        and isinstance(event.attribute, str)
                    ):
                        names.add(event.attribute)
        return frozenset(names)

    @cached_property
    def moved_by_owners(self) -> frozenset[str]:
        """The attributes of other objects that some `_apply` override of the files read so far assigns: an owner
        moves them."""
        names: set[str] = set()
        for facts in filter(None, self._facts.values()):
            for owner in facts.classes.values():
                override = owner.methods.get("_apply")
                for event in override.events if override is not None else ():
                    if (
                        isinstance(event, Write)
                        and isinstance(event.attribute, str)
                        and not isinstance(event.base, Argument)
                    ):
                        names.add(event.attribute)
        return frozenset(names)

    def _classes_in(self, path: str) -> tuple[ClassFacts, ...]:
        facts = self.file(path)
        return tuple(facts.classes.values()) if facts else ()
