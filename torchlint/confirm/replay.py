"""A script that repeats what confirmed a finding, and needs nothing but torch and the file."""

from __future__ import annotations

import re
from typing import Any

from torchlint.confirm.case import Judgement
from torchlint.confirm.plan import Job
from torchlint.confirm.scripts.head import RECORD
from torchlint.confirm.supervisor import Answer

_CLOSURE = re.compile(r"\.<closure (\w+)>")
_HEAD = '''\
"""Repeats what torchlint saw. Exit code 0: it was seen again, 1: it was not.

{evidence}
"""

import copy
import sys
from importlib import import_module

import torch
from torch import nn

sys.path[:0] = {roots!r}
checked = import_module({module!r})
DEVICE = "cuda" if torch.cuda.is_available() else "meta"

{record}
def build(seed={seed}, noise=True):
    """The module, with noise on its parameters: what is computed from zeros is never seen to be old."""
    torch.manual_seed(seed)
    module = {build}
    with torch.no_grad():
        for parameter in module.parameters() if noise else ():
            if parameter.is_floating_point():
                parameter.add_(torch.randn_like(parameter), alpha=0.1)
    return module


def placed(value, to):
    """What forward is given, in another dtype or on another device."""
    if isinstance(value, dict):
        return type(value)((name, placed(one, to)) for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return type(value)(placed(one, to) for one in value)
    is_kept = not isinstance(value, torch.Tensor) or (isinstance(to, torch.dtype) and not value.is_floating_point())
    return value if to is None or is_kept else value.to(to)


def run(module, to=None):
    """Call the module."""
{before}    torch.manual_seed({seed} + 100)
    arguments, named = (lambda *given, **named: (given, named))({call})
    torch.manual_seed({seed} + 7)
    return module{entry}(*placed(arguments, to), **placed(named, to))


def tensors(output):
    """The tensors in an output."""
    if isinstance(output, torch.Tensor):
        return [output]
    parts = output.values() if isinstance(output, dict) else output if isinstance(output, (list, tuple)) else ()
    return [one for part in parts for one in tensors(part)]


def differ(one, other):
    """Whether two outputs differ."""
    pairs = zip(tensors(one), tensors(other))
    return any(a.shape != b.shape or not torch.allclose(a.float(), b.float(), 1e-4, 1e-4) for a, b in pairs)


def captured(function, name):
    """What a function captured under a name."""
    return function.__closure__[function.__code__.co_freevars.index(name)].cell_contents


def attribute(module):
    """What the finding is about."""
    return {attribute}


def is_seen():
    """Whether it happens again."""
'''
_TAIL = """

sys.exit(0 if is_seen() else 1)
"""
_STAYS = {
    "move": ("DEVICE", "attribute(module).device.type != DEVICE"),
    "half": ("torch.bfloat16", "attribute(module).dtype is not torch.bfloat16"),
}
_CONVERTED = """\
    module = build()
    {before}
    module.to({to})
    {after}
    if not ({stays}):
        return False
    {harm}
"""
_HARM = """\
try:
        with torch.no_grad():
            output = run(module, {to})
    except (RuntimeError, NotImplementedError, TypeError):
        return True
    return any(one.dtype is torch.float32 for one in tensors(output))
"""
_EVENT = """\
    used, fresh = build(), build()
    used.eval()
    with torch.no_grad():
        run(used)
    {event}
    fresh.eval()
    with torch.no_grad():
        expected = run(fresh)
        try:
            return differ(run(used), expected)
        except RuntimeError:
            return True
"""
_EVENTS = {
    "load": """\
state = copy.deepcopy(build({seed} + 1).state_dict())
    for one in (used, fresh):
        one.load_state_dict(state, strict=False)""",
    "load by assignment": """\
state = build({seed} + 1).state_dict()
    for one in (used, fresh):
        one.load_state_dict(copy.deepcopy(state), strict=False, assign=True)""",
    "eval again after a fused step": """\
used.train()
    for parameter in used.parameters():
        parameter.grad = torch.randn_like(parameter)
    torch.optim.SGD(used.parameters(), lr=0.5, fused=True).step()
    used.eval()
    fresh.load_state_dict(copy.deepcopy(used.state_dict()), strict=False)""",
    "eval again": """\
used.train()
    with torch.no_grad():
        for parameter in used.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.5)
    used.eval()
    fresh.load_state_dict(copy.deepcopy(used.state_dict()), strict=False)""",
}
_STATES = {
    "TL101": "    module = build()\n    return not any(attribute(module) is one for one in module.parameters())\n",
    "TL108": "    return not callable(attribute(build()))\n",
    "TL114": "    return not isinstance(attribute(build()), nn.Parameter)\n",
    "TL115": "    return attribute(build()) is None\n",
}
_STATES["TL105"] = _STATES["TL101"]
_ONCE = """\
    module = build()
    module.train()
    try:
        sum(one.abs().sum() for one in tensors(run(module)) if one.requires_grad).backward()
    except RuntimeError as error:
        return "modified by an inplace operation" in str(error)
    return False
"""
_WAKE = """\
    module = build()
    part = attribute(module)
    was_asleep = not part.training
    module.train()
    {forward}
    return was_asleep and part.training
"""
_UNLOADABLE = """\
    module = build()
    module.train()
    for _ in range(3):
        run(module)
    try:
        build().load_state_dict(module.state_dict())
    except RuntimeError as error:
        return "Unexpected key" in str(error)
    return False
"""
_PROTOCOL = """\
    module = build()
    try:
        returned = module.{call}
    except Exception:
        return True
    return returned is not module or module.training
"""
_TWICE = """\
    module = build()
    for turn in range(2):
        module.train()
        try:
            sum(one.abs().sum() for one in tensors(run(module)) if one.requires_grad).backward()
        except RuntimeError:
            return turn > 0
    return False
"""


def script_for(answer: Answer, judgement: Judgement, code: str) -> str | None:
    """The script for a confirmed finding of the rule `code`; None where it cannot be written."""
    told = {record["stage"]: record for record in answer.records}
    built, ran = told.get("constructed", {}), told.get("ran", {})
    has_call = ran.get("code") is not None and None not in [one for *_, one in ran.get("before", ())]
    body = _body(judgement, code, has_call=has_call, seed=built.get("seed", 0))
    path = _as_code(judgement.path)
    if body is None or built.get("code") is None or path is None:
        return None
    return _head(answer.job, judgement, built, ran if has_call else {}, path) + body + _TAIL


def _head(job: Job, judgement: Judgement, built: dict[str, Any], ran: dict[str, Any], path: str) -> str:
    first = "".join(f"        module.{name}({code})\n" for name, _, code in ran.get("before", ()))
    return _HEAD.format(
        before=f"    if module.training:\n{first}" if first else "",
        entry=f".{ran['entry']}" if ran.get("entry") else "",
        evidence=judgement.evidence.replace("\\", "\\\\").replace('"""', "'''"),
        roots=list(job.roots),
        module=job.module,
        seed=built["seed"],
        build=built["code"],
        call=ran.get("code") or "",
        record=RECORD if "Record(" in f"{ran.get('code')} {first}" else "",
        attribute=path,
    )


def _as_code(path: str) -> str | None:
    """The way to a tensor as an expression; None where it leads through what code cannot name."""
    # What stands at the top of the file is reached through that.
    expression = path.replace("self", "module", 1) if path.startswith("self") or not path else f"checked.{path}"
    expression = re.sub(r"\.(\d+)", r"[\1]", expression) or "module"
    match = _CLOSURE.search(expression)
    while match is not None:
        expression = f"captured({expression[: match.start()]}, {match[1]!r}){expression[match.end() :]}"
        match = _CLOSURE.search(expression)
    return None if "<" in expression else expression


def _body(judgement: Judgement, code: str, *, has_call: bool, seed: int) -> str | None:
    history = judgement.history.removesuffix(" when used")
    if history == "state":
        return _STATES.get(code)
    if history == "protocol":
        return _PROTOCOL.format(call="eval()" if judgement.path == "self.eval" else "train(False)")
    if history in _STAYS:
        return _conversion(history, judgement, has_call=has_call)
    if history == "wake" and judgement.path.count("."):
        return _WAKE.format(forward="run(module)" if has_call else "pass")
    if not has_call:
        return None
    if history == "once":
        return _ONCE
    if history == "resume":
        return _UNLOADABLE if code == "TL120" else None
    if history in _EVENTS:
        return _EVENT.format(event=_EVENTS[history].format(seed=seed))
    return _TWICE if history == "twice" else None


def _conversion(history: str, judgement: Judgement, *, has_call: bool) -> str | None:
    to, stays = _STAYS[history]
    is_used = judgement.history.endswith(" when used")
    if is_used and not has_call:
        return None
    # Without a GPU nothing raises as there: what stays behind is all that can be seen again.
    harm = "return True" if history == "move" or "state only" in judgement.evidence else _HARM.format(to=to)
    before = "module.eval()\n    with torch.no_grad():\n        run(module)" if is_used else "module.train()"
    return _CONVERTED.format(
        to=to, stays=stays, before=before, after="module.eval()" * (not is_used) or "pass", harm=harm
    )
