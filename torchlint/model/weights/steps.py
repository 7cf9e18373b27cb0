"""What changes the weights of a module in place: an optimizer's step, a training helper, a state that is loaded."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import Evaluated, Event, RegionKind
from torchlint.model.flow.makers import makers
from torchlint.model.frames import Frame, last_name
from torchlint.model.terms import Argument, Attribute, Call, Captured, Constant, Global, Imported, Term
from torchlint.model.weights.aliases import function_called, words_of
from torchlint.model.weights.enumerated import enumeration, path_of, within, writes_into
from torchlint.model.weights.weight_writes import enumerated_in

_DEPTH = 3
_BACKWARD = frozenset("backward manual_backward".split())
_TRAINS = ("train", "fit", "finetune")
_NO_TRAINING = ("loss", "loader", "data", "args", "test", "split", "transform", "config", "path", "criterion", "fit_to")
# Two calls that torch_ema and diffusers share: the averaged weights in, the raw ones back, both by copy_().
_SWAPS_IN = frozenset({"copy_to"})
_SWAPPED_INSIDE = frozenset({"average_parameters"})
_PARAMETERS = frozenset("parameters named_parameters state_dict".split())


def changes_weights(event: Event, frame: Frame, module: Term | None) -> bool:
    """True where an event writes new values into the tensors of `module`: a training step, load_state_dict() of it."""
    if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
        return False
    call = event.term
    if _is_step(call):
        return not _trains_a_copy(call, frame, module) and not _trains_another(call, frame, module)
    if last_name(call) == "load_state_dict" and isinstance(call.callee, Attribute):
        return same_module(call.callee.base, module)
    target = function_called(call, frame)
    if target is not None:
        return _involves(call, frame, module, target) and _trains(target, _DEPTH)
    return _is_called_training(call) and _involves(call, frame, module, None)


def _trains_a_copy(step: Call, frame: Frame, module: Term | None) -> bool:
    """True where the optimizer was made for a deep copy, or all that the function backpropagates went through one."""
    optimizer = step.callee.base if isinstance(step.callee, Attribute) else step
    if _is_of_a_copy(optimizer, module):
        return True
    calls = (call for call in frame.function.calls if last_name(call) == "backward")
    losses = [call.callee.base for call in calls if isinstance(call.callee, Attribute)]
    return bool(losses) and all(_is_of_a_copy(loss, module) for loss in losses)


def _is_of_a_copy(term: Term, module: Term | None) -> bool:
    is_copied = any(last_name(one) == "deepcopy" for one in within(term))
    return is_copied and not any(same_module(one, module) for one in _held_by(term))


def _involves(call: Call, frame: Frame, module: Term | None, target: Frame | None) -> bool:
    """True for a call that can reach the module: it is passed, or held by what is passed or called on, or stands in an
    enclosing function or on the object. A deep copy of it is another module."""
    is_nested = target is not None and target.outer is not None
    if is_nested or (not call.inputs and not isinstance(call.callee, Attribute)):
        return True
    is_held = path_of(module).startswith("self.") or frame.is_self(module or call)
    receiver = (call.callee.base,) if isinstance(call.callee, Attribute) else ()
    for term in (*receiver, *call.inputs):
        for part in _held_by(term):
            if same_module(part, module) or (is_held and frame.is_self(part)) or _may_train(part, frame, module):
                return True
    return False


def _held_by(term: Term) -> Iterator[Term]:
    """What a term is made of, but for what is only deep-copied."""
    return within(term, but_for="deepcopy")


def _may_train(term: Term, frame: Frame, module: Term | None) -> bool:
    """True for what is called an optimizer and may be one of the module: not for the package torch.optim."""
    if "opt" not in path_of(term).lower():
        return False
    if isinstance(term, (Global, Imported)) and not any(makers(term, frame)):
        return False
    return not _is_of_others(term, frame, module)


# Optimizers of other modules


def _trains_another(step: Call, frame: Frame, module: Term | None) -> bool:
    """True where what steps, here or after this backward pass, is made for the parameters of other modules alone."""
    is_backward = last_name(step) in _BACKWARD
    steps = [one for one in frame.function.calls if _is_step(one)] if is_backward else [step]
    stepped = [one for one in steps if last_name(one) not in _BACKWARD]
    return bool(stepped) and all(_is_of_others(_optimizer_of(one), frame, module) for one in stepped)


def _optimizer_of(step: Call) -> Term:
    """The optimizer of optimizer.step() and of scaler.step(optimizer)."""
    return step.arguments[0] if step.arguments or not isinstance(step.callee, Attribute) else step.callee.base


def _is_of_others(optimizer: Term, frame: Frame, module: Term | None) -> bool:
    """True where this function makes an optimizer for parameters that have nothing in common with the module; False
    where that is not known."""
    made = list(makers(optimizer, frame))
    return bool(made) and all(where is frame and _is_made_for_others(call, frame, module) for call, where in made)


def _is_made_for_others(call: Call, frame: Frame, module: Term | None) -> bool:
    given = call.argument(0, "params")
    if given is None or module is None:
        return False
    trained = [one for one, where in enumerated_in(given, frame) if where is frame]
    roots = frozenset[object]().union(*map(_roots, trained))
    is_open = not _names(_roots(given)) <= _names(roots)
    own = _roots(module)
    if not trained or is_open or any(isinstance(part, (Global, Captured)) for part in (*trained, module)):
        return False
    is_like = any(one in other or other in one for one in _names(roots) for other in _names(own))
    return not is_like and not roots & own


def _roots(term: Term) -> frozenset[object]:
    """What a term is made from: parameters by their names, and calls. A deep copy is made from nothing."""
    parts = [part for part in _held_by(term) if isinstance(part, (Argument, Call))]
    return frozenset(part.name if isinstance(part, Argument) else id(part) for part in parts)


def _names(roots: frozenset[object]) -> frozenset[str]:
    return frozenset(one for one in roots if isinstance(one, str))


# What a call may reach


def same_module(one: Term | None, other: Term | None) -> bool:
    """True where two terms name one module: the same value, or self.model and the argument model that it was given."""
    if one is None or other is None:
        return False
    left, right = _plain(path_of(one)), _plain(path_of(other))
    return one is other or (bool(left) and left == right)


def _plain(path: str) -> str:
    return path.removeprefix("self.").removesuffix(".module").lstrip("_")


def _is_step(call: Call) -> bool:
    """optimizer.step(), scaler.step(optimizer), loss.backward()."""
    callee = call.callee
    if not isinstance(callee, Attribute):
        return False
    if callee.name in _BACKWARD:
        return True
    if callee.name not in ("step", "optimizer_step"):
        return False
    text = " ".join(words_of(term) for term in (callee.base, *call.arguments))
    return any(word in text for word in ("opt", "sgd", "adam")) and "sched" not in text


def _trains(frame: Frame, depth: int) -> bool:
    """True for a function of the project that takes a training step, itself or in what it calls."""
    known: bool | None = frame.function.derived.get("trains")
    if known is None:
        frame.function.derived["trains"] = False
        known = _find_step(frame, depth)
        if known or depth == _DEPTH:
            frame.function.derived["trains"] = known
        else:
            del frame.function.derived["trains"]
    return known


def _find_step(frame: Frame, depth: int) -> bool:
    calls = frame.function.calls
    if any(_is_step(call) for call in calls):
        return True
    targets = (function_called(call, frame) for call in calls) if depth else ()
    return any(target is not None and _trains(target, depth - 1) for target in targets)


def _is_called_training(call: Call) -> bool:
    """train(model, ..), trainer.fit(model): by its name, where what is called is not known. model.train(mode) is
    none."""
    name = last_name(call).lower().lstrip("_")
    if not call.inputs or (name == "train" and all(isinstance(term, Constant) for term in call.inputs)):
        return False
    return name.startswith(_TRAINS) and not any(word in name for word in _NO_TRAINING)


# Swaps


def swaps_back(event: Event, frame: Frame) -> bool:
    """True for ema.restore() and its like, where it copies the raw weights back into the same tensors."""
    if not isinstance(event, Evaluated) or not isinstance(event.term, Call):
        return False
    call = event.term
    if not isinstance(call.callee, Attribute) or not last_name(call).startswith(("restore", "swap", "unswap")):
        return False
    target = function_called(call, frame)
    if target is not None:
        return _overwrites(target, _DEPTH)
    return any(
        isinstance(other, Evaluated)
        and isinstance(other.term, Call)
        and isinstance(other.term.callee, Attribute)
        and other.term.callee.name in _SWAPS_IN
        and path_of(other.term.callee.base) == path_of(call.callee.base) != ""
        for other in frame.function.events
    )


def swapped_inside(event: Event, frame: Frame) -> tuple[object, ...]:
    """The `with` regions around an event whose end copies the raw weights back."""
    regions = (region for region in event.regions if region.kind is RegionKind.WITH)
    return tuple(region for region in regions if isinstance(region.subject, Call) and _swaps(region.subject, frame))


def _swaps(call: Call, frame: Frame) -> bool:
    target = function_called(call, frame)
    if target is None:
        return last_name(call) in _SWAPPED_INSIDE
    return any(event.is_yield for event in target.function.returned) and _overwrites(target, _DEPTH)


def _overwrites(frame: Frame, depth: int) -> bool:
    """True for a function that writes into the parameters of a model in place; `p.data = other` is no such write."""
    for written in writes_into(frame):
        source = enumeration(written.target) if written.operation != "data" else None
        if source is not None and last_name(source) in _PARAMETERS:
            return True
    calls = frame.function.calls
    if any(last_name(call) == "load_state_dict" and isinstance(call.callee, Attribute) for call in calls):
        return True
    targets = (function_called(call, frame) for call in calls) if depth else ()
    return any(target is not None and _overwrites(target, depth - 1) for target in targets)
