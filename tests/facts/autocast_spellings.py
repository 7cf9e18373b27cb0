"""The spellings of training code: callables chosen by a flag, attributes, properties, tuples, wrappers, statements."""
import contextlib
import functools

import torch
from torch import nn

try:
    from torch.amp import autocast as mixed
except ImportError:

    class mixed:
        def __enter__(self):
            return self

        def __exit__(self, *exception):
            return None


REGIONS = {"bf16": lambda: torch.autocast("cpu", dtype=torch.bfloat16), "none": contextlib.nullcontext}
CONTEXT = torch.autocast("cpu", dtype=torch.bfloat16)
no_autocast = functools.partial(torch.autocast, "cpu", enabled=False)


def chosen(x, amp: bool):
    scope = torch.autocast if amp else contextlib.nullcontext
    with scope("cpu"):
        x * 1  # fact: in autocast dtype ?
    manager = contextlib.nullcontext
    with manager():
        x * 1  # fact: outside
    with mixed("cpu", dtype=torch.bfloat16):
        x * 1  # fact: in autocast bfloat16
    if amp:
        context = torch.autocast("cpu", dtype=torch.bfloat16)
    else:
        context = contextlib.nullcontext()
    with context:
        x * 1  # fact: in autocast bfloat16
    with CONTEXT:
        x * 1  # fact: in autocast bfloat16
    with REGIONS["bf16"]():
        x * 1  # fact: in autocast bfloat16
    with REGIONS["none"]():
        x * 1  # fact: outside
    with no_autocast():
        x * 1  # fact: in island
    return x * 1  # fact: outside


def tools(amp: bool):
    context = torch.autocast("cpu", dtype=torch.bfloat16, enabled=amp)
    return context, contextlib.nullcontext()


def unpacked(x):
    context, nothing = tools(True)
    with context:
        x * 1  # fact: in autocast bfloat16
    with nothing:
        x * 1  # fact: outside
    make = lambda on=True: torch.autocast("cpu", dtype=torch.bfloat16)
    with make():
        x * 1  # fact: in autocast bfloat16
    return x


def by_statements(x, flag: bool):
    region = torch.autocast("cpu", dtype=torch.bfloat16)
    x * 1  # fact: outside
    region.__enter__()
    x * 1  # fact: in autocast bfloat16
    region.__exit__(None, None, None)
    x * 1  # fact: outside
    with contextlib.ExitStack() as stack:
        if flag:
            stack.enter_context(torch.autocast("cpu", dtype=torch.bfloat16))
        x * 1  # fact: in autocast bfloat16
    x * 1  # fact: outside
    with torch.autocast("cpu", dtype=torch.bfloat16):
        x * 1  # fact: in autocast bfloat16
        torch.set_autocast_enabled("cpu", False)
        x * 1  # fact: in island
        torch.set_autocast_enabled("cpu", True)
        x * 1  # fact: in autocast bfloat16
    return x * 1  # fact: outside


def in_region(function):
    @functools.wraps(function)
    def wrapper(*given):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return function(*given)

    return wrapper


def full(enabled):
    def decorator(function):
        def wrapper(*given):
            with torch.autocast("cpu", enabled=False):
                return function(*given)

        return wrapper

    return decorator


def plainly(function):
    def wrapper(*given):
        with torch.no_grad():
            return function(*given)

    return wrapper


@in_region
def wrapped(x):
    return x * 1  # fact: in autocast bfloat16


@full(True)
def wrapped_off(x):
    return x * 1  # fact: in island


@plainly
def wrapped_plainly(x):
    return x * 1  # fact: outside


class Region(torch.autocast):
    pass


class Opened:
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return None


class Base(nn.Module):
    autocast = functools.partial(torch.autocast, "cpu", dtype=torch.bfloat16)

    def __init__(self, amp: bool = True):
        super().__init__()
        self.scope = torch.autocast if amp else contextlib.nullcontext
        self.context = torch.autocast("cpu", dtype=torch.bfloat16) if amp else contextlib.nullcontext()
        self.nothing = contextlib.nullcontext()

    @property
    def region(self):
        return torch.autocast("cpu", dtype=torch.bfloat16)

    @contextlib.contextmanager
    def managed(self):
        with torch.no_grad(), self.region:
            yield


class Model(Base):
    @torch.autocast("cpu", dtype=torch.bfloat16)
    def decorated(self, x):
        return x * 1  # fact: in autocast bfloat16

    def forward(self, x):
        with self.scope("cpu"):
            x * 1  # fact: in autocast dtype ?
        with self.context:
            x * 1  # fact: in autocast bfloat16
        with self.nothing:
            x * 1  # fact: outside
        with self.region:
            x * 1  # fact: in autocast bfloat16
        with self.managed():
            x * 1  # fact: in autocast bfloat16
        with Region("cpu", dtype=torch.bfloat16):
            x * 1  # fact: in autocast bfloat16
        with Region("cpu", enabled=False):
            x * 1  # fact: in island
        with Opened():
            x * 1  # fact: outside
        inner = torch.autocast("cpu", dtype=torch.bfloat16)(lambda y: y)
        return inner(x * 1)  # fact: outside


def demo():
    x = torch.ones(2)
    chosen(x, True)
    unpacked(x)
    by_statements(x, True)
    wrapped(x)
    wrapped_off(x)
    wrapped_plainly(x)
    Model().decorated(x)
    Model()(x)
