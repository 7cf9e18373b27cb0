"""Whether a function, or one that it calls, puts a tensor somewhere at all: asked before anything is evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.knowledge.factories import FACTORIES
from torchlint.model.facts import Function
from torchlint.model.flow.origins import default_of
from torchlint.model.frames import Frame, has_self, is_decorated, last_name, self_use
from torchlint.model.names.chosen import kept, options
from torchlint.model.terms import Argument, Attribute, Call, Choice, Constant, Global, Imported, Term

_DEPTH = 3
# What makes a tensor from sizes and, given tensors, works on those: normal(0.0, 1.0, size=..).
_MORE_FACTORIES = frozenset(
    """
    normal fftfreq rfftfreq empty_strided logspace sparse_coo_tensor DoubleTensor HalfTensor IntTensor ShortTensor
    ByteTensor BoolTensor CharTensor BFloat16Tensor
    """.split()
)


def may_place(frame: Frame, depth: int = _DEPTH) -> bool:
    """True where a function, or one that it calls, makes or pins a tensor: asked before anything is evaluated."""
    return frame.once(f"may place in {depth} calls", lambda: (_find_place(frame, depth),))[0]


def _find_place(frame: Frame, depth: int) -> bool:
    calls = frame.function.calls
    if any(_places(call, frame.function) for call in calls):
        return True
    if not depth:
        return False
    if any(may_place(inner, depth - 1) for inner in _properties_read(frame)):
        return True
    for call in calls:
        if isinstance(call.callee, (Argument, Choice)):
            continue
        if any(may_place(inner, depth - 1) for inner in called(call, frame)):
            return True
    return False


def _properties_read(frame: Frame) -> Iterator[Frame]:
    """The properties of the object that a function reads."""
    for name in self_use(frame.function).reads if frame.view is not None and frame.outer is None else ():
        method = frame.view.method(name)  # type: ignore[union-attr]
        if method is not None and is_decorated(method, "property"):
            yield frame.evaluator.frame(method, frame.view)


def called(call: Call, frame: Frame) -> Iterator[Frame]:
    """What a call enters, by names alone."""
    callee = call.callee
    if isinstance(callee, Attribute):
        if frame.view is not None and frame.is_self(callee.base):
            method = frame.view.method(callee.name)
            if method is not None:
                yield frame.evaluator.frame(method, frame.view)
            elif (held := kept(callee, frame)) is not None:
                chosen = options(callee, frame) or (held,)
                yield from (inner for one, where in chosen for inner in _function(one, where))
        return
    yield from _function(callee, frame)


def _function(callee: Term, frame: Frame) -> Iterator[Frame]:
    """A function of the project by its name, or the one that a partial() binds something to."""
    if isinstance(callee, Call) and last_name(callee) == "partial" and callee.arguments:
        callee = callee.arguments[0]
    target = frame.evaluator.project.names.of_term(callee, frame.path)
    if isinstance(target, Function):
        yield frame.evaluator.frame(target, None)


def _places(call: Call, function: Function) -> bool:
    """True for a factory that is given no device, and for a conversion to something that is not the caller's."""
    name = last_name(call)
    if name in FACTORIES or name in _MORE_FACTORIES:
        device = call.keyword("device")
        return device is None or _is_own_choice(device, function)
    return name == "cuda" or (name in ("to", "type") and any(_is_own_choice(term, function) for term in call.inputs))


def _is_own_choice(term: Term, function: Function) -> bool:
    """True for a text and for None (the default device), for a parameter that is one by default, for what the object
    keeps and for what stands at the top of a file; a dtype of torch is no place."""
    if isinstance(term, Attribute):
        return isinstance(term.base, Argument) and term.base.index == 0 and has_self(function)
    if isinstance(term, Constant):
        return term.value is None or isinstance(term.value, str)
    if isinstance(term, Choice):
        return any(_is_own_choice(option, function) for option in term.options)
    if isinstance(term, Argument):
        default = default_of(term, function)
        return isinstance(default, Constant) and isinstance(default.value, str)
    return isinstance(term, Global) or (isinstance(term, Imported) and not term.name.startswith("torch."))
