"""The class of an object that a test asks for: `if isinstance(part, Adapter): part.merge()`."""

from __future__ import annotations

from torchlint.model.classes import ModuleClass
from torchlint.model.frames import Frame, Moment, last_name
from torchlint.model.terms import Attribute, Call, Display, Term

_NO_TENSORS = frozenset("int float bool complex str bytes Number Real Integral ndarray generic".split())


def method_of_tested(call: Call, moment: Moment) -> Frame | None:
    """The method that a call enters, where a test around says of which class of the project its object is."""
    callee = call.callee
    view = tested_class(callee.base, moment) if isinstance(callee, Attribute) else None
    method = view.method(callee.name) if view is not None and isinstance(callee, Attribute) else None
    return moment.frame.evaluator.frame(method, view) if method is not None else None


def tested_class(term: Term, moment: Moment) -> ModuleClass | None:
    """The one class of the project of which a test around an event says that the object is."""
    names = moment.frame.evaluator.project.names
    for region in moment.event.guards():
        test = region.subject
        if not region.holds or not isinstance(test, Call) or last_name(test) != "isinstance":
            continue
        if len(test.arguments) == 2 and test.arguments[0] is term:
            found = names.of_term(test.arguments[1], moment.frame.path)
            return found if isinstance(found, ModuleClass) else None
    return None


def is_tested_no_tensor(term: Term, moment: Moment) -> bool:
    """True where a test around an event says that the object is a number, a string or an array, or is no Tensor."""
    for region in moment.event.guards():
        test = region.subject
        if not isinstance(test, Call) or last_name(test) != "isinstance" or len(test.arguments) != 2:
            continue
        classes = test.arguments[1]
        names = set(map(last_name, classes.parts if isinstance(classes, Display) else (classes,)))
        if test.arguments[0] is term and (names and names <= _NO_TENSORS if region.holds else "Tensor" in names):
            return True
    return False
