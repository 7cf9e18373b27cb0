"""ModuleClass: a class with its bases linked, and the questions that rules ask of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.knowledge.modules import CONSTRUCTION_HOOKS, is_library_base, is_module_class, is_plain_class
from torchlint.model.evaluation.operators import of_constant
from torchlint.model.events import Evaluated, Event, ItemWrite, Write
from torchlint.model.facts import ClassFacts, ClassOutline, Function
from torchlint.model.flow.entering import Entering
from torchlint.model.frames import Frame, Moment, is_decorated, last_name, self_use, static_function
from torchlint.model.modules.state import State
from torchlint.model.names.decorated import Wrapper, wrappers
from torchlint.model.names.names import External, Value
from torchlint.model.terms import Argument, Attribute, Call, Captured, Display, Global, Imported, Super, Term
from torchlint.model.values import TensorValue
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.names.names import Resolved
    from torchlint.model.project import Project

_MAX_CALL_DEPTH = 10
# How often a walk enters a function: with the same arguments, and in all.
_MAX_VISITS = 3
_MAX_VISITS_IN_ALL = 32


class ModuleClass:
    """A class of the project as seen from itself: overridden methods, inherited state, what construction leaves behind.

    A base that cannot be found counts as unknown: then the class is a module only on evidence, and `is_certain` is
    False.
    """

    def __init__(self, outline: ClassOutline, project: Project) -> None:
        self.outline = outline
        self.project = project
        self.name = outline.name
        self.qualname = outline.qualname
        self.path = outline.path
        self._is_linking = False
        self._is_circular = False

    def __repr__(self) -> str:
        return f"ModuleClass({self.qualname})"

    @property
    def span(self) -> Span:
        """The class statement."""
        return Span(self.path, *self.outline.place)

    @property
    def dotted(self) -> str:
        """The name by which other packages know the class: "timm.layers.mlp.Mlp"."""
        return f"{self.project.imports.package(self.path)}.{self.qualname}"

    @cached_property
    def facts(self) -> ClassFacts:
        """The body of the class, read when it is asked for."""
        return self.project.class_facts(self.outline)

    # Bases

    @cached_property
    def _bases(self) -> tuple[tuple[ModuleClass, ...], tuple[str, ...]]:
        """The direct bases that some file defines, and the dotted names of the others."""
        known: list[ModuleClass] = []
        foreign: list[str] = []
        self._is_linking = True
        for found in (base for term in self.outline.bases for base in self._bases_of(term, self.path)):
            if isinstance(found, ModuleClass) and not found._is_linking:
                known.append(found)
            else:
                foreign.append(getattr(found, "name", "") if isinstance(found, External) else "unknown.base")
        self._is_linking = False
        return tuple(dict.fromkeys(known)), tuple(foreign)

    def _bases_of(self, term: Term, path: str) -> list[Resolved | None]:
        """What a base in the class statement stands for: one class, or all the options of a choice among modules."""
        if isinstance(term, Call):
            return self._bases_made(term, path)
        options = self.project.names.options_of(term, path)
        options = [made for option in options for made in self._bases_held(option)]
        if len(options) < 2:
            return options
        modules = [option for option in options if _is_module(option)]
        others = [option for option in options if not _is_module(option)]
        if modules and any(_is_plain(option) and not _is_object(option) for option in others):
            return [None]
        # An optional dependency that is not there leaves a stand-in, which says nothing.
        return modules or sorted(others, key=_is_plain)[:1]

    def _bases_held(self, found: Resolved | None) -> list[Resolved | None]:
        """The class that a name's value is, where the name stands for a value."""
        if not isinstance(found, Value):
            return [found]
        if isinstance(found.term, Call):
            return self._bases_made(found.term, found.path)
        value = self.project.evaluator.value(found.term, self.project.evaluator.frame(found.top, None))
        return [value.of if value.made_by == "class" and isinstance(value.of, ModuleClass) else None]

    def _bases_made(self, call: Call, path: str) -> list[Resolved | None]:
        """The class that a call makes, and the classes that it makes it from."""
        name = last_name(call.callee)
        if name == "with_metaclass":
            return [base for term in call.arguments[1:] for base in self._bases_of(term, path)]
        if name == "type" and len(call.arguments) == 3 and isinstance(call.arguments[1], Display):
            return [base for term in call.arguments[1].parts for base in self._bases_of(term, path)]
        maker = self.project.names.of_term(call.callee, path)
        if isinstance(maker, External):
            return [maker if is_plain_class(maker.name) else None]
        if not isinstance(maker, Function):
            return [None]
        made = self.project.evaluator.returned(self.project.evaluator.frame(maker, None))
        if made.made_by != "class" or not isinstance(made.of, ModuleClass):
            return [None]
        given = (
            call.arguments[base.index]
            for base in made.of.outline.bases
            if isinstance(base, Argument) and base.index < len(call.arguments)
        )
        return [made.of, *(base for term in given for base in self._bases_of(term, path))]

    @cached_property
    def ancestors(self) -> tuple[ModuleClass, ...]:
        """This class and the bases that some file defines, in method resolution order; bases first, without
        recursion, so that any depth will do."""
        waiting: list[ModuleClass] = [self]
        entered: set[int] = set()
        while waiting:
            one = waiting[-1]
            fresh = [base for base in one._bases[0] if id(base) not in entered and "ancestors" not in base.__dict__]
            if id(one) not in entered and fresh:
                entered.add(id(one))
                waiting.extend(fresh)
                continue
            entered.add(id(one))
            waiting.pop()
            if one is not self:
                one.__dict__.setdefault("ancestors", one._linearized())
        return self._linearized()

    def _linearized(self) -> tuple[ModuleClass, ...]:
        """The order of Python (C3) of this class, from that of its bases; a base that needs this class first (a circle
        of names) is left out."""
        bases = [base for base in self._bases[0] if "ancestors" in base.__dict__ and self not in base.ancestors]
        self._is_circular = len(bases) < len(self._bases[0])
        lines = [list(base.ancestors) for base in bases] + [list(bases)]
        order = [self]
        while lines := [line for line in lines if line]:
            behind = {id(one) for line in lines for one in line[1:]}
            # Python refuses a class without such a head; the first will do for one that we only think is so.
            head = next((line[0] for line in lines if id(line[0]) not in behind), lines[0][0])
            order.append(head)
            lines = [[one for one in line if one is not head] for line in lines]
        return tuple(order)

    @cached_property
    def foreign_bases(self) -> tuple[str, ...]:
        """The dotted names of the bases that no file defines, over the whole chain."""
        circles = ("unknown.circle" for ancestor in self.ancestors if ancestor._is_circular)
        return (*(name for ancestor in self.ancestors for name in ancestor._bases[1]), *circles)

    @cached_property
    def is_certain(self) -> bool:
        """True where a base is known to be nn.Module, or derived from it by a known library."""
        return any(is_module_class(name) for name in self.foreign_bases) or any(
            is_library_base(ancestor.dotted)
            or (ancestor.qualname == "Module" and self.project.imports.defines_module(ancestor.path))
            for ancestor in self.ancestors
        )

    @cached_property
    def is_module(self) -> bool:
        """True for a class that derives from nn.Module, surely or (an unknown base) on evidence."""
        return self.is_certain or (self.has_unknown_base and self._looks_like_module)

    @property
    def has_unknown_base(self) -> bool:
        """True where some base, however far up, is not known to be a module or to be none."""
        return any(not is_plain_class(name) for name in self.foreign_bases)

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
        known = self._known_methods
        if name not in known:
            known[name] = next(self._bodies(name, self.ancestors), None)
        return known[name]

    @cached_property
    def _known_methods(self) -> dict[str, Function | None]:
        return {}

    @staticmethod
    def _bodies(name: str, ancestors: Iterable[ModuleClass]) -> Iterator[Function]:
        """The methods of a name, nearest first, `name = staticmethod(function)` among them; only the classes that have
        one are read."""
        for ancestor in ancestors:
            if name in ancestor.outline.methods and name in ancestor.facts.methods:
                yield ancestor.facts.methods[name]
            elif name in ancestor.outline.values:
                held = static_function(ancestor.facts.values.get(name))
                found = ancestor.project.names.of_term(held, ancestor.path) if held is not None else None
                if isinstance(found, Function):
                    yield found

    def method_after(self, owner: Function, name: str, base: Super) -> Function | None:
        """The method that `name` of `base`, a super(), runs in a method written in the class of `owner`."""
        after = self.ancestors[self._depth_of_super(owner, base) + 1 :]
        return next(self._bodies(name, after), None)

    def _depth_of_super(self, owner: Function, base: Super) -> int:
        """How far up the class stands that a super() names: super(Base, self) goes past Base."""
        named = self.project.names.of_term(base.after, owner.path) if base.after is not None else None
        found = (depth for depth, ancestor in enumerate(self.ancestors) if ancestor is named)
        return next(found, self.depth_of(owner))

    def depth_of(self, method: Function) -> int:
        """How far up the class of a method stands: 0 for this class; beyond all ancestors for one of none of them."""
        names = (method.name, f"{method.name}.setter")
        for position, ancestor in enumerate(self.ancestors):
            is_owner = ancestor.path == method.path and ancestor.qualname == method.owner
            if is_owner and any(ancestor.facts.methods.get(name) is method for name in names):
                return position
        return len(self.ancestors)

    @cached_property
    def methods(self) -> tuple[Function, ...]:
        """Every method that can run on an instance: visible ones, and those that they reach through super()."""
        found: dict[int, Function] = {}
        for ancestor in self.ancestors:
            for name, function in ancestor.facts.methods.items():
                if self.method(name) is function:
                    waiting = [function]
                    while waiting:
                        one = waiting.pop()
                        if id(one) not in found:
                            found[id(one)] = one
                            waiting += self._overridden_by(name, one)
        return tuple(found.values())

    def _overridden_by(self, name: str, function: Function) -> list[Function]:
        """The methods of the same name that a method calls, by super() or by the name of a base."""
        found: list[Function | None] = []
        for callee in (call.callee for call in function.calls):
            if not isinstance(callee, Attribute) or callee.name != name:
                continue
            if isinstance(callee.base, Super):
                found.append(self.method_after(function, name, callee.base))
            elif isinstance(callee.base, (Global, Imported)):
                base = self.project.names.of_term(callee.base, function.path)
                found.append(base.method(name) if isinstance(base, ModuleClass) else None)
        return [one for one in found if one is not None]

    def frame(self, function: Function) -> Frame:
        """A method of this class with open parameters."""
        return self.project.evaluator.frame(function, self)

    @cached_property
    def is_initialised(self) -> bool:
        """False for a class whose construction never runs nn.Module's own: such an object cannot be moved at all."""
        init = self.method("__init__")
        if init is None or "__new__" in self.outline.methods:
            return True
        calls = (
            m.event.term for m in self.construction if isinstance(m.event, Evaluated) and isinstance(m.event.term, Call)
        )
        return any(last_name(call.callee) == "__init__" for call in calls) or not self.is_certain

    # Walks

    def walk(self, *names: str) -> tuple[Moment, ...]:
        """What happens to the object when the named methods run, calls on itself included, in order."""
        known = self._known_walks.get(names)
        if known is None:
            known = self._walk(names)
            # In the middle of an evaluation some values are not there yet, and the walk is not the last word.
            if not self.project.evaluator.is_evaluating:
                self._known_walks[names] = known
        return known

    @cached_property
    def _known_walks(self) -> dict[tuple[str, ...], tuple[Moment, ...]]:
        return {}

    def _walk(self, names: tuple[str, ...]) -> tuple[Moment, ...]:
        moments: list[Moment] = []
        visits: dict[int, int] = {}
        for name in names:
            function = self.method(name)
            if function is not None:
                self._enter(self.frame(function), None, moments, visits)
        return tuple(moments)

    def walk_frame(self, frame: Frame) -> tuple[Moment, ...]:
        """The same from a frame, such as a hook with its module bound."""
        evaluator = self.project.evaluator
        known = evaluator.walks.get((id(self), id(frame)))
        if known is None:
            moments: list[Moment] = []
            self._enter(frame, None, moments, {})
            known = (frame, tuple(moments))
            if not evaluator.is_evaluating:
                evaluator.walks[id(self), id(frame)] = known
        return known[1]

    def _enter(self, frame: Frame, caller: Moment | None, moments: list[Moment], visits: dict[int, int]) -> None:
        visits[id(frame)] = visits.get(id(frame), 0) + 1
        visits[id(frame.function)] = visits.get(id(frame.function), 0) + 1
        callers = (frame, *(caller.functions() if caller else ()))
        may_enter = len(callers) <= _MAX_CALL_DEPTH + 1
        for event, entered in self._steps(frame) if may_enter else ((e, ()) for e in self_use(frame.function).steps):
            moment = Moment(event, frame, caller)
            moments.append(moment)
            for callee in entered:
                inside = any(one.function is callee.function for one in callers)
                if not inside and _may_visit(callee, visits):
                    self._enter(callee, moment, moments, visits)

    def _steps(self, frame: Frame) -> Iterable[tuple[Event, tuple[Frame, ...]]]:
        """The steps of a function, each with the functions that it enters; worked out once in each frame."""
        evaluator = self.project.evaluator
        known = evaluator.steps.get((id(self), id(frame)))
        if known is None:
            steps = [(event, tuple(self._entered(event, frame))) for event in self_use(frame.function).steps]
            known = (frame, steps)
            if not evaluator.is_evaluating:
                evaluator.steps[id(self), id(frame)] = known
        return known[1]

    def _entered(self, event: Event, frame: Frame) -> Iterator[Frame]:
        """The functions of the project that an event runs on this object."""
        if isinstance(event, Write) and frame.is_self(event.base):
            yield from self._entered_by_write(event, frame)
        elif isinstance(event, ItemWrite) and event.operator == "=" and frame.is_self(event.base):
            setter = self.method("__setitem__")
            if setter is not None:
                yield self._bound(setter, {1: frame.value(event.index), 2: frame.value(event.value)}, frame)
        elif isinstance(event, Evaluated) and isinstance(event.term, Call):
            yield from self.callees(event.term, frame)

    def _entered_by_write(self, event: Write, frame: Frame) -> Iterator[Frame]:
        """The property setter, or the __setattr__ that registers, with what they are given."""
        if not isinstance(event.attribute, str):
            return
        setter = self.method(f"{event.attribute}.setter")
        if setter is not None:
            yield self._bound(setter, {1: frame.value(event.value)}, frame)
        elif self.state.registers_itself and (replaced := self.method("__setattr__")) is not None:
            yield self._bound(replaced, {1: of_constant(event.attribute), 2: frame.value(event.value)}, frame)

    def _bound(self, function: Function, arguments: dict[int, TensorValue], caller: Frame) -> Frame:
        return Frame(self.project.evaluator, function, self, arguments, depth=caller.depth + 1)

    def has_setter(self, name: str) -> bool:
        """True where an assignment to the attribute runs a property's setter."""
        return self.method(f"{name}.setter") is not None

    def callees(self, call: Call, frame: Frame) -> Iterator[Frame]:
        """The functions of the project that a call made on, or passing, this object enters."""
        for function, receiver in self._called(call, frame):
            yield self.project.evaluator.bound_frame(function, self, call, frame, receiver=receiver)

    def functions_called(self, call: Call, frame: Frame) -> Iterator[Function]:
        """The same functions, where what they are given does not matter: no argument is evaluated."""
        return (function for function, _ in self._called(call, frame))

    def _called(self, call: Call, frame: Frame) -> Iterator[tuple[Function, Term | None]]:
        """The functions that a call enters, each with the term whose method it is; None for a plain function."""
        callee = call.callee
        if isinstance(callee, Attribute) and isinstance(callee.base, Super):
            target = self.method_after(frame.method, callee.name, callee.base)
            if target is not None:
                yield target, callee.base
        elif isinstance(callee, Attribute) and frame.is_self(callee.base):
            target = self.method(callee.name)
            if target is not None and not is_decorated(target, "property"):
                yield target, callee.base
        elif any(frame.is_self(term) for term in call.inputs):
            is_captured = isinstance(callee, Captured)
            found = frame.value(callee).of if is_captured else self.project.names.of_term(callee, frame.path)
            if isinstance(found, Function):
                yield found, None

    @cached_property
    def wrappers(self) -> tuple[Wrapper, ...]:
        """What decorators of the project put in the place of methods."""
        return tuple(wrappers(self)) if any(method.decorators for method in self.methods) else ()

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
        # A function that only reads the object leaves no moment of its own.
        frames = {id(moment.frame): moment.frame for moment in self.construction}
        entered = (inner for frame in frames.values() for _, inners in self._steps(frame) for inner in inners)
        building = self.construction_functions | {id(inner.function) for inner in entered}
        starts = [one for one in self.methods if id(one) not in building or one.name == "forward"]
        alone = building - {id(function) for function in starts}
        leading = self.entering.leading_into(starts, alone)
        for function in self.entering.nearest_first(starts, alone) if leading else ():
            if id(function) in leading:
                reached = {id(moment.frame.function) for moment in self.walk_frame(self.frame(function))}
                if not alone.isdisjoint(reached):
                    # What was found here need not be sought elsewhere: many walks are spared.
                    alone -= reached
                    leading = self.entering.leading_into(starts, alone)
        return frozenset(alone)

    @cached_property
    def entering(self) -> Entering:
        """Which functions the methods may run on the object, by names alone."""
        return Entering(self)

    def forget_evaluations(self) -> None:
        """Drop what holds evaluated terms; it is found again when it is asked for."""
        for name in ("construction", "state", "entering", "wrappers", "_known_walks"):
            self.__dict__.pop(name, None)

    @cached_property
    def state(self) -> State:
        """The attributes of an instance: registered or plain, what they hold, who reads them."""
        return State(self)


def _is_module(base: Resolved | None) -> bool:
    return (
        base.is_module if isinstance(base, ModuleClass) else isinstance(base, External) and is_module_class(base.name)
    )


def _is_plain(base: Resolved | None) -> bool:
    if isinstance(base, ModuleClass):
        return not base.is_module and not base.has_unknown_base
    return isinstance(base, External) and is_plain_class(base.name)


def _is_object(base: Resolved | None) -> bool:
    return isinstance(base, External) and base.name == "builtins.object"


def _may_visit(frame: Frame, visits: dict[int, int]) -> bool:
    return visits.get(id(frame), 0) < _MAX_VISITS and visits.get(id(frame.function), 0) < _MAX_VISITS_IN_ALL
