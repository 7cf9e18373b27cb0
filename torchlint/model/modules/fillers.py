"""Who fills the parameters and buffers of a class: its own methods, bases, owners, and what walks over all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.model.events import Evaluated, Event, ItemWrite, RegionKind, Write
from torchlint.model.facts import Function
from torchlint.model.flow.callers import frames_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Argument, Attribute, Call, Closure, Display, Imported, Operation, Term, mentions
from torchlint.model.weights.enumerated import within

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# In-place methods that write over what was there.
FILLS = frozenset(
    """
    zero_ fill_ normal_ uniform_ copy_ random_ bernoulli_ exponential_ geometric_ cauchy_ log_normal_ set_ trunc_normal_
    eye_ resize_as_ scatter_ index_copy_ masked_fill_ masked_scatter_ index_fill_ put_
    """.split()
)
_INIT_WORD = re.compile(
    r"(?:^|_)(?:init|xavier|kaiming|glorot|normal|uniform|orthogonal|zeros|ones|fill|reset|copy|load|constant|assign|set)"
)
_WALKED_INIT = re.compile(r"(?:^|_)(?:init|xavier|kaiming|glorot|orthogonal|reset)")
_ENUMERATIONS = frozenset(
    "parameters named_parameters modules named_modules children named_children _parameters state_dict".split()
)
_BUILDING = re.compile(r"(?:.*_)?(?:init|reset|build|load)(?:_.*)?")
_LIBRARY_BASES = ("torch.", "lightning.", "pytorch_lightning.", "torch_geometric.")
_MAX_FILES = 8
_STEPS = 3
# Names that so many layers have that a write to one says nothing of another.
_COMMON = frozenset("weight bias weights scale gamma beta alpha".split())


def is_initialiser(call: Call) -> bool:
    """True for a function of torch.nn.init, and for any other whose name says that it works in place."""
    name = last_name(call)
    return (isinstance(call.callee, Imported) and ".init." in f".{call.callee.name}") or (
        not isinstance(call.callee, Attribute) and name.endswith("_")
    )


def is_initialised(attribute: str, view: ModuleClass) -> bool:
    """True where a method of the class gives the attribute to an initialiser: nn.init.zeros_(self.cells)."""
    for function in view.methods:
        frame = view.frame(function)
        for call in function.calls:
            given = call.arguments[0] if call.arguments and is_initialiser(call) else None
            given = given.base if isinstance(given, Attribute) and given.name == "data" else given
            if isinstance(given, Attribute) and given.name == attribute and frame.is_self(given.base):
                return True
    return False


def is_filled_elsewhere(attribute: str, view: ModuleClass) -> bool:
    """True where something may fill the attribute: a write, an initialiser, a walk over all parameters, a base class of
    which we know nothing, or whoever builds the module."""
    if not view.is_certain or not all(base.startswith(_LIBRARY_BASES) for base in view.foreign_bases):
        return True
    if any(_calls_unknown_init(function, view) or _loads(function) for function in view.methods):
        return True
    owners = _owners(view)
    paths = dict.fromkeys((*(one.path for one in owners), *view.project.files_around(view.path, view.name.encode())))
    looked_into = view.project.looked_into(view.path, list(paths)[:_MAX_FILES])
    frames = (frame for path in looked_into for frame in frames_in(view.project, path))
    is_filled = any(
        _fills(frame, attribute, view) or _fills_all(frame.function)
        if frame.view is None or frame.view in owners
        else _fills_when_met(frame, attribute, view)
        for frame in frames
    )
    return is_filled or _is_copied_into(attribute, view)


def _is_copied_into(attribute: str, view: ModuleClass) -> bool:
    """True where a file of the project that need not name the class puts values in: layer.inter_w.data = loaded."""
    if attribute in _COMMON:
        return False
    files = view.project.files_around(view.path, f".{attribute}.data".encode())[:_MAX_FILES]
    looked_into = view.project.looked_into(view.path, files)
    frames = (frame for path in looked_into for frame in frames_in(view.project, path))
    return any(_gets_data(event, attribute) for frame in frames for event in frame.function.events)


def _gets_data(event: Event, attribute: str) -> bool:
    if isinstance(event, Write):
        return event.attribute == "data" and last_name(event.base) == attribute
    if not isinstance(event, Evaluated) or not isinstance(event.term, Call) or last_name(event.term) != "copy_":
        return False
    base = event.term.callee.base if isinstance(event.term.callee, Attribute) else None
    base = base.base if isinstance(base, Attribute) and base.name == "data" else base
    return isinstance(base, Attribute) and base.name == attribute


def _owners(view: ModuleClass) -> dict[ModuleClass, None]:
    """The class, the classes that build it or derive from it, over a few steps, and the bases of all."""
    found = dict.fromkeys((view, *view.ancestors))
    waiting = [view]
    for _ in range(_STEPS):
        waiting = [other for one in waiting for other in _next_owners(one) if other not in found]
        found.update(dict.fromkeys(one for other in waiting for one in (other, *other.ancestors)))
    return found


def _next_owners(view: ModuleClass) -> Iterator[ModuleClass]:
    files = view.project.files_around(view.path, view.name.encode())[:_MAX_FILES]
    for path in view.project.looked_into(view.path, dict.fromkeys((view.path, *files))):
        for other in view.project.classes_in(path):
            if view in other.ancestors or any(_calls(method, view.name) for method in other.methods):
                yield other


def _calls(function: Function, name: str) -> bool:
    """True where something of that name is called."""
    names: frozenset[str] | None = function.derived.get("called names")
    if names is None:
        names = frozenset(map(last_name, function.calls))
        function.derived["called names"] = names
    return name in names or any(_calls(nested, name) for nested in function.nested)


def _calls_unknown_init(function: Function, view: ModuleClass) -> bool:
    """self.init_weights() of which the body cannot be seen."""
    for event in function.events:
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(call, Call) or not isinstance(call.callee, Attribute):
            continue
        is_own = isinstance(call.callee.base, Argument) and call.callee.base.index == 0
        if is_own and _INIT_WORD.search(call.callee.name) and view.method(call.callee.name) is None:
            return True
    return False


def _loads(function: Function) -> bool:
    return any(isinstance(e, Evaluated) and last_name(e.term) == "load_state_dict" for e in function.events)


def _fills(frame: Frame, attribute: str, view: ModuleClass) -> bool:
    """True where a function may fill the attribute of an object of the class, or all parameters of some module."""
    births = 0
    for event in frame.function.events:
        if isinstance(event, Write):
            births += event.attribute == attribute and _may_be_of(event.base, frame, view)
            if births > 1 or (event.attribute != attribute and _names(event.base, attribute, frame, view)):
                return True
        elif isinstance(event, ItemWrite):
            if _names(event.base, attribute, frame, view):
                return True
        elif isinstance(event, Evaluated) and _fills_by(event.term, attribute, frame, view):
            return True
    return False


def _fills_when_met(frame: Frame, attribute: str, view: ModuleClass) -> bool:
    """True for a method of another class that asks what it meets for this one, and fills the attribute of that: a base
    of networks, maybe in another package, gives it to apply()."""
    for event in frame.function.events:
        tested = [term for guard in event.guards() if guard.holds for term in _tested(guard.subject, frame, view)]
        if any(_fills_of(one, event, attribute) for one in tested):
            return True
    return False


def _tested(test: Term, frame: Frame, view: ModuleClass) -> Iterator[Term]:
    """The objects that a test asks for the class, or one of its bases: isinstance(part, (Codebook, Head)) .."""
    if isinstance(test, Operation) and test.operator == "and":
        yield from (one for part in test.parts for one in _tested(part, frame, view))
    elif isinstance(test, Call) and last_name(test) == "isinstance" and len(test.arguments) == 2:
        asked = test.arguments[1].parts if isinstance(test.arguments[1], Display) else test.arguments[1:]
        names = frame.evaluator.project.names
        if any(names.of_term(one, frame.path) in view.ancestors for one in asked):
            yield test.arguments[0]


def _fills_of(owner: Term, event: Event, attribute: str) -> bool:
    """True where an event writes over the attribute of an object, or gives it to an initialiser."""
    if isinstance(event, Write):
        written = (event.base,) if event.attribute == "data" else ()
        if event.base is owner and event.attribute == attribute:
            return True
    elif isinstance(event, ItemWrite):
        written = (event.base,)
    else:
        call = event.term if isinstance(event, Evaluated) else None
        if not isinstance(call, Call):
            return False
        is_own = isinstance(call.callee, Attribute) and call.callee.name in FILLS
        base = (call.callee.base,) if isinstance(call.callee, Attribute) and is_own else ()
        written = (*base, *(call.arguments[:1] if is_initialiser(call) else ()))
    leaves = (leaf for term in written for leaf in within(term) if isinstance(leaf, Attribute))
    return any(leaf.name == attribute and leaf.base is owner for leaf in leaves)


def _may_be_of(owner: Term, frame: Frame, view: ModuleClass) -> bool:
    """False for the object of a method of another family of classes."""
    other = frame.view
    if other is None or not frame.is_self(owner):
        return True
    return other in view.ancestors or view in other.ancestors


def _names(term: Term, attribute: str, frame: Frame, view: ModuleClass) -> bool:
    """True where the attribute is written somewhere in a term."""
    leaves = (leaf for leaf in within(term) if isinstance(leaf, Attribute) and leaf.name == attribute)
    return any(_may_be_of(leaf.base, frame, view) for leaf in leaves)


def _fills_by(call: Term, attribute: str, frame: Frame, view: ModuleClass) -> bool:
    """self.weight.data.uniform_(), init.normal_(self.weight), my_init(self.weight), copy(into=self.weight)."""
    if not isinstance(call, Call):
        return False
    callee, name = call.callee, last_name(call)
    if isinstance(callee, Attribute) and name.endswith("_") and _names(callee.base, attribute, frame, view):
        return True
    is_in_building = _BUILDING.fullmatch(frame.function.name) is not None and not _is_registration(call)
    if not (is_initialiser(call) or is_in_building or _INIT_WORD.search(name.lower())):
        return False
    return any(_names(term, attribute, frame, view) for term in call.inputs)


def _is_registration(call: Call) -> bool:
    return last_name(call).startswith("register_")


def _fills_all(function: Function) -> bool:
    """True for a function that initialises in a loop over the parameters or modules of something, or applies an
    initialiser to all of them."""
    known: bool | None = function.derived.get("fills all")
    if known is None:
        calls = [e for e in function.events if isinstance(e, Evaluated) and isinstance(e.term, Call)]
        known = function.derived["fills all"] = any(_is_applied(e.term) or _fills_each(e) for e in calls)
    return known


def _is_applied(term: Term) -> bool:
    """model.apply(init_weights), self.apply(lambda m: ..)."""
    if not isinstance(term, Call) or last_name(term) != "apply" or len(term.arguments) != 1:
        return False
    given = term.arguments[0]
    return isinstance(given, (Closure, Call)) or _WALKED_INIT.search(last_name(given).lower()) is not None


def _fills_each(event: Evaluated) -> bool:
    """True for an initialiser inside `for p in model.parameters()`."""
    name = last_name(event.term)
    if name not in FILLS and not _WALKED_INIT.search(name.lower()):
        return False
    loops = (region.subject for region in event.regions if region.kind is RegionKind.LOOP)
    return any(mentions(subject, _ENUMERATIONS) for subject in loops)
