"""ModuleClass: a class with its bases linked, and the questions that rules ask of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.knowledge.modules import CONSTRUCTION_HOOKS, is_module_class
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import ClassFacts, Function
from torchlint.model.frames import Frame, Moment, is_decorated, last_name, self_use
from torchlint.model.state import State
from torchlint.model.terms import Attribute, Call, Global, Imported, Super
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.project import Project, Resolved

_MAX_ANCESTORS = 64
_MAX_CALL_DEPTH = 10
_MAX_VISITS = 3


class ModuleClass:
    """A class of the project as seen from itself: overridden methods, inherited state, what construction leaves behind.

    A base that cannot be found counts as unknown: then the class is a module only on evidence, and `is_certain` is
    False.
    """

    def __init__(self, facts: ClassFacts, project: Project) -> None:
        self.facts = facts
        self.project = project
        self.name = facts.name
        self.path = facts.path

    def __repr__(self) -> str:
        return f"ModuleClass({self.facts.qualname})"

    @property
    def span(self) -> Span:
        """The class statement."""
        return Span(self.path, *self.facts.place)

    # Bases

    @cached_property
    def _bases(self) -> tuple[tuple[ModuleClass, ...], tuple[str, ...]]:
        """The direct bases that the project defines, and the dotted names of the others."""
        known: list[ModuleClass] = []
        foreign: list[str] = []
        for term in self.facts.bases:
            found = self.project.resolve_term(term, self.path)
            if isinstance(found, ClassFacts) and found is not self.facts:
                known.append(self.project.linked(found))
            else:
                foreign.append(getattr(found, "name", "") or "unknown")
        return tuple(known), tuple(foreign)

    @cached_property
    def ancestors(self) -> tuple[ModuleClass, ...]:
        """This class and the bases that the project defines, in method resolution order."""
        return self._linearized(())

    def _linearized(self, inside: tuple[int, ...]) -> tuple[ModuleClass, ...]:
        if id(self) in inside or len(inside) > _MAX_ANCESTORS:
            return ()
        found: list[ModuleClass] = []
        for base in self._bases[0]:
            lines = base.__dict__.get("ancestors") or base._linearized((*inside, id(self)))
            found.extend(lines)
        # Each ancestor stands where it is named last, so that a shared base comes after all that derive from it.
        last = {id(ancestor): position for position, ancestor in enumerate(found)}
        return (self, *(a for position, a in enumerate(found) if last[id(a)] == position and a is not self))

    @cached_property
    def foreign_bases(self) -> tuple[str, ...]:
        """The dotted names of the bases that the project does not define, over the whole chain."""
        return tuple(name for ancestor in self.ancestors for name in ancestor._bases[1])

    @cached_property
    def is_certain(self) -> bool:
        """True where a base is known to be nn.Module, or derived from it by a known library."""
        return any(is_module_class(name) for name in self.foreign_bases)

    @cached_property
    def is_module(self) -> bool:
        """True for a class that derives from nn.Module, surely or (an unknown base) on evidence."""
        return self.is_certain or (self._has_unknown_base and self._looks_like_module)

    @property
    def _has_unknown_base(self) -> bool:
        plain = (
            "builtins.",
            "abc.",
            "typing.",
            "enum.",
            "dataclasses.",
            "collections.",
            "torch.utils.",
            "torch.optim.",
            "torch.autograd.",
        )
        return any(not name.startswith(plain) for name in self.foreign_bases)

    @property
    def _looks_like_module(self) -> bool:
        """super().__init__(), a registration, and forward."""
        init = self.method("__init__")
        if init is None or self.method("forward") is None:
            return False
        calls = [event.term for event in init.events if isinstance(event, Evaluated) and isinstance(event.term, Call)]
        callees = [call.callee for call in calls]
        calls_super = any(
            isinstance(c, Attribute) and isinstance(c.base, Super) and c.name == "__init__" for c in callees
        )
        registers = any(
            (isinstance(c, Attribute) and c.name in ("register_buffer", "register_parameter"))
            or (isinstance(c, Imported) and (is_module_class(c.name) or c.name.endswith("nn.Parameter")))
            for c in callees
        )
        return calls_super and registers

    # Methods

    def method(self, name: str) -> Function | None:
        """The method that a call of `name` runs, own or inherited."""
        return next((a.facts.methods[name] for a in self.ancestors if name in a.facts.methods), None)

    def method_after(self, owner: Function, name: str) -> Function | None:
        """The method that super().name runs in a method written in the class of `owner`."""
        after = self.ancestors[self.depth_of(owner) + 1 :]
        return next((a.facts.methods[name] for a in after if name in a.facts.methods), None)

    def depth_of(self, method: Function) -> int:
        """How far up the class of a method stands: 0 for this class; beyond all ancestors for one of none of them."""
        found = (i for i, a in enumerate(self.ancestors) if any(method is own for own in a.facts.methods.values()))
        return next(found, len(self.ancestors))

    @cached_property
    def methods(self) -> tuple[Function, ...]:
        """Every method that can run on an instance: visible ones, and those that they reach through super()."""
        found: dict[int, Function] = {}
        for ancestor in self.ancestors:
            for name, function in ancestor.facts.methods.items():
                if self.method(name) is function or self._is_called_by_super(name, function):
                    found[id(function)] = function
        return tuple(found.values())

    def _is_called_by_super(self, name: str, function: Function) -> bool:
        overriding = self.method(name)
        return overriding is not None and any(
            isinstance(event, Evaluated)
            and isinstance(event.term, Call)
            and isinstance(event.term.callee, Attribute)
            and isinstance(event.term.callee.base, (Super, Global, Imported))
            and event.term.callee.name == name
            for event in overriding.events
        )

    def frame(self, function: Function) -> Frame:
        """A method of this class with open parameters."""
        return self.project.evaluator.frame(function, self)

    @cached_property
    def is_initialised(self) -> bool:
        """False for a class whose construction never runs nn.Module's own: such an object cannot be moved at all."""
        init = self.method("__init__")
        if init is None or "__new__" in self.facts.methods:
            return True
        calls = (
            m.event.term for m in self.construction if isinstance(m.event, Evaluated) and isinstance(m.event.term, Call)
        )
        return any(last_name(call.callee) == "__init__" for call in calls) or not self.is_certain

    # Walks

    def walk(self, *names: str) -> tuple[Moment, ...]:
        """What happens to the object when the named methods run, calls on itself included, in order."""
        moments: list[Moment] = []
        visits: dict[int, int] = {}
        for name in names:
            function = self.method(name)
            if function is not None:
                self._enter(self.frame(function), None, moments, visits)
        return tuple(moments)

    def walk_frame(self, frame: Frame) -> tuple[Moment, ...]:
        """The same from a frame, such as a hook with its module bound."""
        moments: list[Moment] = []
        self._enter(frame, None, moments, {})
        return tuple(moments)

    def _enter(self, frame: Frame, caller: Moment | None, moments: list[Moment], visits: dict[int, int]) -> None:
        visits[id(frame.function)] = visits.get(id(frame.function), 0) + 1
        depth = len(caller.functions()) if caller else 0
        for event in self_use(frame.function).steps:
            moment = Moment(event, frame, caller)
            moments.append(moment)
            setter = self._setter_frame(event, frame)
            if setter is not None and depth <= _MAX_CALL_DEPTH and visits.get(id(setter.function), 0) < _MAX_VISITS:
                self._enter(setter, moment, moments, visits)
            if not isinstance(event, Evaluated) or not isinstance(event.term, Call) or depth > _MAX_CALL_DEPTH:
                continue
            for callee in self.callees(event.term, frame):
                inside = caller is not None and any(f.function is callee.function for f in caller.functions())
                if (
                    not inside
                    and callee.function is not frame.function
                    and visits.get(id(callee.function), 0) < _MAX_VISITS
                ):
                    self._enter(callee, moment, moments, visits)

    def has_setter(self, name: str) -> bool:
        """True where an assignment to the attribute runs a property's setter."""
        return self.method(f"{name}.setter") is not None

    def _setter_frame(self, event: Event, frame: Frame) -> Frame | None:
        """The property setter that a write runs, with the value bound."""
        if not isinstance(event, Write) or not isinstance(event.attribute, str) or not frame.is_self(event.base):
            return None
        setter = self.method(f"{event.attribute}.setter")
        if setter is None or setter is frame.function:
            return None
        return Frame(self.project.evaluator, setter, self, {1: frame.value(event.value)}, depth=frame.depth + 1)

    def callees(self, call: Call, frame: Frame) -> Iterator[Frame]:
        """The functions of the project that a call made on, or passing, this object enters."""
        evaluator, callee = self.project.evaluator, call.callee
        if isinstance(callee, Attribute) and isinstance(callee.base, Super):
            target = self.method_after(frame.method, callee.name)
            if target is not None:
                yield evaluator.bound_frame(target, self, call, frame, receiver=callee.base)
        elif isinstance(callee, Attribute) and frame.is_self(callee.base):
            target = self.method(callee.name)
            if target is not None and not is_decorated(target, "property"):
                yield evaluator.bound_frame(target, self, call, frame, receiver=callee.base)
        elif any(frame.is_self(term) for term in call.inputs):
            found: Resolved | None = self.project.resolve_term(callee, frame.path)
            if isinstance(found, Function):
                yield evaluator.bound_frame(found, self, call, frame, receiver=None)

    # State

    @cached_property
    def construction(self) -> tuple[Moment, ...]:
        """What happens while an instance is built: __init__, what it reaches, and the framework's configure hooks."""
        return self.walk("__init__", *(hook for hook in CONSTRUCTION_HOOKS if self.method(hook)))

    @cached_property
    def construction_functions(self) -> frozenset[int]:
        """The identities of the functions that construction runs."""
        return frozenset(id(moment.frame.function) for moment in self.construction)

    @cached_property
    def only_building(self) -> frozenset[int]:
        """The functions that run in construction alone: no other method calls them, and none is an entry."""
        building = self.construction_functions
        later: set[int] = set()
        for function in self.methods:
            if id(function) not in building or function.name == "forward":
                later.add(id(function))
                later.update(id(moment.frame.function) for moment in self.walk_frame(self.frame(function)))
        return frozenset(building - later)

    @cached_property
    def state(self) -> State:
        """The attributes of an instance: registered or plain, what they hold, who reads them."""
        return State(self)
