"""Which module a conversion is of: the whole that a part was taken out of, and what a caller passes for a parameter."""

from __future__ import annotations

from torchlint.model.events import Evaluated
from torchlint.model.flow.forwards import is_model
from torchlint.model.flow.levels import Level
from torchlint.model.flow.same_object import behind, whole_behind
from torchlint.model.frames import Frame, Moment, has_self, last_name
from torchlint.model.terms import Argument, Attribute, Call, Choice, Subscript, Term
from torchlint.model.values import Kind


def whole_of(term: Term) -> Term:
    """The module that a part is taken out of by a loop over modules(), children() or their named forms; any other term
    itself."""
    return whole_behind(term) or term


def is_given_whole(term: Term, level: Level) -> bool:
    """True for a parameter for which the call that led here passes a module, or each part of one: model.apply(..); and
    for an object of the class that it passes."""
    if isinstance(term, Call) and isinstance(term.callee, Argument) and level.outer is not None:
        made = given_for(term.callee, level)
        found = level.outer.frame.value(made) if made is not None else None
        return found is not None and found.made_by == "class" and found.of is not None and bool(found.of.is_module)
    if not isinstance(term, Argument) or level.outer is None or level.caller is None:
        return False
    call = level.caller.event.term if isinstance(level.caller.event, Evaluated) else None
    if isinstance(call, Call) and last_name(call) == "apply" and not level.frame.is_self(term):
        return True
    given = given_for(term, level)
    return given is not None and (is_whole(given, level.outer.frame) or is_given_whole(given, level.outer))


def given_for(argument: Argument, level: Level) -> Term | None:
    """What the call that led here passes for a parameter; for the keywords of `**where` the dtype."""
    call = level.caller.event.term if level.caller is not None and isinstance(level.caller.event, Evaluated) else None
    if not isinstance(call, Call) or level.frame.is_self(argument):
        return None
    if level.frame.function.parameters[argument.index].kind == "**":
        return call.keyword("dtype")
    bound = has_self(level.frame.function) and isinstance(call.callee, Attribute)
    return call.argument(argument.index - int(bound), argument.name)


def is_whole(term: Term, frame: Frame) -> bool:
    """True for a module, or for a part of one that is looked up: model[1], model.layers["head"]."""
    term = behind(term)
    if isinstance(term, Choice):
        return all(is_whole(option, frame) for option in term.options)
    base = term.base if isinstance(term, Subscript) else None
    return is_model(term, frame) or (base is not None and is_model(base, frame))


def is_own_method(moment: Moment) -> bool:
    """True in a method that another method of the same object calls."""
    led = moment.caller.event if moment.caller is not None else None
    callee = led.term.callee if isinstance(led, Evaluated) and isinstance(led.term, Call) else None
    return isinstance(callee, Attribute) and moment.caller is not None and moment.caller.frame.is_self(callee.base)


def is_layer(call: Call, frame: Frame) -> bool:
    """True for a call that makes a module."""
    value = frame.value(call)
    return value.kind is Kind.MODULE and not isinstance(call.callee, Attribute)
