"""What names stand for: through assignments, imports, star imports and lazy packages, to a class, a function or a
value, in whatever file."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from torchlint.knowledge.modules import is_module_class
from torchlint.model.facts import Function, Outline
from torchlint.model.names.imports import Way
from torchlint.model.terms import Attribute, Choice, Defined, Global, Imported, Subscript, Term, Unread

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.project import Files, Project

# Past these, a name is "not known".
_MAX_NESTED_NAMES = 40
_MAX_STEPS = 2_000
_NEVER = 1_000_000


@dataclass(frozen=True, slots=True)
class External:
    """A name that no file defines, by its dotted path: "torch.nn.Linear", "builtins.len", or "unknown.Base"."""

    name: str


@dataclass(frozen=True, slots=True)
class Value:
    """A value assigned at the top level of a file. top: the top level that the term was read in."""

    path: str
    term: Term
    top: Function


Resolved: TypeAlias = "ModuleClass | Function | External | Value"


class Names:
    """The names of one project, each looked up once.

    files: tells whether a star import can bring a name, before the file is read; None where there are only checked
    files.
    """

    def __init__(self, project: Project, files: Files | None) -> None:
        self._project = project
        self._files = files
        self._resolved: dict[tuple[str, str], Resolved] = {}
        self._resolving: dict[tuple[str, str], int] = {}
        self._importing: set[tuple[str, str]] = set()
        self._imported: dict[tuple[str, str], Resolved] = {}
        self._lowest_cycle = _NEVER
        self._steps = 0

    def of_term(self, term: Term, path: str) -> Resolved | None:
        """What a name in the file `path` stands for; None where the term is no name or its meaning is not known."""
        if isinstance(term, Defined):
            return self._defined(term, path)
        if isinstance(term, Global):
            return self.of(path, term.name)
        if isinstance(term, Imported):
            return self.of_import(path, term.name)
        if isinstance(term, Subscript):
            return self.of_term(term.base, path)
        if isinstance(term, Choice):
            return _likeliest([self.of_term(option, path) for option in term.options])
        if isinstance(term, Attribute):
            return self._attribute(self.of_term(term.base, path), term.name, path)
        return None

    def options_of(self, term: Term, path: str) -> list[Resolved | None]:
        """All that a name in the file `path` may stand for, where branches or conditions bind it differently."""
        outline = self._project.outline(path)
        bound = outline.names.get(term.name) if outline and type(term) is Global else None
        if isinstance(bound, Choice) and outline:
            return [self._bound(option, path, getattr(term, "name", ""), outline) for option in bound.options]
        if isinstance(term, Choice):
            return [found for option in term.options for found in self.options_of(option, path)]
        part = self._project.part(path, bound.group) if isinstance(bound, Unread) else None
        held = part.names.get(term.name) if part and isinstance(term, Global) else None
        if isinstance(held, Choice):
            return self.options_of(held, path)
        return [self.of_term(term, path)]

    def _defined(self, term: Defined, path: str) -> Resolved:
        outline = self._project.outline(path)
        if outline is not None and term.name in outline.classes:
            return self._project.linked(outline.classes[term.name])
        part = (
            self._project.part(path, outline.functions[term.name])
            if outline and term.name in outline.functions
            else None
        )
        return (part.functions.get(term.name) if part else None) or External(f"unknown.{term.name}")

    def of(self, path: str, name: str) -> Resolved:
        """What the name `name` of a file's top level stands for."""
        key = (path, name)
        if key in self._resolved:
            return self._resolved[key]
        depth = len(self._resolving)
        if key in self._resolving or depth > _MAX_NESTED_NAMES or self._steps > _MAX_STEPS:
            self._lowest_cycle = min(self._lowest_cycle, self._resolving.get(key, -1))
            return External(f"unknown.{name}")
        outer, self._lowest_cycle = self._lowest_cycle, _NEVER
        self._steps = self._steps + 1 if depth else 0
        self._resolving[key] = depth
        found = self._find(path, name)
        del self._resolving[key]
        # What was found inside a circle of imports holds only for the name that the circle was entered by.
        if self._lowest_cycle >= depth or depth == 0:
            self._resolved[key] = found
            self._lowest_cycle = outer
        self._lowest_cycle = min(outer, self._lowest_cycle)
        return found

    def _find(self, path: str, name: str) -> Resolved:
        outline = self._project.outline(path)
        if outline is None:
            return External(f"unknown.{name}")
        if name in outline.bound_before:
            below = outline.star_imports[outline.bound_before[name] :]
            found = self._starred(path, below, name, {path})
            if found is not None and not _is_nothing(found):
                return found
        term = outline.names.get(name)
        if term is not None:
            return self._bound(term, path, name, outline)
        if name in outline.classes:
            return self._project.linked(outline.classes[name])
        return self._brought(path, name, outline)

    def _bound(self, term: Term, path: str, name: str, outline: Outline) -> Resolved:
        """What a name stands for that a statement of the file binds to `term`."""
        if isinstance(term, Imported):
            return self.of_import(path, term.name)
        if isinstance(term, Defined):
            return self._defined(term, path)
        if isinstance(term, Choice):
            if all(isinstance(option, Defined) and option.name in outline.functions for option in term.options):
                # A function that is defined in several branches: nobody knows which body runs.
                return External(f"unknown.{name}")
            options = [self._bound(option, path, name, outline) for option in term.options]
            return _likeliest(options) or options[0]
        if isinstance(term, Unread):
            return self._value(path, name, term.group)
        if isinstance(term, Global) and term.name != name:
            return self.of(path, term.name)
        return External(f"unknown.{name}")

    def _value(self, path: str, name: str, group: int) -> Resolved:
        part = self._project.part(path, group)
        term = part.names.get(name) if part else None
        if part is None or term is None:
            return External(f"unknown.{name}")
        is_name = isinstance(term, (Attribute, Choice, Global, Imported))
        found = self.of_term(term, path) if is_name else None
        return found if found is not None and not isinstance(found, Value) else Value(path, term, part.top)

    def _brought(self, path: str, name: str, outline: Outline) -> Resolved:
        """What a name stands for that no statement of the file binds: a star import, the package's own answer, or a
        builtin."""
        found = self._starred(path, (*outline.typed_stars, *outline.star_imports), name, {path})
        if found is not None:
            return found
        if name in outline.lazy:
            return self.of_import(path, outline.lazy[name])
        return External(f"{'builtins' if hasattr(builtins, name) else 'unknown'}.{name}")

    def _starred(self, path: str, origins: Sequence[str], name: str, seen: set[str]) -> Resolved | None:
        """What star imports bring under a name, the last one first; None for nothing. seen: the files already asked,
        so that a circle of stars is walked once."""
        for origin in reversed(origins):
            file = self._project.imports.module(path, origin)
            if file is None:
                external = f"{origin}.{name}"
                if is_module_class(external):
                    return External(external)
            elif file not in seen:
                seen.add(file)
                self._project.imports.note(path, file)
                found = self._offered(file, name, seen)
                if found is not None and not _is_nothing(found):
                    return found
        return None

    def _offered(self, file: str, name: str, seen: set[str]) -> Resolved | None:
        """What a star import of `file` brings under a name."""
        if self._files and not self._project.was_passed(file) and not self._files.may_bring(file, name):
            return None
        outline = self._project.outline(file)
        if outline is None or not self._exports(file, name, outline):
            return None
        if name in outline.names or name in outline.classes:
            return self.of(file, name)
        found = self._starred(file, (*outline.typed_stars, *outline.star_imports), name, seen)
        return self.of_import(file, outline.lazy[name]) if found is None and name in outline.lazy else found

    def _exports(self, file: str, name: str, outline: Outline, depth: int = 4) -> bool:
        """Whether a file's `__all__`, or its lack of one, lets a star import take a name."""
        if outline.exported is None:
            return not name.startswith("_")
        if name in outline.exported:
            return True
        for module in outline.exported_from if depth else ():
            other = self._project.imports.module(file, module)
            taken_over = self._project.outline(other) if other is not None else None
            if other and taken_over and self._exports(other, name, taken_over, depth - 1):
                return True
        return False

    def of_import(self, path: str, name: str) -> Resolved:
        """What an imported dotted name stands for, seen from the file `path`."""
        key = (path, name)
        if key in self._imported:
            return self._imported[key]
        found: Resolved | None = None
        if key not in self._importing:
            self._importing.add(key)
            found = next(self._at_ways(path, name), None)
            self._importing.discard(key)
        brought = found or External(self._project.imports.absolute(path, name))
        if not self._resolving and not self._importing:
            # Inside of another lookup the answer may be that of a circle.
            self._imported[key] = brought
        return brought

    def _at_ways(self, path: str, name: str) -> Iterator[Resolved]:
        for way in self._project.imports.ways(path, name):
            self._project.imports.note(path, way.file)
            found = self._in_file(way.file, way.names) if way.names and self._is_meant(way) else None
            if found is None or _is_nothing(found):
                continue
            if not way.is_installed or found is self._class_of(found):
                yield found

    @staticmethod
    def _class_of(found: Resolved) -> ModuleClass | None:
        from torchlint.model.classes import ModuleClass

        return found if isinstance(found, ModuleClass) else None

    def _is_meant(self, way: Way) -> bool:
        outline = self._project.outline(way.file) if way.is_hiding else None
        return outline is None or way.names[0] in outline.names

    def _in_file(self, path: str, names: tuple[str, ...]) -> Resolved | None:
        found: Resolved | None = self.of(path, names[0])
        for name in names[1:]:
            found = self._attribute(found, name, path)
        return found

    def _attribute(self, owner: Resolved | None, name: str, path: str) -> Resolved | None:
        """An attribute of what a name in the file `path` stands for: of a package or module, or of a class."""
        if isinstance(owner, External):
            return owner if _is_nothing(owner) else self.of_import(path, f"{owner.name}.{name}")
        view = self._class_of(owner) if owner is not None else None
        return self._member(view, name) if view is not None else None

    def _member(self, view: ModuleClass, name: str) -> Resolved | None:
        """A class, method or other name in the body of a class or of its bases."""
        for ancestor in view.ancestors:
            inner = self._project.view_of(ancestor.path, f"{ancestor.qualname}.{name}")
            if inner is not None:
                return inner
            if name in ancestor.outline.methods:
                return ancestor.facts.methods.get(name)
            if name in ancestor.outline.values:
                held = ancestor.facts.values.get(name)
                return self.of_term(held, ancestor.path) if held is not None else None
        return None


def _is_nothing(found: Resolved) -> bool:
    """True for a name that led nowhere."""
    return isinstance(found, External) and found.name.startswith("unknown.")


def _likeliest(options: Sequence[Resolved | None]) -> Resolved | None:
    """What a name stands for that branches bind differently: the first option that is known, else the first that is
    something. An optional dependency that is not there leaves its stand-in."""
    found = [one for one in options if one is not None and not _is_nothing(one)]
    known = (one for one in found if not isinstance(one, (External, Value)) or _is_known(one))
    return next(known, found[0] if found else options[0])


def _is_known(found: External | Value) -> bool:
    return isinstance(found, External) and (found.name.startswith("torch.") or is_module_class(found.name))
