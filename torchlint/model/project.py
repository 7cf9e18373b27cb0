"""The files of a project as one whole: what a name stands for, wherever it is written. Files are read when they are
asked for, and of a file that is only imported no more than the definitions asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from torchlint.model.facts import ClassFacts, ClassOutline, FileFacts, Function, Outline
from torchlint.model.flow.inherited import changed_methods
from torchlint.model.flow.inlining import written_out
from torchlint.model.names.grounds import digest_of
from torchlint.model.names.imports import Imports
from torchlint.model.names.names import Names
from torchlint.model.terms import NOWHERE, Imported
from torchlint.source import EVERY_CHECKED_FILE

if TYPE_CHECKING:
    from torchlint.model.autocast.reach import Key, Reach
    from torchlint.model.classes import ModuleClass
    from torchlint.model.evaluation.evaluate import Evaluator
    from torchlint.model.flow.uses import Uses
    from torchlint.model.frames import Frame
    from torchlint.model.modules.owners import Owners
    from torchlint.model.unregistered.remembered import Conversions
    from torchlint.model.unregistered.shared import OutsideNames


class Files(Protocol):
    """Where the facts of files that are not checked come from. Paths are absolute; nothing here raises."""

    def outline(self, path: str) -> Outline | FileFacts | None:
        """The outline of a file; all of its facts where it cannot be had without; None where it cannot be read."""

    def part(self, path: str, outline: Outline, group: int) -> FileFacts | None:
        """The facts of one part of a file; None where it cannot be read."""

    def may_bring(self, path: str, name: str) -> bool:
        """False where the text of a file shows that a star import of it cannot bring `name`."""

    def may_convert(self, path: str) -> bool:
        """False where the text of a file shows that no call in it converts a module."""

    def may_say(self, path: str, outline: Outline, group: int, word: str) -> bool:
        """False where the text of a part shows that `word` stands nowhere in it."""

    def around(self, path: str, word: bytes) -> tuple[str, ...]:
        """The files of the project around `path` that hold `word`, sorted."""

    def content(self, path: str) -> bytes:
        """A digest of the bytes of a file; b"" where it cannot be read."""

    def roots(self, path: str) -> tuple[str, ...]:
        """The folders in which an absolute import written in `path` may begin, the project's own."""

    def installed(self, path: str, package: str) -> tuple[str, ...]:
        """The folders of the environment in which the top-level name `package` may lie, for the file `path`."""


@dataclass(frozen=True, slots=True)
class Used:
    """A file whose facts another file's judgement rests on, and a digest of those facts; "" where it cannot be read."""

    path: str
    digest: str


class Project:
    """The facts of the files passed, and of those that their names lead to.

    facts: by absolute path, whole. files: where the others come from; None for no others.
    """

    def __init__(self, facts: dict[str, FileFacts], files: Files | None = None) -> None:
        self._facts: dict[str, FileFacts] = facts.copy()
        self._files = files
        self._outlines: dict[str, Outline | None] = {}
        self._parts: dict[tuple[str, int], FileFacts | None] = {}
        self._used: dict[str, set[int]] = {}
        self._classes: dict[tuple[str, str], ModuleClass] = {}
        self.reached: dict[str, dict[Key, tuple[Reach, ...]]] = {}  # kept by model.autocast_reach
        self.imports = Imports(files, self._facts)
        self.names = Names(self, files)

    @cached_property
    def evaluator(self) -> Evaluator:
        """What evaluates terms to values in this project."""
        from torchlint.model.evaluation.evaluate import Evaluator

        return Evaluator(self)

    @cached_property
    def uses(self) -> Uses:
        """What becomes of values inside functions."""
        from torchlint.model.flow.uses import Uses

        return Uses(self)

    @cached_property
    def conversions(self) -> Conversions:
        """The calls in the checked files that move or convert modules."""
        from torchlint.model.unregistered.remembered import Conversions

        return Conversions(self)

    @cached_property
    def outside_names(self) -> OutsideNames:
        """The names by which functions read values of files and classes."""
        from torchlint.model.unregistered.shared import OutsideNames

        return OutsideNames(self)

    @cached_property
    def owners(self) -> Owners:
        """Who assigns and moves the attributes of objects that are not its own."""
        from torchlint.model.modules.owners import Owners

        return Owners(self)

    @property
    def passed(self) -> tuple[str, ...]:
        """The files that are checked themselves, sorted."""
        return tuple(sorted(self._facts))

    def forget_evaluations(self, path: str | None = None) -> None:
        """Drop the memory of evaluated terms, which is the bulk of what a judged file leaves behind; nothing else
        changes. path: the file that was judged; what its classes remember goes too, since few others ask for it."""
        self.evaluator.forget()
        facts = self._facts.get(path) if path is not None else None
        if facts is None or facts.outline is None:
            return
        for owner in facts.outline.classes.values():
            self.linked(owner).forget_evaluations()
        methods = (method for owner in facts.classes.values() for method in owner.methods.values())
        for function in (facts.top, *facts.functions.values(), *methods):
            _forget_derived(function)

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
        with its parameters open. Whatever rests on the file rests on all of it from then on."""
        facts = self.whole_facts(path)
        return self.frames_of(facts) if facts is not None else iter(())

    def whole_facts(self, path: str) -> FileFacts | None:
        """The facts of a file that was passed, all of which counts from then on."""
        self.imports.trail.note_whole(path, path)
        self.imports.trail.note_status(path)
        return self._facts.get(path)

    def checked_facts(self, path: str) -> FileFacts | None:
        """The facts of a file that was passed, for what counts by the status of the file alone."""
        self.imports.trail.note_status(path)
        return self._facts.get(path)

    def functions_to_judge(self, path: str) -> Iterator[Frame]:
        """The same for the file that is judged itself."""
        facts = self._facts.get(path)
        if facts is None:
            return
        frames = list(self.frames_of(facts))
        for view in self.classes_in(path):
            for frame in changed_methods(view):
                frames += self._with_nested(frame)
        yield from frames
        for frame in frames:
            function = written_out(frame) if frame.path == path else None
            if function is not None:
                yield self.evaluator.frame(function, frame.view)

    def frames_of(self, facts: FileFacts) -> Iterator[Frame]:
        """The same for the facts of a file or of a part of one."""
        for function in (facts.top, *facts.functions.values()):
            yield from self._with_nested(self.evaluator.frame(function, None))
        for owner in facts.classes.values():
            for method in owner.methods.values():
                yield from self._with_nested(self.evaluator.frame(method, self.view_of(facts.path, owner.qualname)))

    def _with_nested(self, frame: Frame) -> Iterator[Frame]:
        yield frame
        for nested in frame.function.nested:
            yield from self._with_nested(self.evaluator.nested_frame(nested, frame))

    # Files

    def was_passed(self, path: str) -> bool:
        """True for a file that is checked itself: all of it was read."""
        return path in self._facts

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
        self._used.setdefault(path, set()).add(group)
        if path in self._facts:
            return self._facts[path]
        key = (path, group)
        if key not in self._parts:
            outline = self.outline(path)
            found = self._files.part(path, outline, group) if self._files and outline else None
            self._parts[key] = found
        return self._parts[key]

    def parts_saying(self, path: str, word: str) -> Iterator[FileFacts]:
        """The facts of the parts of a file that may say `word`, read one after the other."""
        outline = self.outline(path)
        if outline is None:
            return
        renamed = any(
            word in one.name and word not in name for name, one in outline.names.items() if isinstance(one, Imported)
        )
        for group in range(len(outline.groups)):
            if renamed or self._files is None or self._files.may_say(path, outline, group, word):
                part = self.part(path, group)
                if part is not None:
                    yield part

    def top_of(self, function: Function) -> Function:
        """The top level that a function, or the class around it, was read in: where its defaults are evaluated. The
        function itself where that is not known, as of one nested in another."""
        outline = self.outline(function.path) if function.path else None
        head = function.qualname.partition(".")[0]
        if outline is None or not outline.groups:
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
        key = (outline.path, outline.qualname)
        known = self._classes.get(key)
        if known is None:
            from torchlint.model.classes import ModuleClass

            known = self._classes[key] = ModuleClass(outline, self)
        return known

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

    # Files around

    def files_around(self, path: str, word: bytes) -> tuple[str, ...]:
        """The files of the project around `path` that hold `word`. The judgement of `path` rests on which files they
        are; on what they hold only after `looked_into`."""
        self.imports.trail.note_word(path, word)
        return self._files.around(path, word) if self._files else tuple(sorted(self._facts))

    def rests_on_checked_files(self, path: str) -> None:
        """The judgement of `path` rests on which files are checked, and on all of each."""
        self.imports.trail.note(path, EVERY_CHECKED_FILE)

    def may_bring(self, path: str, name: str) -> bool:
        """False where the text of a file shows that it neither says `name` nor has a star import."""
        return self._files is None or self._files.may_bring(path, name)

    def may_convert(self, path: str) -> bool:
        """False for a checked file whose text shows that it converts no module."""
        return self._files is None or self._files.may_convert(path)

    def note_checked_file(self, path: str) -> None:
        """What rests on the files that are checked rests on what this one leads to."""
        self.imports.trail.note(EVERY_CHECKED_FILE, path)

    def looked_into(self, path: str, files: Iterable[str]) -> Iterator[str]:
        """`files`, one after the other; the judgement of `path` rests on all of each that is taken."""
        for file in files:
            self.imports.trail.note_whole(path, file)
            yield file

    # What a judgement rests on

    def used_by(self, path: str) -> tuple[Used, ...]:
        """The other files that the names of `path` led to, over any number of steps, each with a digest of what was
        read of it. While the digests are equal and no file appears that an import looked for in vain, the judgement of
        `path` is the same."""
        return tuple(Used(file, self._digest(file)) for file in self.imports.trail.reached_from(path))

    def parts_read(self, path: str) -> frozenset[int]:
        """The parts of a file that were asked for so far."""
        return frozenset(self._used.get(path, ()))

    def _digest(self, path: str) -> str:
        outline = self.outline(path)
        return digest_of(outline, self._used.get(path, ())) if outline is not None else ""


def _forget_derived(function: Function) -> None:
    function.derived.clear()
    for nested in function.nested:
        _forget_derived(nested)
