"""ModuleClass: a class with its bases linked, and the questions that rules ask of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.knowledge.modules import CONSTRUCTION_HOOKS, is_library_base, is_module_class, is_plain_class
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import ClassFacts, ClassOutline, Function
from torchlint.model.frames import Frame, Moment, is_decorated, last_name, self_use
from torchlint.model.project import External, Value
from torchlint.model.state import State
from torchlint.model.terms import Argument, Attribute, Call, Display, Global, Imported, Super, Term
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.project import Project, Resolved

_MAX_CALL_DEPTH = 10
_MAX_VISITS = 3


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
        options = self.project.alternatives(term, path)
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
        maker = self.project.resolve_term(call.callee, path)
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
            is_library_base(ancestor.dotted) or self.project.imports.is_torch_itself(ancestor.path)
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
        return next(self._bodies(name, self.ancestors), None)

    @staticmethod
    def _bodies(name: str, ancestors: Iterable[ModuleClass]) -> Iterator[Function]:
        """The methods of a name, nearest first; only the classes that have one are read."""
        for ancestor in ancestors:
            if name in ancestor.outline.methods and name in ancestor.facts.methods:
                yield ancestor.facts.methods[name]

    def method_after(self, owner: Function, name: str) -> Function | None:
        """The method that super().name runs in a method written in the class of `owner`."""
        after = self.ancestors[self.depth_of(owner) + 1 :]
        return next(self._bodies(name, after), None)

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
        if init is None or "__new__" in self.outline.methods:
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
