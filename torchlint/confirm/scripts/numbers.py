"""Scripts for TL302: numbers that the dtype of a tensor cannot hold."""

from __future__ import annotations

import re

from torchlint.confirm.scripts.at_the_line import WATCHED, counter, error_at_line
from torchlint.confirm.scripts.head import Seen
from torchlint.confirm.scripts.training import optimizer_eps

_AGAIN = '''

def tensors(value):
    """The tensors in a value."""
    if isinstance(value, torch.Tensor):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [one for part in parts for one in tensors(part)]


def each(value, change):
    """The arguments with their tensors and dtypes changed."""
    if isinstance(value, dict):
        return {name: each(one, change) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(each(one, change) for one in value)
    return change(value) if isinstance(value, (torch.Tensor, torch.dtype)) else value


def wide(value):
    """A copy of a tensor, or a dtype, in float32 where it is in half."""
    if isinstance(value, torch.Tensor):
        return value.detach().clone().to(torch.float32 if value.dtype is HALF else value.dtype)
    return torch.float32 if value is HALF else value


def again(func, args, kwargs):
    """What an operation gives on other arguments, and what it leaves in them; [] where it raises."""
    try:
        with torch.no_grad():
            return tensors((func(*args, **kwargs), args, kwargs))
    except Exception:
        return []
'''
_INFINITE = '''

class Watch(TorchFunctionMode):
    """Does each operation of the line once more in float32."""

    is_seen = False

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        copies = each((args, kwargs), wide) if is_at_line() else None
        result = func(*args, **kwargs)
        for one, other in zip(tensors((result, args, kwargs)), again(func, *copies) if copies else []):
            if one.dtype is HALF and one.shape == other.shape and bool((one.isinf() & other.isfinite()).any()):
                self.is_seen = True
        return result

'''
_EPS = '''

class Watch(TorchFunctionMode):
    """Does operations once more with zeros, in half and in float32: those of the line, and what gets their results."""

    is_seen = False

    def __init__(self):
        super().__init__()
        self.zeros = {}  # by identity: what is zero in half for zeros, and what it is in float32 then

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        is_after = any(id(one) in self.zeros for one in tensors((args, kwargs)))
        if not is_after and not is_at_line():
            return func(*args, **kwargs)
        halved = again(func, *each((args, kwargs), self.in_half))[:1]
        widened = again(func, *each((args, kwargs), self.in_float32))[:1]
        result = func(*args, **kwargs)
        for half, full, made in zip(halved, widened, tensors(result)):
            if made.dtype is HALF and half.shape == full.shape and bool(full.isfinite().all()):
                self.is_seen = self.is_seen or not bool(half.isfinite().all())
                if bool(((half == 0) & (full != 0)).any()):
                    self.zeros[id(made)] = (made, full)
        return result

    def in_half(self, value):
        """What stands for an operand: zeros, or ones beside what the line made."""
        if isinstance(value, torch.dtype) or not value.is_floating_point():
            return value
        return torch.zeros_like(value) if not self.zeros or id(value) in self.zeros else torch.ones_like(value)

    def in_float32(self, value):
        """The same in float32, where what the line made may not be zero."""
        if isinstance(value, torch.Tensor) and id(value) in self.zeros:
            return self.zeros[id(value)][1].clone()
        return wide(self.in_half(value))

'''


def out_of_range(seen: Seen) -> str | None:
    """The script for what was seen of numbers that float16 or bfloat16 cannot hold."""
    does = seen.harm.get("does", "")
    named = re.search(r"\b(b?float16)\b", seen.claim.text)
    dtype = f"torch.{named[1] if named else 'float16'}"
    half = f"\nHALF = {dtype}\n"
    if does.startswith("gives an infinity"):
        return half + _AGAIN + _INFINITE + WATCHED
    if does.startswith("keeps nothing away from zero"):
        return half + _AGAIN + _EPS + WATCHED
    if does.startswith("adds 1 to a counter"):
        return counter(dtype)
    return optimizer_eps(seen) if does.startswith("steps with gradients") else error_at_line(seen)
