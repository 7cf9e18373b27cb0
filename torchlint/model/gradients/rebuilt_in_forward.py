"""Tensors that a forward pass rebuilds from parameters or from outputs of its layers: torch.tensor([0.0, self.end])
copies numbers, and what the module returns has no path to the parameter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from torchlint.knowledge import graphs
from torchlint.knowledge.lookup import is_metadata
from torchlint.model.evaluation.conditions import is_ruled_out
from torchlint.model.events import Evaluated, Event, Return
from torchlint.model.flow.networks import is_frozen
from torchlint.model.flow.uses import Parent, parents_in
from torchlint.model.frames import Frame, Moment, called_names, last_name
from torchlint.model.gradients.asked_leaves import asks
from torchlint.model.gradients.cut_leaves import asks_gradients
from torchlint.model.gradients.lineages import Lineages
from torchlint.model.modules.refresh import runs_in_mode
from torchlint.model.modules.registration import Registration
from torchlint.model.terms import (
    Attribute,
    Call,
    Choice,
    Comprehension,
    Constant,
    Display,
    Element,
    Global,
    Imported,
    Item,
    Operation,
    Starred,
    Subscript,
    Term,
)
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

_REACH = 8
_STEPS = 60
_WRAPPED = (Choice, Comprehension, Display, Element, Item, Starred)
_PYTHON = frozenset("float int bool len str repr range isinstance print type round format id hasattr".split())
# Between the cut and the words that make a leaf of its result.
_SAME_VALUE = frozenset("requires_grad_ clone float double half to cuda cpu contiguous".split())
_ARITHMETIC = frozenset("+ - * / // % ** @".split())


def is_rebuilt_in_forward(call: Call, event: Evaluated, lineages: Lineages) -> bool:
    """True for a tensor made of an output, or of a list or of arithmetic with something learned in it, that the pass
    returns."""
    frame = lineages.scene.frame
    given = call.arguments[0]
    if not _is_in_forward(event, frame) or frame.value(call).is_integral:
        return False
    is_learned = lineages.of(given).recorded is True or (
        isinstance(given, (Display, Operation))
        and any(_is_learned(term, lineages) for term in _values_in(given, _REACH))
    )
    return is_learned and not lineages.is_off(event) and _is_returned(call, frame)


def is_leaf_in_forward(call: Call, event: Evaluated, lineages: Lineages) -> bool:
    """True for out.detach().requires_grad_() of an output that the pass returns, where no method of the module asks for
    its gradient."""
    frame, base = lineages.scene.frame, call.callee
    while isinstance(base, Attribute) and base.name in _SAME_VALUE:
        base = base.base.callee if isinstance(base.base, Call) else base.base
    if not isinstance(base, Attribute) or base.name not in graphs.DETACHING or not asks(call):
        return False
    if lineages.of(base.base).recorded is not True or not _is_in_forward(event, frame) or frame.view is None:
        return False
    is_wanted = any(map(asks_gradients, frame.view.methods))
    return not is_wanted and not lineages.is_off(event) and _is_returned(call, frame)


def _is_in_forward(event: Event, frame: Frame) -> bool:
    """True in a method of a module that training runs."""
    view = frame.view
    if view is None or not view.is_module or frame.outer is not None or is_frozen(frame):
        return False
    method, moment = frame.function, Moment(event, frame)
    if id(method.definition) in view.only_building or runs_in_mode(moment) is False or is_ruled_out(moment):
        return False
    return id(method) in _reached(view)


def _reached(view: ModuleClass) -> set[int]:
    """The methods that forward() calls, as far as their names say, and forward() itself."""
    waiting, found = ["forward"], set[int]()
    while waiting:
        method = view.method(waiting.pop())
        if method is not None and id(method) not in found:
            found.add(id(method))
            waiting += called_names(method)
    return found


def _values_in(term: Term, depth: int) -> Iterator[Term]:
    """The numbers that a nested list is made of, with what torch computes them from."""
    yield term
    if not depth:
        return
    if isinstance(term, Call):
        is_torch = isinstance(term.callee, Imported) and term.callee.name.startswith("torch.")
        base = term.callee.base if isinstance(term.callee, Attribute) else None
        inner = term.inputs if is_torch else () if base is None or _cuts(last_name(term)) else (base,)
    elif isinstance(term, (Display, Operation, Subscript)):
        inner = (term.base,) if isinstance(term, Subscript) else term.parts
    else:
        inner = ()
    for part in inner:
        yield from _values_in(part, depth - 1)


def _cuts(name: str) -> bool:
    """True for methods whose result has no graph: the program says so itself."""
    return name in graphs.DETACHING or name in graphs.TO_PYTHON or name in graphs.UNRECORDED or is_metadata(name)


def _is_learned(term: Term, lineages: Lineages) -> bool:
    """True for a parameter of the object, and for what a layer of it gives."""
    frame = lineages.scene.frame
    if isinstance(term, Attribute) and frame.is_self(term.base):
        return _is_parameter(term, frame)
    if not isinstance(term, Call) or isinstance(term.callee, (Imported, Global)):
        return False
    layer = frame.value(term.callee)
    return layer.kind is Kind.MODULE and lineages.of(term).recorded is True


def _is_parameter(term: Attribute, frame: Frame) -> bool:
    assert frame.view is not None
    if frame.value(term).kind is Kind.PARAMETER:
        return True
    calls = frame.view.state.registrations.get(term.name, ())
    return any(one.how is Registration.PARAMETER and not _is_none(one.value) for one in calls)


def _is_none(term: Term | None) -> bool:
    return isinstance(term, Constant) and term.value is None


def _is_returned(call: Call, frame: Frame) -> bool:
    """True where the tensor goes through arithmetic and calls into what the method returns."""
    parents, done = parents_in(frame.function), set[int]()
    waiting: list[Term] = [call]
    while waiting and len(done) < _STEPS:
        term = waiting.pop()
        for parent in parents.get(id(term), ()):
            if isinstance(parent, Return):
                return True
            if isinstance(parent, Term) and id(parent) not in done and _passes(parent, term):
                done.add(id(parent))
                waiting.append(parent)
    return False


def _passes(parent: Parent, term: Term) -> bool:
    """True for what hands the gradient on: operators, methods, calls; no index, no comparison, no number."""
    if isinstance(parent, _WRAPPED):
        return True
    if isinstance(parent, Operation):
        return graphs.plain(parent.operator) in _ARITHMETIC
    if isinstance(parent, Subscript):
        return parent.base is term
    if isinstance(parent, Attribute):
        return not _cuts(parent.name)
    is_python = isinstance(parent, Call) and isinstance(parent.callee, Global) and last_name(parent) in _PYTHON
    return isinstance(parent, Call) and not is_python and not _cuts(last_name(parent))
