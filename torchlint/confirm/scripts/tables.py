"""The script for TL104 where a function keeps values in a dict of the file, or on itself."""

from __future__ import annotations

import re

from torchlint.confirm.scripts.head import Seen
from torchlint.confirm.scripts.places import PRETENDED_DEVICE

_NAME = re.compile(r"([\w.]+) is kept by")
_TENSORS = '''

def tensors(value):
    """The tensors in a value."""
    if isinstance(value, torch.Tensor):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [one for part in parts for one in tensors(part)]
'''
_CONVERTED = '''

def converted(value):
    """An argument, <event>."""
    if isinstance(value, dict):
        return type(value)((name, converted(one)) for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return type(value)(converted(one) for one in value)
    return value.to(<to>) if isinstance(value, torch.Tensor)<condition> else value
'''
_SECOND = '''

def second():
    """A call <event>: the dtypes, places and values that it gives; or what it raises."""
    try:
        with <mode>, torch.no_grad():
            torch.manual_seed(<seed>)
            given, named = arguments(<call>)
            function = target()<moved>
            torch.manual_seed(<later>)
            made = tensors(function(*<given>, **<named>))
            return [f"{one.dtype} on {one.device.type}" for one in made], made
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return f"{type(error).__name__}: {error}", []


def forget():
    """Empty what is kept."""
    <forget>


def are_far(one, other):
    """Whether two results differ by more than rounding."""
    one, other = one.detach().cpu().double(), other.detach().cpu().double()
    return one.shape != other.shape or float((one - other).abs().sum()) > 0.0001 * float(one.abs().sum() + 1e-12)


def differ(expected, found):
    """Whether a call gives or raises something else."""
    return expected[0] != found[0]<or_values>


def is_seen():
    """Whether the second call does something else where the first has filled what is kept."""
    fresh = []
    for _ in range(2):
        forget()
        fresh.append(second())
    # What raises in any case, or differs each time, says nothing.
    if isinstance(fresh[0][0], str) or differ(*fresh):
        return False
    forget()
    with torch.no_grad():
        call()
    return differ(fresh[0], second())
'''
_OR_VALUES = " or any(are_far(one, other) for one, other in zip(expected[1], found[1]))"


def kept_by_a_function(seen: Seen) -> str | None:
    """The script for a second call that gets what was kept for the first."""
    event, call, name = seen.harm["event"], seen.harm.get("code"), _NAME.match(seen.claim.text)
    if call is None or name is None:
        return None
    to = {"on the device": '"cuda"', "in bfloat16": "torch.bfloat16"}.get(event, "")
    is_of_device = event == "on the device"
    owner, _, attribute = name[1].rpartition(".")
    parts = {
        "event": event,
        "to": to,
        "condition": "" if is_of_device else " and value.is_floating_point()",
        "mode": "Device(of_line=False, of_others=False)" if is_of_device else "nullcontext()",
        "seed": str(seen.facts["seed"] + 100),
        "later": str(seen.facts["seed"] + 7),
        "call": call,
        "given": "converted(given)" if to else "given",
        "named": "converted(named)" if to else "named",
        "moved": f"\n            if isinstance(function, nn.Module):\n                function.to({to})" if to else "",
        "forget": f'vars(checked.{owner}).pop("{attribute}", None)' if owner else f"checked.{attribute}.clear()",
        # What was rounded once more differs in its values anyway.
        "or_values": "" if event == "in bfloat16" else _OR_VALUES,
    }
    text = (PRETENDED_DEVICE if is_of_device else _TENSORS) + (_CONVERTED if to else "") + _SECOND
    return re.sub(r"<(\w+)>", lambda found: parts[found[1]], text)
