"""How tensors lie in memory: the layouts that a value may have, through operations, helpers, modules and loaders.

An argument that nobody is known to fill is taken to be contiguous, as tensors are when they are made. What other
packages return is not known, and of it nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from torchlint.model.evaluation.bound import BoundClosure
from torchlint.model.events import Return, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, has_self, last_name
from torchlint.model.layouts.counts import counted
from torchlint.model.layouts.parts import Parts, Path
from torchlint.model.layouts.sizes import Sizes
from torchlint.model.layouts.steps import NO_OPERANDS, Steps
from torchlint.model.layouts.stride_orders import elementwise
from torchlint.model.layouts.strides import Layout, Size, in_order, open_layout
from torchlint.model.names.names import Value
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Constant,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Subscript,
    Super,
    Term,
)
from torchlint.model.values import Kind

_DEPTH = 4
_MAX_LAYOUTS = 4
# Some blocks of a network, one behind the other: each needs the one before it, and its helpers.
_MAX_NESTED = 60
_COMPARED = frozenset("== != < <= > >= + - * / // % ** & | ^ ~".split())
_AUGMENTED = frozenset("+= -= *= /= //= %= **= &= |= ^=".split())
_NO_TENSORS = NO_OPERANDS - {Kind.UNKNOWN}


@dataclass(slots=True, eq=False)
class Scope:
    """A function as it is entered: `given` are the terms that its parameters stand for, in the scope of the caller.
    keys: of the pairs (by identity) of a dict that are looped over, the key that is asked for."""

    frame: Frame
    given: Mapping[int, tuple[Term, Scope]] = field(default_factory=dict)
    depth: int = _DEPTH
    memo: dict[int, tuple[Layout, ...]] = field(default_factory=dict)
    keys: Mapping[int, int | str] = field(default_factory=dict)

    def around(self) -> Scope | None:
        """The scope of the enclosing function, for a nested one."""
        return Scope(self.frame.outer, {}, self.depth) if self.frame.outer is not None else None

    def entered(self, frame: Frame, given: Mapping[int, tuple[Term, Scope]]) -> Scope:
        """The scope of a function that this one enters."""
        return Scope(frame, given, self.depth - 1)


class Layouts:
    """Finds the layouts of terms; an empty tuple says that nothing is known."""

    def __init__(self) -> None:
        self._nested = 0
        self.sizes = Sizes(self.of, self.kept)
        self.steps = Steps(self)
        self.parts = Parts(self)

    def of(self, term: Term, scope: Scope) -> tuple[Layout, ...]:
        """The layouts that a tensor may have."""
        known = scope.memo.get(id(term))
        if known is not None:
            return known
        if self._nested == _MAX_NESTED:
            return ()
        self._nested += 1
        scope.memo[id(term)] = ()
        found = counted(self._found(term, scope)[:_MAX_LAYOUTS], term, scope.frame.function)
        scope.memo[id(term)] = found
        self._nested -= 1
        return found

    def _found(self, term: Term, scope: Scope) -> tuple[Layout, ...]:
        if isinstance(term, Argument):
            return self._of_argument(term, scope)
        if isinstance(term, Captured):
            around = scope.around()
            return self.of(term.value, around) if around is not None else ()
        if isinstance(term, Attribute):
            return self._of_attribute(term, scope)
        if isinstance(term, Choice):
            return self.joined((self.of(option, scope) for option in _chosen(term)), id(term))
        if isinstance(term, Operation):
            return self._of_operation(term, scope)
        if isinstance(term, Call):
            return self._of_call(term, scope)
        if isinstance(term, Subscript):
            return self.steps.subscript(term, scope) or self.parts.component(term, scope, ())
        if isinstance(term, (Item, Element)):
            return self.parts.component(term, scope, ())
        if isinstance(term, (Global, Imported)):
            value = scope.frame.evaluator.project.names.of_term(term, scope.frame.path)
            if isinstance(value, Value) and scope.depth:
                top = scope.frame.evaluator.frame(value.top, None)
                return self.of(value.term, Scope(top, {}, scope.depth - 1))
        return ()

    def joined(self, parts: Iterable[tuple[Layout, ...]], branch: int) -> tuple[Layout, ...]:
        """The layouts of either branch; each remembers the branching where they differ."""
        found = [layout for part in parts for layout in part]
        if all(layout == found[0] for layout in found):
            return tuple(found[:1])
        return tuple(replace(layout, branches=layout.branches | {branch}) for layout in found)

    def _of_argument(self, term: Argument, scope: Scope) -> tuple[Layout, ...]:
        if term.index in scope.given:
            return self.of(*scope.given[term.index])
        if scope.frame.is_self(term) or scope.frame.value(term).kind in _NO_TENSORS:
            return ()
        return (open_layout(("argument", id(scope.frame.function), term.index)),)

    def _of_attribute(self, term: Attribute, scope: Scope) -> tuple[Layout, ...]:
        if term.known is not None:
            return self.of(term.known, scope)
        found = self.steps.attribute(term, scope)
        if found:
            return found
        if not scope.frame.is_self(term.base):
            return self.parts.component(term.base, scope, (f".{term.name}",))
        kept = self.kept(term, scope)
        if scope.frame.value(term).kind in (Kind.PARAMETER, Kind.BUFFER):
            return self._of_registered(kept) or (open_layout(("attribute", term.name)),)
        return self.of(*kept) if kept is not None else ()

    def _of_registered(self, kept: tuple[Term, Scope] | None) -> tuple[Layout, ...]:
        """The sizes with which a Parameter is made, in plain order: nn.Parameter(bias.unsqueeze(1))."""
        made = kept[0] if kept is not None else None
        if kept is None or not isinstance(made, Call) or last_name(made) != "Parameter" or not made.inputs:
            return ()
        return tuple(map(in_order, self.of(made.inputs[0], kept[1])))

    def kept(self, term: Attribute, scope: Scope) -> tuple[Term, Scope] | None:
        """What an attribute of the object is assigned, in the scope of the method that does it; None where several do,
        or code outside of the class."""
        view = scope.frame.view
        if view is None or not scope.depth or not scope.frame.is_self(term.base):
            return None
        events = ((moment.event, moment.frame) for moment in view.state.writes(term.name))
        found = [(event.value, frame) for event, frame in events if isinstance(event, Write) and not _is_none(event)]
        if len(found) != 1 or term.name in view.project.owners.assigned(view.path):
            return None
        return found[0][0], scope.entered(found[0][1], {})

    def _of_operation(self, term: Operation, scope: Scope) -> tuple[Layout, ...]:
        if term.operator in _AUGMENTED:
            return self.of(term.parts[0], scope)
        if term.operator in ("and", "or"):
            return self.joined((self.of(part, scope) for part in term.parts), id(term))
        if term.operator in ("@", "@="):
            return self.steps.several.product(term.parts, scope)
        return self.combined(term.parts, scope) if term.operator in _COMPARED else ()

    def combined(self, operands: Iterable[Term], scope: Scope) -> tuple[Layout, ...]:
        """The result of an elementwise operation on several operands, of which numbers do not count."""
        tensors = [term for term in operands if not self._is_number(term, scope)]
        if not tensors:
            return ()
        first, others = self.of(tensors[0], scope), [self.of(term, scope) for term in tensors[1:]]
        if not all(others):
            known = (one for one in first if not one.is_expanded and not one.overlaps)
            return tuple(one for one in known if not any(not axis.size for axis in one.axes))
        found = (elementwise([layout, *(other[0] for other in others)]) for layout in first)
        return tuple(layout for layout in found if layout is not None)

    def _is_number(self, term: Term, scope: Scope) -> bool:
        if isinstance(term, Constant):
            return True
        return scope.frame.value(term).kind in NO_OPERANDS

    def sizes_of_view(self, name: str, terms: Sequence[Term], layout: Layout, scope: Scope) -> list[Size | None] | None:
        """The sizes that a view of a tensor asks for, None for -1; None where they are not known."""
        return self.steps.view_sizes(name, terms, layout, scope)

    # Calls

    def _of_call(self, call: Call, scope: Scope) -> tuple[Layout, ...]:
        found = self.steps.call(call, scope)
        if found is not None:
            return found
        inner = self.entered(call, scope)
        return self.returned(inner, ()) if inner is not None else ()

    def returned(self, inner: Scope, path: Path) -> tuple[Layout, ...]:
        """What a function returns, or the part of it at `path`."""
        returns = [e for e in inner.frame.function.events if isinstance(e, Return)]
        return self.joined((self.parts.component(e.value, inner, path) for e in returns), id(inner.frame.function))

    def entered(self, call: Call, scope: Scope) -> Scope | None:
        """The function of the project, or the forward() of its module, as a call enters it; None for any other call."""
        if not scope.depth:
            return None
        frame, evaluator = scope.frame, scope.frame.evaluator
        if isinstance(call.callee, Attribute) and isinstance(call.callee.base, Super):
            above = next(iter(frame.view.callees(call, frame)), None) if frame.view is not None else None
            return self._bound(above, call, scope, 1) if above is not None else None
        value = frame.value(call.callee)
        if value.kind is Kind.MODULE and value.of is not None and value.made_by != "class":
            forward = value.of.method("forward")
            if forward is None:
                return None
            inner = evaluator.bound_frame(forward, value.of, call, frame, receiver=call.callee)
            return self._bound(inner, call, scope, 1)
        if isinstance(value.of, BoundClosure):
            return self._bound(evaluator.nested_frame(value.of.function, value.of.frame), call, scope, 0)
        if not isinstance(value.of, Function):
            return None
        if value.of.owner is None or not has_self(value.of) or not isinstance(call.callee, Attribute):
            return self._bound(evaluator.entered(value.of, call, frame), call, scope, 0)
        owner = frame.value(call.callee.base)
        if frame.is_self(call.callee.base) or owner.kind not in (Kind.OBJECT, Kind.MODULE) or owner.of is None:
            return self._bound(evaluator.entered(value.of, call, frame), call, scope, 1)
        inner = evaluator.bound_frame(value.of, owner.of, call, frame, receiver=call.callee.base)
        return self._bound(inner, call, scope, 1)

    def _bound(self, inner: Frame, call: Call, scope: Scope, offset: int) -> Scope:
        names = {parameter.name: index for index, parameter in enumerate(inner.function.parameters)}
        given = {index + offset: (term, scope) for index, term in enumerate(call.arguments)}
        given |= {names[name]: (term, scope) for name, term in call.keywords if name in names}
        return Scope(inner, given, scope.depth - 1)


def _chosen(choice: Choice) -> tuple[Term, ...]:
    """The options of a choice, without what `x if x.is_contiguous() else x.contiguous()` keeps as it is, and what
    `for layer in layers: x = layer(x)` begins with: there is some layer."""
    calls = [option for option in choice.options if isinstance(option, Call)]
    gone = {
        id(one.callee.base) for one in calls if isinstance(one.callee, Attribute) and last_name(one) == "contiguous"
    }
    through = (one.arguments[0] for one in calls if isinstance(one.callee, Element) and one.arguments)
    gone.update(id(part) for one in through for part in (one.options if isinstance(one, Choice) else (one,)))
    return tuple(option for option in choice.options if id(option) not in gone)


def _is_none(write: Write) -> bool:
    return isinstance(write.value, Constant) and write.value.value is None
