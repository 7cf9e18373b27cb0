"""Values that were cut off and made leaves of their own, for whose gradient the program asks."""

from __future__ import annotations

from torchlint.knowledge import graphs
from torchlint.model.events import Evaluated, Event, Write
from torchlint.model.facts import Function
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.gradients.lineages import Lineages
from torchlint.model.terms import Attribute, Call, Constant, Display, Operation, Term
from torchlint.model.weights.aliases import function_called

_SAME_VALUE = frozenset("clone float double half to cuda cpu contiguous".split())


def becomes_leaf(term: Term, lineages: Lineages) -> bool:
    """True for Parameter(x.detach()), and for x.detach().requires_grad_() where its gradient may be asked for: here, or
    in a helper that is given it. A mixture of values that are all cut is one too."""
    frame = lineages.scene.frame
    parents, chain, is_leaf = parents_in(frame.function), [term], False
    for one in chain:
        callees = [parent for parent in parents.get(id(one), ()) if isinstance(parent, Attribute)]
        calls = [call for callee in callees for call in parents.get(id(callee), ()) if isinstance(call, Call)]
        leaves = [*(call for call in calls if last_name(call) == "requires_grad_"), *_variables(one, frame)]
        made = [*(call for call in calls if last_name(call) in _SAME_VALUE), *leaves, *_mixtures(one, lineages)]
        chain += [new for new in dict.fromkeys(made) if all(new is not known for known in chain)]
        is_leaf = is_leaf or bool(leaves)
    users = [one for term in chain for one in parents.get(id(term), ())]
    if any(isinstance(one, Call) and last_name(one) == "Parameter" for one in users):
        # It is learned from there on.
        return True
    writes = [event for event in frame.function.events if isinstance(event, Write)]
    is_leaf = is_leaf or any(
        event.attribute == "requires_grad" and any(event.base is one for one in chain) for event in writes
    )
    is_held = any(isinstance(one, (Display, Write)) for one in users)
    return is_leaf and (is_held or asks_gradients(frame.function) or _is_asked_inside(chain, frame))


def _variables(term: Term, frame: Frame) -> list[Term]:
    """Variable(x, requires_grad=True) of a term."""
    parents = parents_in(frame.function).get(id(term), ())
    variables = [one for one in parents if isinstance(one, Call) and last_name(one) == "Variable"]
    given = [(one, one.keyword("requires_grad")) for one in variables]
    return [one for one, flag in given if isinstance(flag, Constant) and flag.value is True]


def _mixtures(term: Term, lineages: Lineages) -> list[Term]:
    """The arithmetic that a term is part of and that autograd records nothing of."""
    parents = parents_in(lineages.scene.frame.function).get(id(term), ())
    parts = [one for one in parents if isinstance(one, Operation) and graphs.plain(one.operator) in graphs.ARITHMETIC]
    return [one for one in parts if lineages.of(one).recorded is False]


def asks_gradients(function: Function) -> bool:
    """True where a function asks for a gradient itself."""
    return any(map(_asks_gradient, function.events))


def _is_asked_inside(chain: list[Term], frame: Frame) -> bool:
    """True where a function of the project is given one of these terms and asks for a gradient."""
    parents = parents_in(frame.function)
    takers = (one for term in chain for one in parents.get(id(term), ()) if isinstance(one, Call))
    called = (function_called(one, frame) for one in takers)
    return any(target is not None and any(map(_asks_gradient, target.function.events)) for target in called)


def _asks_gradient(event: Event) -> bool:
    """True for x.grad, autograd.grad(..) and their like."""
    term = event.term if isinstance(event, Evaluated) else None
    name = term.name if isinstance(term, Attribute) else last_name(term) if isinstance(term, Call) else ""
    return name in ("grad", "retain_grad", "register_hook")
