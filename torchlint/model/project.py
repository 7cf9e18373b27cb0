"""The files of a project as one whole: what a name stands for, wherever it is written. Files are read when they are
asked for, and of a file that is only imported no more than the definitions asked for."""

from __future__ import annotations

import builtins
import hashlib
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias

from torchlint.knowledge.modules import is_module_class
from torchlint.model.events import Write
from torchlint.model.facts import ClassFacts, ClassOutline, FileFacts, Function, Outline
from torchlint.model.imports import Imports
from torchlint.model.terms import (
    NOWHERE,
    Argument,
    Attribute,
    Choice,
    Defined,
    Global,
    Imported,
    Subscript,
    Term,
    Unread,
)

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.evaluate import Evaluator
    from torchlint.model.frames import Frame
    from torchlint.model.uses import Uses

# Past these, a name is "not known": star imports in a circle have more paths than anyone can walk.
_MAX_NESTED_NAMES = 40
_MAX_STEPS = 2_000
_NEVER = 1_000_000
_DIGEST_BYTES = 16


class Files(Protocol):
    """Where the facts of files that are not checked come from. Paths are absolute; nothing here raises."""

    def outline(self, path: str) -> Outline | FileFacts | None:
        """The outline of a file; all of its facts where it cannot be had without; None where it cannot be read."""

    def part(self, path: str, outline: Outline, group: int) -> FileFacts | None:
        """The facts of one part of a file; None where it cannot be read."""

    def may_bring(self, path: str, name: str) -> bool:
        """False where the text of a file shows that a star import of it cannot bring `name`."""

    def around(self, path: str, word: bytes) -> tuple[str, ...]:
        """The files of the project around `path` that hold `word`, sorted."""

    def roots(self, path: str) -> tuple[str, ...]:
        """The folders in which an absolute import written in `path` may begin, the project's own."""

    def installed(self, path: str, package: str) -> tuple[str, ...]:
        """The folders of the environment in which the top-level name `package` may lie, for the file `path`."""


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


@dataclass(frozen=True, slots=True)
class Used:
    """A file whose facts another file's judgement rests on, and a digest of those facts; "" where it cannot be read."""

    path: str
    digest: str


class Project:
    """The facts of the files passed, and of those that their names lead to.

    facts: by absolute path, whole. files: where the others come from; None for no others.
    """

    def __init__(self, facts: Mapping[str, FileFacts], files: Files | None = None) -> None:
        self._facts: dict[str, FileFacts] = dict(facts)
        self._files = files
        self._outlines: dict[str, Outline | None] = {}
        self._parts: dict[tuple[str, int], FileFacts | None] = {}
        self._resolved: dict[tuple[str, str], Resolved] = {}
        self._resolving: dict[tuple[str, str], int] = {}
        self._lowest_cycle = _NEVER
        self._importing: set[tuple[str, str]] = set()
        self._steps = 0
        self._classes: dict[tuple[str, str], ModuleClass] = {}
        self._owned: dict[tuple[str, ...], frozenset[str]] = {}
        self.imports = Imports(files, self._facts)

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
        return (view for view in self.classes_in(path) if view.is_module)

    def classes_in(self, path: str) -> tuple[ModuleClass, ...]:
        """Every class that a file defines, also nested ones, in order."""
        outline = self.outline(path)
        return tuple(map(self.linked, outline.classes.values())) if outline else ()

    def functions_in(self, path: str) -> Iterator[Frame]:
        """Every function of a file that was passed: its top level, functions, methods and those nested in them, each
        with its parameters open."""
        facts = self._facts.get(path)
        if facts is None:
            return
        for function in (facts.top, *facts.functions.values()):
            yield from self._with_nested(self.evaluator.frame(function, None))
        for owner in facts.classes.values():
            for method in owner.methods.values():
                yield from self._with_nested(self.evaluator.frame(method, self.view_of(path, owner.qualname)))

    def _with_nested(self, frame: Frame) -> Iterator[Frame]:
        yield frame
        for nested in frame.function.nested:
            yield from self._with_nested(self.evaluator.nested_frame(nested, frame))

    # Files

    def outline(self, path: str) -> Outline | None:
        """The outline of a file, read now if need be; None where it cannot be read."""
        if path not in self._outlines:
            self._outlines[path] = self._find_outline(path)
        return self._outlines[path]

    def _find_outline(self, path: str) -> Outline | None:
        if path not in self._facts:
            found = self._files.outline(path) if self._files else None
            if not isinstance(found, FileFacts):
                return found
            self._facts[path] = found
        return self._facts[path].outline

    def part(self, path: str, group: int) -> FileFacts | None:
        """The facts of a part of a file, read now if need be; of the whole file where it was passed."""
        if path in self._facts:
            return self._facts[path]
        key = (path, group)
        if key not in self._parts:
            outline = self.outline(path)
            found = self._files.part(path, outline, group) if self._files and outline else None
            self._parts[key] = found
        return self._parts[key]

    def top_of(self, function: Function) -> Function:
        """The top level that a function, or the class around it, was read in: where its defaults are evaluated."""
        outline = self.outline(function.path)
        head = function.qualname.partition(".")[0]
        if outline is None:
            return function
        owner = outline.classes.get(head)
        group = owner.group if owner is not None else outline.functions.get(head, 0)
        part = self.part(function.path, group)
        return part.top if part is not None else function

    def top_frame(self, path: str, group: int) -> Frame:
        """The top level that a part of a file was read in, as a frame for its terms."""
        part = self.part(path, group)
        top = part.top if part is not None else Function("<module>", "<module>", NOWHERE, path=path)
        return self.evaluator.frame(top, None)

    # Classes

    def linked(self, outline: ClassOutline) -> ModuleClass:
        """The linked view of a class: its bases, attributes and methods wherever they are written."""
        from torchlint.model.classes import ModuleClass

        key = (outline.path, outline.qualname)
        if key not in self._classes:
            self._classes[key] = ModuleClass(outline, self)
        return self._classes[key]

    def view_of(self, path: str, qualname: str) -> ModuleClass | None:
        """The linked view of a class by its file and its qualified name."""
        outline = self.outline(path)
        found = outline.classes.get(qualname) if outline else None
        return self.linked(found) if found is not None else None

    def class_facts(self, outline: ClassOutline) -> ClassFacts:
        """The body of a class; an empty one where its lines cannot be read."""
        part = self.part(outline.path, outline.group)
        found = part.classes.get(outline.qualname) if part else None
        return found or ClassFacts(
            outline.name, outline.qualname, outline.place, outline.bases, (), {}, {}, {}, outline.path
        )

    # Names

    def resolve_term(self, term: Term, path: str) -> Resolved | None:
        """What a name in the file `path` stands for; None where the term is no name or its meaning is not known."""
        if isinstance(term, Defined):
            return self._defined(term, path)
        if isinstance(term, Global):
            return self.resolve(path, term.name)
        if isinstance(term, Imported):
            return self.resolve_import(path, term.name)
        if isinstance(term, Subscript):
            return self.resolve_term(term.base, path)
        if isinstance(term, Choice):
            return _likeliest([self.resolve_term(option, path) for option in term.options])
        if isinstance(term, Attribute):
            return self._attribute(self.resolve_term(term.base, path), term.name, path)
        return None

    def alternatives(self, term: Term, path: str) -> list[Resolved | None]:
        """All that a name in the file `path` may stand for, where branches or conditions bind it differently."""
        outline = self.outline(path)
        bound = outline.names.get(term.name) if outline and type(term) is Global else None
        if isinstance(bound, Choice) and outline:
            return [self._bound(option, path, getattr(term, "name", ""), outline) for option in bound.options]
        if isinstance(term, Choice):
            return [found for option in term.options for found in self.alternatives(option, path)]
        part = self.part(path, bound.group) if isinstance(bound, Unread) else None
        held = part.names.get(term.name) if part and isinstance(term, Global) else None
        if isinstance(held, Choice):
            return self.alternatives(held, path)
        return [self.resolve_term(term, path)]

    def _defined(self, term: Defined, path: str) -> Resolved:
        outline = self.outline(path)
        if outline is not None and term.name in outline.classes:
            return self.linked(outline.classes[term.name])
        part = self.part(path, outline.functions[term.name]) if outline and term.name in outline.functions else None
        return (part.functions.get(term.name) if part else None) or External(f"unknown.{term.name}")

    def resolve(self, path: str, name: str) -> Resolved:
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
        outline = self.outline(path)
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
            return self.linked(outline.classes[name])
        return self._brought(path, name, outline)

    def _bound(self, term: Term, path: str, name: str, outline: Outline) -> Resolved:
        """What a name stands for that a statement of the file binds to `term`."""
        if isinstance(term, Imported):
            return self.resolve_import(path, term.name)
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
            return self.resolve(path, term.name)
        return External(f"unknown.{name}")

    def _value(self, path: str, name: str, group: int) -> Resolved:
        part = self.part(path, group)
        term = part.names.get(name) if part else None
        if part is None or term is None:
            return External(f"unknown.{name}")
        is_name = isinstance(term, (Attribute, Choice, Global, Imported))
        found = self.resolve_term(term, path) if is_name else None
        return found if found is not None and not isinstance(found, Value) else Value(path, term, part.top)

    def _brought(self, path: str, name: str, outline: Outline) -> Resolved:
        """What a name stands for that no statement of the file binds: a star import, the package's own answer, or a
        builtin."""
        found = self._starred(path, outline.star_imports, name, {path})
        if found is not None:
            return found
        if name in outline.lazy:
            return self.resolve_import(path, outline.lazy[name])
        return External(f"{'builtins' if hasattr(builtins, name) else 'unknown'}.{name}")

    def _starred(self, path: str, origins: Sequence[str], name: str, seen: set[str]) -> Resolved | None:
        """What star imports bring under a name, the last one first; None for nothing. seen: the files already asked,
        so that a circle of stars is walked once."""
        for origin in reversed(origins):
            file = self.imports.module(path, origin)
            if file is None:
                external = f"{origin}.{name}"
                if is_module_class(external):
                    return External(external)
            elif file not in seen:
                seen.add(file)
                self.imports.note(path, file)
                found = self._offered(file, name, seen)
                if found is not None and not _is_nothing(found):
                    return found
        return None

    def _offered(self, file: str, name: str, seen: set[str]) -> Resolved | None:
        """What a star import of `file` brings under a name."""
        if self._files and file not in self._facts and not self._files.may_bring(file, name):
            return None
        outline = self.outline(file)
        if outline is None or not self._exports(file, name, outline):
            return None
        if name in outline.names or name in outline.classes:
            return self.resolve(file, name)
        found = self._starred(file, outline.star_imports, name, seen)
        return self.resolve_import(file, outline.lazy[name]) if found is None and name in outline.lazy else found

    def _exports(self, file: str, name: str, outline: Outline, depth: int = 4) -> bool:
        """Whether a file's `__all__`, or its lack of one, lets a star import take a name."""
        if outline.exported is None:
            return not name.startswith("_")
        if name in outline.exported:
            return True
        for module in outline.exported_from if depth else ():
            other = self.imports.module(file, module)
            taken_over = self.outline(other) if other is not None else None
            if other and taken_over and self._exports(other, name, taken_over, depth - 1):
                return True
        return False

    def resolve_import(self, path: str, name: str) -> Resolved:
        """What an imported dotted name stands for, seen from the file `path`."""
        key = (path, name)
        if key not in self._importing:
            self._importing.add(key)
            found = next(self._at_ways(path, name), None)
            self._importing.discard(key)
            if found is not None:
                return found
        return External(self.imports.absolute(path, name))

    def _at_ways(self, path: str, name: str) -> Iterator[Resolved]:
        for way in self.imports.ways(path, name):
            self.imports.note(path, way.file)
            found = self._in_file(way.file, way.names) if way.names else None
            if found is None or _is_nothing(found):
                continue
            if not way.is_installed or found is self._class_of(found):
                yield found

    @staticmethod
    def _class_of(found: Resolved) -> ModuleClass | None:
        from torchlint.model.classes import ModuleClass

        return found if isinstance(found, ModuleClass) else None

    def _in_file(self, path: str, names: tuple[str, ...]) -> Resolved | None:
        found: Resolved | None = self.resolve(path, names[0])
        for name in names[1:]:
            found = self._attribute(found, name, path)
        return found

    def _attribute(self, owner: Resolved | None, name: str, path: str) -> Resolved | None:
        """An attribute of what a name in the file `path` stands for: of a package or module, or of a class."""
        if isinstance(owner, External):
            return owner if _is_nothing(owner) else self.resolve_import(path, f"{owner.name}.{name}")
        view = self._class_of(owner) if owner is not None else None
        return self._member(view, name) if view is not None else None

    def _member(self, view: ModuleClass, name: str) -> Resolved | None:
        """A class, method or other name in the body of a class or of its bases."""
        for ancestor in view.ancestors:
            inner = self.view_of(ancestor.path, f"{ancestor.qualname}.{name}")
            if inner is not None:
                return inner
            if name in ancestor.outline.methods:
                return ancestor.facts.methods.get(name)
            if name in ancestor.outline.values:
                held = ancestor.facts.values.get(name)
                return self.resolve_term(held, ancestor.path) if held is not None else None
        return None

    # Owners

    def assigned_from_outside(self, path: str) -> frozenset[str]:
        """The attributes that the methods of a file that was passed assign on other objects than their own."""
        facts = self._facts.get(path)
        methods = (m for owner in (facts.classes.values() if facts else ()) for m in owner.methods.values())
        return frozenset(
            event.attribute
            for method in methods
            for event in method.events
            if isinstance(event, Write) and isinstance(event.base, Attribute) and isinstance(event.attribute, str)
        )

    def moved_by_owners(self, path: str) -> frozenset[str]:
        """The attributes of other objects that some `_apply` override of the project around `path` assigns: an owner
        moves them."""
        files = self._files.around(path, b"def _apply") if self._files else tuple(sorted(self._facts))
        if files not in self._owned:
            self._owned[files] = frozenset(name for file in files for name in self._moved_in(file))
        return self._owned[files]

    def _moved_in(self, path: str) -> Iterator[str]:
        outline = self.outline(path)
        for owner in outline.classes.values() if outline else ():
            override = self.class_facts(owner).methods.get("_apply") if "_apply" in owner.methods else None
            for event in override.events if override is not None else ():
                if (
                    isinstance(event, Write)
                    and not isinstance(event.base, Argument)
                    and isinstance(event.attribute, str)
                ):
                    yield event.attribute

    # What a judgement rests on

    def used_by(self, path: str) -> tuple[Used, ...]:
        """The other files that the names of `path` led to, over any number of steps, each with a digest of what was
        read of it. While the digests are equal, so is the judgement of `path`."""
        return tuple(Used(file, self._digest(file)) for file in self.imports.reached_from(path))

    def _digest(self, path: str) -> str:
        outline = self.outline(path)
        if outline is None:
            return ""
        parts = [self._parts[key] for key in sorted(key for key in self._parts if key[0] == path)]
        content = self._facts.get(path, (outline, parts))
        return hashlib.blake2b(pickle.dumps(content), digest_size=_DIGEST_BYTES).hexdigest()


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
