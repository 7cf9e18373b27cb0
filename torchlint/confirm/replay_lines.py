"""A script that repeats what confirmed a finding about a line: the same call, and a look at the same line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from torchlint.confirm.case import Judgement
from torchlint.confirm.plan import Job
from torchlint.confirm.supervisor import Answer

Facts = Mapping[str, Any]
_HEAD = '''\
"""Repeats what torchlint saw. Exit code 0: it was seen again, 1: it was not.

{evidence}
"""

import os
import sys
from contextlib import nullcontext
from importlib import import_module

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

sys.path[:0] = {roots!r}
checked = import_module({module!r})
FILE, LINES = os.path.realpath(checked.__file__), {lines!r}
DTYPE, DEVICE = {dtype}, {device}
CASTS = ("to", "half", "bfloat16", "float", "double", "type", "type_as")
LOWER = (torch.float16, torch.bfloat16)


def target():
    """What is called, with noise on its parameters."""
    torch.manual_seed({seed})
    owner = {build}
    if isinstance(owner, nn.Module):
        with torch.no_grad():
            for parameter in owner.parameters():
                if parameter.is_floating_point():
                    parameter.add_(torch.randn_like(parameter), alpha=0.1)
        owner.eval()
        owner.to(DEVICE, DTYPE)
    return owner{member}


def placed(value):
    """An argument, in the dtype or on the device that the finding speaks of."""
    if isinstance(value, dict):
        return {{name: placed(one) for name, one in value.items()}}
    if isinstance(value, (list, tuple)):
        return type(value)(placed(one) for one in value)
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        value = value.to(DTYPE)
    return value.to(DEVICE) if isinstance(value, torch.Tensor) else value


def call():
    """Call it."""
    torch.manual_seed({seed} + 100)
    given, named = (lambda *given, **named: (placed(given), placed(named)))({call})
    function = target()
    torch.manual_seed({seed} + 7)
    with torch.enable_grad():
        return function(*given, **named)


def opened_on_the_cpu(self, device_type, *given, **named):
    """Regions for CUDA are opened on the CPU where there is no CUDA."""
    open_region(self, device_type if torch.cuda.is_available() else "cpu", *given, **named)


open_region, torch.autocast.__init__ = torch.autocast.__init__, opened_on_the_cpu
torch.save = lambda *given, **named: None

{small_model}
def is_at_line():
    """Whether the innermost frame of the file is at the line."""
    frame = sys._getframe(1)
    while frame is not None and os.path.realpath(frame.f_code.co_filename) != FILE:
        frame = frame.f_back
    return frame is not None and frame.f_lineno in LINES

'''
_SMALL_MODEL = '''
class Counted(nn.Module):
    """What a module may hold that is no weight."""

    def __init__(self):
        super().__init__()
        self.register_buffer("num_batches_tracked", torch.tensor(4099))
        self.register_buffer("position_ids", torch.arange(4099))
        self.register_buffer("seen", torch.ones(32, dtype=torch.bool))
        self.register_buffer("scale", torch.ones(32))


class SmallModel(nn.Module):
    """Stands in for a model: a layer, and what is no weight."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(32, 32)
        self.counted = Counted()
        self.register_buffer("step", torch.tensor(4099))

    def forward(self, x, *rest, **named):
        """What the layer makes of the first input."""
        return self.layer(x)

'''
_ON_THE_DEVICE = """
class Placed(TorchFunctionMode):
    \"\"\"Puts what the line makes on the device.\"\"\"

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {{}}))
        is_made = isinstance(result, torch.Tensor) and result.device.type == "cpu" and is_at_line()
        return result.to(DEVICE) if is_made else result


def raises(mode):
    \"\"\"Whether it raises.\"\"\"
    try:
        with mode:
            call()
    except Exception as error:
        print(f"{{type(error).__name__}}: {{error}}", file=sys.stderr)
        return True
    return False


def is_seen():
    \"\"\"Whether it raises, and does not where the tensor of the line lies on the device.\"\"\"
    return raises(nullcontext()) and not raises(Placed())
"""
_RAISES = """
def is_seen():
    \"\"\"Whether it raises at the line again.\"\"\"
    try:
        call()
    except Exception as error:
        trace, lines = error.__traceback__, []
        while trace is not None:
            if os.path.realpath(trace.tb_frame.f_code.co_filename) == FILE:
                lines.append(trace.tb_lineno)
            trace = trace.tb_next
        return {text!r} in f"{{type(error).__name__}}: {{error}}" and bool(set(lines).intersection(LINES))
    return False
"""
_HAPPENS = """
class Watch(TorchFunctionMode):
    \"\"\"Notices what the operations at the line do.\"\"\"

    is_seen = False

    def __init__(self):
        super().__init__()
        self.wide = []  # what the casts at the line make, and what stays float32 of that

    def __torch_function__(self, func, types, args=(), kwargs=None):
        name, first = getattr(func, "__name__", ""), args[0] if args else None
        is_open = torch.is_autocast_enabled("cpu") or torch.is_autocast_enabled("cuda")
        dtype = first.dtype if isinstance(first, torch.Tensor) else None
        result = func(*args, **(kwargs or {{}}))
        made = result if isinstance(result, torch.Tensor) else first
        is_from_cast = any(one is wide for one in args for wide in self.wide)
        if isinstance(made, torch.Tensor) and is_at_line() and {condition}:
            self.is_seen = True
        is_cast = name in CASTS and is_at_line()
        if isinstance(result, torch.Tensor) and result.dtype is torch.float32 and (is_cast or is_from_cast):
            self.wide.append(result)
        return result


def is_seen():
    \"\"\"Whether it happens at the line again.\"\"\"
    with Watch() as watch:
        try:
            call()
        except Exception as error:
            print(f"{{type(error).__name__}}: {{error}}", file=sys.stderr)
    return watch.is_seen
"""
_TAIL = """

sys.exit(0 if is_seen() else 1)
"""
# Without a GPU: on the meta device the same tensors may not meet.
_DEVICE = '"cuda" if torch.cuda.is_available() else "meta"'
_NUMBERS = re.compile(r"[\d.]+")
_LONGEST = 60


def script_for_line(answer: Answer, judgement: Judgement, key: str) -> str | None:
    """The script for a confirmed finding; None where it cannot be written: several models, two runs."""
    claim = next(one for one in answer.job.claims if one.key == key)
    facts = next(one["facts"] for one in answer.records if one["stage"] == "facts" and one["name"] == key)
    code = facts.get("code", {})
    if None in (code.get("build"), code.get("member"), code.get("call")):
        return None
    harm: Facts = next(iter([*facts.get("harm", ()), *facts.get("lowered", ())]), {})
    body = _body(claim.code, harm)
    if facts.get("moved others"):
        return None  # what other lines make raises before
    lines = sorted({harm.get("line") or claim.line, *range(claim.line, max(claim.line, claim.last_line) + 1)})
    dtype = facts.get("converted") or "None"
    if body is None:
        return None
    return _head(answer.job, judgement, facts, lines, dtype, is_of_device=claim.code == "TL204") + body + _TAIL


def _head(job: Job, judgement: Judgement, facts: Facts, lines: list[int], dtype: str, *, is_of_device: bool) -> str:
    return _HEAD.format(
        evidence=judgement.evidence.replace("\\", "\\\\").replace('"""', "'''"),
        roots=list(job.roots),
        module=job.module,
        lines=lines,
        dtype=dtype,
        device=_DEVICE if is_of_device else "None",
        small_model=_SMALL_MODEL if "SmallModel" in f"{facts['code']}" else "",
        seed=facts["seed"],
        **facts["code"],
    )


def _body(code: str, harm: Facts) -> str | None:
    """What is to be seen again: an error at the line, or what an operation there does."""
    error = harm.get("error") or harm.get("does", "").partition("raises: ")[2]
    if code == "TL204":
        return _ON_THE_DEVICE.format()
    if code in ("TL201", "TL205", "TL301", "TL302", "TL401") and error:
        return _RAISES.format(text=_NUMBERS.split(error)[0][:_LONGEST])
    condition = _CONDITIONS[code](harm) if code in _CONDITIONS else ""
    return _HAPPENS.format(condition=condition) if condition else None


def _infinity(harm: Facts) -> str:
    is_it = "gives an infinity" in harm.get("does", "")
    return "made.dtype is DTYPE and bool(made.isinf().any())" if is_it else ""


def _cast(harm: Facts) -> str:
    if "to" in harm:
        return f"is_open and name in CASTS and dtype is {harm['from']} and made.dtype is {harm['to']}"
    is_lowered = "operation" in harm and "dtype" in harm
    return "is_open and is_from_cast and name not in CASTS and made.dtype in LOWER" if is_lowered else ""


def _backward(harm: Facts) -> str:
    return 'name == "backward" and is_open' if harm.get("differ") is False else ""


def _converted(harm: Facts) -> str:
    is_it = "from" in harm and "to" in harm
    return f"name in CASTS and dtype is {harm['from']} and made.dtype is {harm['to']}" if is_it else ""


_CONDITIONS = {"TL301": _converted, "TL302": _infinity, "TL401": _cast, "TL402": _backward}
