"""Initialisation: the order in which a constructor assigns state and runs that of nn.Module."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING

from torchlint.knowledge.modules import is_module_class, is_plain_class
from torchlint.model.evaluation.conditions import is_ruled_out
from torchlint.model.events import Evaluated, Write
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.modules.registration import registered_by_value
from torchlint.model.names.annotations import annotated
from torchlint.model.names.names import External
from torchlint.model.terms import Argument, Attribute, Call, Constant, Imported, Subscript, Super, Term
from torchlint.model.values import TENSORS, Kind, strings_of
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass
    from torchlint.model.names.names import Resolved

_REGISTERS = frozenset("register_buffer register_parameter register_module add_module".split())
# Only a Module has these: an argument on which they are called is one.
_ONLY_OF_MODULES = frozenset("parameters named_parameters modules named_modules children named_children".split())
_GENERATES_INIT = frozenset(
    "dataclasses.dataclass attr.s attr.attrs attr.dataclass attr.define attr.mutable attrs.define attrs.mutable".split()
)
_NO_FIELDS = frozenset(("ClassVar", "InitVar"))


class EarlyKind(Enum):
    """What comes too early: an assignment, a registering call, or the field of a dataclass; NEVER: an assignment where
    nn.Module is not initialised at all."""

    ASSIGNED = "default"
    CALLED = "registered"
    FIELD = "field"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class EarlyState:
    """A Parameter, Module or buffer that an object gets before it is a Module.

    call: the registering method, "" for none. initialised: where nn.Module's own constructor runs, None for nowhere.
    """

    kind: EarlyKind
    attribute: str
    symbol: str
    span: Span
    call: str
    initialised: Span | None


def early_state(module: ModuleClass) -> Iterator[EarlyState]:
    """The state that the constructor of the class gives the object before nn.Module's own has run.

    Silent on classes of unknown bases, and where `__new__` may have run it already.
    """
    if not module.is_certain or any("__new__" in ancestor.outline.methods for ancestor in module.ancestors):
        return
    if _is_generated(module):
        yield from _early_fields(module)
        return
    if not _has_own_init(module) or "__setattr__" in (n for one in module.ancestors for n in one.outline.methods):
        return
    before: list[Moment] = []
    for moment in module.walk("__init__"):
        if _initialises(moment, module):
            yield from _early(module, before, moment)
            return
        before.append(moment)
    if _names_a_constructor(module) or any(_may_initialise(moment, module) for moment in before):
        return
    if _bases_are_known(module):
        # One cause, one finding: the first assignment is where constructing stops.
        yield from islice(_early(module, before, None), 1)


def _names_a_constructor(module: ModuleClass) -> bool:
    """True where the constructor calls another without an object, `nn.Module.__init__()`: the class is a template from
    which a program writes the one that runs."""
    init = module.method("__init__")
    named = (call for call in (init.calls if init is not None else ()) if isinstance(call.callee, Imported))
    return any(last_name(call) == "__init__" and not call.inputs for call in named)


def _has_own_init(module: ModuleClass) -> bool:
    """False where the object is built by the constructor of nn.Module, which stands before the one that we see."""
    init = module.method("__init__")
    return init is not None and not _comes_after_torch(module, module.ancestors[module.depth_of(init)])


def _bases_are_known(module: ModuleClass) -> bool:
    return all(is_module_class(base) or is_plain_class(base) for base in module.foreign_bases)


def _early(module: ModuleClass, before: list[Moment], initialised: Moment | None) -> Iterator[EarlyState]:
    """The state among the moments before the one that initialises."""
    at = _place(initialised) if initialised is not None else None
    past = False
    for moment in before:
        past = past or (isinstance(moment.event, Write) and moment.event.unseen)
        found = None if past or is_ruled_out(moment) else _state(module, moment, at)
        past = _goes_past_torch(moment)
        if found is not None:
            yield found


def _state(module: ModuleClass, moment: Moment, at: Span | None) -> EarlyState | None:
    event, frame = moment.event, moment.frame
    owner = frame.method.owner or module.facts.qualname
    names = _names(event, frame) if isinstance(event, Write) and frame.is_self(event.base) else []
    if isinstance(event, Write) and names:
        name = names[0]
        # A property's setter is no way around: nn.Module's __setattr__ sees a Module first.
        if not _is_state(module, event.value, name, frame):
            return None
        kind = EarlyKind.ASSIGNED if at is not None else EarlyKind.NEVER
        return EarlyState(kind, name, f"{owner}.{name}", frame.span(event.place), "", at)
    call = _registering_call(module, moment)
    if call is None:
        return None
    given = call.argument(0, "name")
    name = next(iter(strings_of(frame.value(given))), "") if given is not None else ""
    return EarlyState(EarlyKind.CALLED, name, f"{owner}.{name}", frame.span(call.place), last_name(call.callee), at)


def _names(write: Write, frame: Frame) -> list[str]:
    """The names that an assignment, or setattr(), may give to."""
    if isinstance(write.attribute, str):
        return [write.attribute]
    return sorted(frame.evaluator.strings(write.attribute, frame))


def _is_state(module: ModuleClass, term: Term, name: str, frame: Frame) -> bool:
    """A Parameter, Module or nn.Buffer; of an argument that nothing describes, what the class takes it for."""
    value = frame.value(term)
    if value.kind is Kind.UNKNOWN and isinstance(term, Argument):
        return any(_takes_for_module(module, read) for read in module.state.reads(name))
    return registered_by_value(value) is not None


def _takes_for_module(module: ModuleClass, read: Moment) -> bool:
    """True where a method that only Modules have is called on what is read."""
    event = read.event
    assert isinstance(event, Evaluated)
    return any(
        isinstance(other, Evaluated)
        and isinstance(other.term, Call)
        and isinstance(other.term.callee, Attribute)
        and other.term.callee.base is event.term
        and other.term.callee.name in _ONLY_OF_MODULES
        for other in read.frame.function.events
    )


def _registering_call(module: ModuleClass, moment: Moment) -> Call | None:
    """A call of one of torch's own registering methods on the object."""
    term = moment.event.term if isinstance(moment.event, Evaluated) else None
    if not isinstance(term, Call) or not isinstance(term.callee, Attribute) or term.callee.name not in _REGISTERS:
        return None
    is_on_object = moment.frame.is_self(term.callee.base) or isinstance(term.callee.base, Super)
    return term if is_on_object and module.method(term.callee.name) is None else None


def _goes_past_torch(moment: Moment) -> bool:
    """True for object.__setattr__(self, name, value): the assignment that follows is one that torch does not see."""
    term = moment.event.term if isinstance(moment.event, Evaluated) else None
    return isinstance(term, Call) and last_name(term.callee) == "__setattr__"


def _place(moment: Moment) -> Span:
    assert isinstance(moment.event, Evaluated)
    return moment.frame.span(moment.event.term.place)


# The constructor of nn.Module


def _initialises(moment: Moment, module: ModuleClass) -> bool:
    """True for the call that leaves the project for the constructor of nn.Module, or of a base that is not known."""
    call, frame = moment.event.term if isinstance(moment.event, Evaluated) else None, moment.frame
    if not isinstance(call, Call) or last_name(call.callee) != "__init__":
        return False
    if isinstance(call.callee, Attribute) and isinstance(call.callee.base, Super):
        target = module.method_after(frame.method, "__init__", call.callee.base)
        return target is None or _comes_after_torch(module, module.ancestors[module.depth_of(target)])
    if not call.inputs or not frame.is_self(call.inputs[0]):
        return False
    found = module.project.names.of_term(call.callee, frame.path)
    if isinstance(found, External):
        return not is_plain_class(found.name.rpartition(".")[0])
    return found is None


def _comes_after_torch(module: ModuleClass, mixed_in: ModuleClass) -> bool:
    """True for a plain class that stands behind a Module in the bases: nn.Module's constructor comes before its own."""
    if mixed_in.is_module or mixed_in is module:
        return False
    for ancestor in module.ancestors:
        found = [ancestor.project.names.of_term(term, ancestor.path) for term in ancestor.outline.bases]
        if mixed_in in found and any(_is_module(base) for base in found[: found.index(mixed_in)]):
            return True
    return False


def _is_module(base: Resolved | None) -> bool:
    return is_module_class(base.name) if isinstance(base, External) else getattr(base, "is_module", False) is True


def _may_initialise(moment: Moment, module: ModuleClass) -> bool:
    """True for a call that hands the object to code that is not known."""
    term, frame = moment.event.term if isinstance(moment.event, Evaluated) else None, moment.frame
    if not isinstance(term, Call):
        return False
    if last_name(term.callee) == "__init__":
        return not any(True for _ in module.callees(term, frame))
    is_handed_on = any(frame.is_self(given) for given in term.inputs)
    is_torch = isinstance(term.callee, Imported) and term.callee.name.startswith("torch.")
    is_builtin = last_name(term.callee) in (
        "setattr",
        "getattr",
        "hasattr",
        "isinstance",
        "type",
        "print",
        "__setattr__",
    )
    return is_handed_on and not (is_torch or is_builtin or any(True for _ in module.callees(term, frame)))


# Dataclasses


def _is_generated(module: ModuleClass) -> bool:
    """True for a class whose constructor a dataclass decorator writes."""
    if "__init__" in module.outline.methods or "__attrs_pre_init__" in module.outline.methods:
        return False
    return any(_generates(decorator, module) for decorator in module.facts.decorators)


def _generates(decorator: Term, module: ModuleClass) -> bool:
    callee = decorator.callee if isinstance(decorator, Call) else decorator
    found = module.project.names.of_term(callee, module.path)
    asked = decorator.keyword("init") if isinstance(decorator, Call) else None
    is_refused = isinstance(asked, Constant) and asked.value is False
    return isinstance(found, External) and found.name in _GENERATES_INIT and not is_refused


def _early_fields(module: ModuleClass) -> Iterator[EarlyState]:
    """The fields that hold Modules or Parameters: the generated constructor assigns them first of all."""
    for name, annotation in module.facts.annotations.items():
        value = annotated(annotation, module.project, module.path)
        is_state = registered_by_value(value) is not None and value.kind not in TENSORS - {Kind.PARAMETER}
        if is_state and not _is_no_field(annotation) and not _is_left_out(module.facts.values.get(name)):
            yield EarlyState(
                EarlyKind.FIELD,
                name,
                f"{module.facts.qualname}.{name}",
                Span(module.path, *annotation.place),
                "",
                None,
            )


def _is_no_field(annotation: Term) -> bool:
    return isinstance(annotation, Subscript) and last_name(annotation.base) in _NO_FIELDS


def _is_left_out(default: Term | None) -> bool:
    """True for field(init=False) without a default: the constructor does not assign it."""
    if not isinstance(default, Call):
        return False
    asked = default.keyword("init")
    is_refused = isinstance(asked, Constant) and asked.value is False
    return is_refused and not any(key in ("default", "default_factory", "factory") for key, _ in default.keywords)
