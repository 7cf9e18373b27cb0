"""Scripts for training steps: the call once as it is, and once with what the finding blames undone."""

from __future__ import annotations

import re

from torchlint.confirm.scripts.head import Seen

_ERROR_OF = '''

def error_of(mode):
    """What the call raises in a mode; "" for nothing."""
    try:
        with mode:
            call()
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return f"{type(error).__name__}: {error}"
    return ""
'''
_SCALER = '''
IS_SCALING = True
NAMES = ("init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled")


def scaler_on_the_cpu(scaler, device="cuda", *given, **named):
    """Every gradient scaler works on the CPU; where IS_SCALING is False, it is switched off."""
    named = {**dict(zip(NAMES, given)), **named}
    make_scaler(scaler, "cpu", **(named if IS_SCALING else {**named, "enabled": False}))


make_scaler, torch.amp.GradScaler.__init__ = torch.amp.GradScaler.__init__, scaler_on_the_cpu
'''
_UNCAST = '''
CASTS = ("to", "half", "bfloat16", "float", "double", "type", "type_as")


class Uncast(TorchFunctionMode):
    """The casts of the line hand on what they get: the line converts nothing."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        is_of_tensor = bool(args) and isinstance(args[0], torch.Tensor) and args[0].is_floating_point()
        if is_of_tensor and getattr(func, "__name__", "") in CASTS and <is_here>:
            return args[0]
        return func(*args, **(kwargs or {}))
'''
_BELOW_LINE = '''

def is_below_line():
    """Whether any frame of the file is at the line: what the line calls counts as the line's."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_lineno in LINES and os.path.realpath(frame.f_code.co_filename) == FILE:
            return True
        frame = frame.f_back
    return False

'''
_GOES_BACK = '''
LOSSES, FINITE = [], []  # the scaled losses; for each that went back, whether all gradients are finite


def scaled(scaler, outputs):
    """Takes note of what a scaler scales."""
    LOSSES.append(scale(scaler, outputs))
    return LOSSES[-1]


def gone_back(loss, *given, **named):
    """Looks at the gradients after the backward pass of a scaled loss."""
    go_back(loss, *given, **named)
    if any(loss is one for one in LOSSES):
        FINITE.append(all(bool(one.isfinite().all()) for one in gradients_of(loss)))


def gradients_of(loss):
    """The gradients of all that a loss was computed from."""
    waiting, met = [loss.grad_fn], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in met:
            continue
        met.add(node)
        leaf = getattr(node, "variable", None)
        if leaf is not None and leaf.grad is not None:
            yield leaf.grad
        waiting += [one for one, _ in node.next_functions]


scale, torch.amp.GradScaler.scale = torch.amp.GradScaler.scale, scaled
go_back, torch.autograd.backward = torch.autograd.backward, gone_back
'''
_HALF_WEIGHTS = '''

def is_seen():
    """Whether the scaler refuses the gradients, and does not where the line converts nothing."""
    refused = error_of(nullcontext())
    FINITE.clear()
    undone = error_of(Uncast())
    # Another error counts only after the backward pass: before that nothing could be refused.
    return REFUSAL in refused and REFUSAL not in undone and (undone == "" or bool(FINITE))
'''
_HALF_LOSS = '''

def passes(mode):
    """For each backward pass of a scaled loss, whether its gradients are finite; none where the call raises."""
    FINITE.clear()
    return list(FINITE) if error_of(mode) == "" else []


def is_seen():
    """Whether the gradients of the scaled loss are not finite, and are where the line converts nothing."""
    as_it_is, undone = passes(nullcontext()), passes(Uncast())
    return bool(as_it_is) and not any(as_it_is) and bool(undone) and all(undone)
'''
_OPTIMIZERS = '''
OPTIMIZERS, STARTS = [], []  # all that are made; their parameters, each with what it was then


def noted(optimizer, *given, **named):
    """Takes note of an optimizer and of its parameters."""
    make_optimizer(optimizer, *given, **named)
    own = [one for group in optimizer.param_groups for one in group["params"]]
    STARTS.extend((one, one.detach().clone()) for one in own)
    OPTIMIZERS.append((optimizer, is_at_line()))


make_optimizer, torch.optim.Optimizer.__init__ = torch.optim.Optimizer.__init__, noted
'''
_STEPS_IN_HALF = '''

class Watch(TorchFunctionMode):
    """Notices whether a region is open while something is computed."""

    is_open = False

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.is_open = self.is_open or torch.is_autocast_enabled("cpu")
        return func(*args, **(kwargs or {}))


def is_seen():
    """Whether an optimizer has nothing but parameters of that dtype, in a training step with autocast."""
    watch = Watch()
    parameters = lambda optimizer: [one for group in optimizer.param_groups for one in group["params"]]
    if error_of(watch) != "" or not watch.is_open:
        return False
    return any({one.dtype for one in parameters(optimizer)} == {WEIGHTS} for optimizer, _ in OPTIMIZERS)
'''
_MOVES = '''

def moved(*, is_scaling):
    """How far a call moves the parameters of all optimizers, and what it raises."""
    global IS_SCALING
    IS_SCALING = is_scaling
    STARTS.clear()
    error = error_of(nullcontext())
    ways = [(one.detach() - start).double().norm() for one, start in STARTS if one.dtype is start.dtype]
    return float(sum(way for way in ways if way.isfinite())), error


def is_seen():
    """Whether <what>."""
    scaled, _ = moved(is_scaling=True)
    plain, error = moved(is_scaling=False)
    print(f"the parameters move {scaled:.3g} with the scaler and {plain:.3g} without it", file=sys.stderr)
    return error == "" and <comparison>
'''
_REFUSED = '''

def is_seen():
    """Whether the scaler raises, and nothing does where it is switched off."""
    global IS_SCALING
    raised = error_of(nullcontext())
    IS_SCALING = False
    return ERROR in raised and error_of(nullcontext()) == ""
'''
_GRADIENTS = '''

STAYS_OUT, PARAMETERS, OPEN = False, [], []


def watched(before):
    """A backward pass that notes whether a region is open at the line; where STAYS_OUT is True, it runs after it."""

    def going_back(*given, **named):
        OPEN.append(is_at_line() and torch.is_autocast_enabled("cpu"))
        with torch.autocast("cpu", enabled=False) if STAYS_OUT else nullcontext():
            return before(*given, **named)

    return going_back


torch.autograd.backward, torch.autograd.grad = map(watched, (torch.autograd.backward, torch.autograd.grad))
nn.modules.module.register_module_parameter_registration_hook(
    lambda module, name, parameter: PARAMETERS.append(parameter)
)


def trained(*, stays_out):
    """All parameters and their gradients after the call; and whether it went back inside a region."""
    global STAYS_OUT
    STAYS_OUT = stays_out
    PARAMETERS.clear()
    OPEN.clear()
    error = error_of(nullcontext())
    parts = [part for one in PARAMETERS if one is not None for part in (one, one.grad) if part is not None]
    return [one.detach().clone() for one in parts], error == "" and any(OPEN)


def is_same(some, others):
    """Whether all are equal."""
    return len(some) == len(others) and all(torch.equal(one, other) for one, other in zip(some, others))


def is_seen():
    """Whether the line goes back inside a region, and gives other gradients where it does so after the region."""
    (first, is_open), (again, _), (outside, _) = (trained(stays_out=one) for one in (False, False, True))
    return is_open and is_same(first, again) and len(first) == len(outside) and not is_same(first, outside)
'''
_ADDS_EPS = '''

def is_seen():
    """Whether a step of the optimizer that the line makes, with gradients of zero, makes nan of a parameter."""
    if error_of(nullcontext()) != "":
        return False
    for optimizer in [one for one, is_of_line in OPTIMIZERS if is_of_line]:
        own = [one for group in optimizer.param_groups for one in group["params"]]
        halves = [one for one in own if one.dtype is HALF and bool(one.isfinite().all())]
        for one in halves:
            one.grad = torch.zeros_like(one)
        optimizer.step()
        if not all(bool(one.isfinite().all()) for one in halves):
            return True
    return False
'''


def half_weights(seen: Seen) -> str | None:
    """The script for TL404: the scaler refuses the gradients; or an optimizer has weights in half."""
    if "trains parameters in" in seen.harm["does"]:
        dtype = re.search(r"torch\.\w+", seen.harm["does"])
        return _OPTIMIZERS + _ERROR_OF + f"\n\nWEIGHTS = {dtype[0]}\n" + _STEPS_IN_HALF if dtype else None
    uncast = _BELOW_LINE + _UNCAST.replace("<is_here>", "is_below_line()")
    return f'\nREFUSAL = "unscale FP16"\n{_SCALER}{_GOES_BACK}{_ERROR_OF}{uncast}{_HALF_WEIGHTS}'


def half_loss(seen: Seen) -> str | None:
    """The script for TL405: the gradients are infinite, and finite where the line converts nothing."""
    return _SCALER + _GOES_BACK + _ERROR_OF + _UNCAST.replace("<is_here>", "is_at_line()") + _HALF_LOSS


def scaler_protocol(seen: Seen) -> str | None:
    """The script for TL406: what the scaler raises; or how far the parameters move with it and without it."""
    error, ratio = seen.harm["error"], seen.harm["ratio"]
    if error:
        return f"\nERROR = {error!r}\n{_SCALER}{_ERROR_OF}{_REFUSED}"
    what = "the parameters move a hundred times {} with the scaler than without it"
    is_less = ratio < 1
    body = _MOVES.replace("<what>", what.format("less" if is_less else "more"))
    comparison = "0 < scaled < plain / 100" if is_less else "scaled > plain * 100 > 0"
    return _SCALER + _OPTIMIZERS + _ERROR_OF + body.replace("<comparison>", comparison)


def backward_of_island(seen: Seen) -> str | None:
    """The script for TL402 where the gradients are others after the region."""
    return _ERROR_OF + _GRADIENTS


def optimizer_eps(seen: Seen) -> str | None:
    """The script for TL302 of an eps that an optimizer adds to numbers in half."""
    dtype = re.search(r"parameters in (torch\.\w+)", seen.harm.get("does", ""))
    return f"\nHALF = {dtype[1]}\n{_OPTIMIZERS}{_ERROR_OF}{_ADDS_EPS}" if dtype else None
