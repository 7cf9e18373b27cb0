"""When is a remembered value renewed? The events that make it stale, and the code of a class that answers them."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from torchlint.model.events import Delete, Evaluated, ItemWrite, Write
from torchlint.model.facts import Function
from torchlint.model.frames import Frame, Moment, called_names, has_self, last_name, self_use
from torchlint.model.terms import Argument, Attribute, Call, Closure, Operation, Subscript, Term, children, mentions
from torchlint.model.values import Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_LOAD_HOOKS = frozenset(
    "register_load_state_dict_post_hook register_load_state_dict_pre_hook _register_load_state_dict_pre_hook".split()
)
_FORWARD_HOOKS = frozenset(("register_forward_pre_hook", "register_forward_hook"))
_BACKWARD_HOOKS = frozenset(
    """
    register_backward_hook register_full_backward_hook register_full_backward_pre_hook register_hook
    register_post_accumulate_grad_hook
    """.split()
)
_VERSION = frozenset({"_version"})
_CHANGES = frozenset("clear pop update popitem copy_ fill_ zero_ set_ __delitem__".split())


class Refresh(Enum):
    """An event after which a value computed earlier from parameters or buffers, or placed on a device, is wrong."""

    TRAIN = "train(True)"
    LOAD = "load_state_dict()"
    CONVERT = ".to()/.half()"


def touched_by(moments: tuple[Moment, ...], name: str, view: ModuleClass) -> bool:
    """True where the walk writes, empties or deletes the attribute `name` of the object."""
    return any(_touches(moment, name, view) for moment in moments)


def _touches(moment: Moment, name: str, view: ModuleClass) -> bool:
    event, frame = moment.event, moment.frame
    if isinstance(event, (Write, Delete)):
        if not _is_object(event.base, frame):
            return _is_attribute(event.base, name, frame) and frame.value(event.base).kind is Kind.OBJECT
        known = event.attribute if isinstance(event.attribute, str) else None
        return name == known if known else name in view.project.evaluator.strings(event.attribute, frame)  # type: ignore[arg-type]
    if isinstance(event, ItemWrite):
        return _is_attribute(event.base, name, frame) or _names_item(event.base, event.index, name, view, frame)
    if isinstance(event, Evaluated) and isinstance(event.term, Call) and isinstance(event.term.callee, Attribute):
        callee = event.term.callee
        if _is_attribute(callee.base, name, frame):
            return callee.name in _CHANGES or _changes_record(callee, frame)
        if callee.name == "register_buffer" and frame.is_self(callee.base) and event.term.arguments:
            return name in view.project.evaluator.strings(event.term.arguments[0], frame)
        return bool(event.term.arguments) and _names_item(callee.base, event.term.arguments[0], name, view, frame)
    return False


def _changes_record(callee: Attribute, frame: Frame) -> bool:
    """True for a method of a plain object that assigns to it: self.cache.empty()."""
    held = frame.value(callee.base)
    method = held.of.method(callee.name) if held.kind is Kind.OBJECT and held.of is not None else None
    return method is not None and bool(self_use(method).writes)


def _is_attribute(term: Term, name: str, frame: Frame) -> bool:
    """True for self.name, self.name.data and self.name[..]."""
    if isinstance(term, Attribute) and term.name == "data":
        term = term.base
    if isinstance(term, Subscript):
        term = term.base
    return isinstance(term, Attribute) and term.name == name and _is_object(term.base, frame)


def _is_object(term: Term, frame: Frame) -> bool:
    """True for self, and for what super()._apply(fn) returns."""
    is_returned = isinstance(term, Call) and isinstance(term.callee, Attribute) and term.callee.name == "_apply"
    return frame.is_self(term) or is_returned


def _names_item(base: Term, key: Term, name: str, view: ModuleClass, frame: Frame) -> bool:
    """True for self.__dict__[name], self._buffers.pop(name) and their like."""
    registries = ("__dict__", "_buffers", "_parameters", "_modules")
    is_registry = isinstance(base, Attribute) and base.name in registries and frame.is_self(base.base)
    return is_registry and name in view.project.evaluator.strings(key, frame)


def answers_load(view: ModuleClass, name: str) -> bool:
    """True where a load renews the attribute: _load_from_state_dict, or a load hook that the class registers.

    An overridden load_state_dict() is no answer: a parent's load calls the child's _load_from_state_dict.
    """
    return touched_by(load_moments(view), name, view)


def load_moments(view: ModuleClass) -> tuple[Moment, ...]:
    """What happens to the object in a load, of it alone or of a parent: `_load_from_state_dict` and the load hooks."""
    hooked = (moment for hook in _load_hooks(view) for moment in view.walk_frame(hook))
    return (*view.walk("_load_from_state_dict"), *hooked)


def answers_conversion(view: ModuleClass, name: str) -> bool:
    """True where _apply, which every .to(), .half() and .cuda() of any parent reaches, renews the attribute, or an
    owner's does."""
    return touched_by(view.walk("_apply"), name, view) or name in view.project.owners.moved(view.path)


def _load_hooks(view: ModuleClass) -> list[Frame]:
    """The functions registered to run before or after a load, with the module as their first argument."""
    return _hooks(view, _LOAD_HOOKS)


def forward_hooks(view: ModuleClass) -> list[Frame]:
    """The same for those that run before or after forward."""
    return _hooks(view, _FORWARD_HOOKS)


def _hooks(view: ModuleClass, registering: frozenset[str]) -> list[Frame]:
    hooks: list[Frame] = []
    for function in view.methods:
        if registering.isdisjoint(called_names(function)):
            continue
        frame = view.frame(function)
        for event in self_use(function).steps:
            term = event.term if isinstance(event, Evaluated) else None
            if (
                isinstance(term, Call)
                and isinstance(term.callee, Attribute)
                and term.callee.name in registering
                and (registering is _LOAD_HOOKS or frame.is_self(term.callee.base))
                and term.inputs
            ):
                hooks += _hook_frames(term.inputs[0], frame, view)
    return hooks


def runs_in_backward_alone(function: Function, view: ModuleClass) -> bool:
    """True for a method that is a hook of the backward pass and that no method calls: evaluation never runs it."""
    name, is_hook = function.name, False
    for method in view.methods:
        names = called_names(method)
        if name in names:
            return False
        for call in method.calls if names & _BACKWARD_HOOKS else ():
            is_hook = is_hook or (
                last_name(call) in _BACKWARD_HOOKS
                and any(isinstance(term, Attribute) and term.name == name for term in call.inputs)
            )
    return is_hook


def _hook_frames(term: Term, frame: Frame, view: ModuleClass) -> list[Frame]:
    evaluator = view.project.evaluator
    itself = TensorValue(Kind.MODULE, made_by="self", of=view)
    if isinstance(term, Closure):
        return [evaluator.nested_frame(frame.function.nested[term.index], frame, {0: itself})]
    if isinstance(term, Attribute) and frame.is_self(term.base):
        method = view.method(term.name)
        if method is None:
            return []
        # A static method gets the module as its first argument; a bound one has it already.
        return [evaluator.frame(method, view) if has_self(method) else Frame(evaluator, method, view, {0: itself})]
    target = evaluator.value(term, frame).of
    return [Frame(evaluator, target, view, {0: itself})] if isinstance(target, Function) else []


def runs_in_mode(moment: Moment) -> bool | None:
    """Whether the event runs only in train(True) (True), only in eval mode (False), or in both or either (None)."""
    for region, frame in moment.guards():
        found = _mode(region.subject, frame, holds=region.holds)
        if found is not None:
            return found
    return None


def _mode(term: Term, frame: Frame, *, holds: bool) -> bool | None:
    if (
        isinstance(term, Argument)
        and term.name in ("mode", "training", "is_training", "train")
        and not frame.is_self(term)
    ):
        return holds
    if isinstance(term, Attribute) and term.name == "training" and frame.is_self(term.base):
        return holds
    if isinstance(term, Operation) and term.operator == "not":
        return _mode(term.parts[0], frame, holds=not holds)
    if isinstance(term, Operation) and ((term.operator == "and" and holds) or (term.operator == "or" and not holds)):
        # The argument is the mode to come, `self.training` may be the one before.
        parts = sorted(term.parts, key=lambda part: isinstance(part, Attribute))
        return next((m for m in (_mode(part, frame, holds=holds) for part in parts) if m is not None), None)
    return None


def deciding_attributes(moment: Moment) -> frozenset[str]:
    """The attributes of the object, other than `training`, whose test decides on an event: to set one is to renew."""
    names: set[str] = set()
    for region, frame in moment.guards():
        _collect_attributes(region.subject, frame, names, depth=8)
    return frozenset(names - {"training"})


def _collect_attributes(term: Term, frame: Frame, names: set[str], depth: int) -> None:
    if isinstance(term, Attribute) and frame.is_self(term.base):
        names.add(term.name)
    if depth:
        for part in children(term):
            _collect_attributes(part, frame, names, depth - 1)


def has_version_key(moment: Moment) -> bool:
    """True where a test of a tensor's `_version` decides on the store: it notices in-place writes and loads, not
    conversions."""
    return any(mentions(region.subject, _VERSION) for region, _ in moment.guards())
