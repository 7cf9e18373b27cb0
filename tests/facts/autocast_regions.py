"""Which lines run inside autocast, in which dtype, and which run in an island where it is off."""
import contextlib
import functools

import torch
from torch import amp
from torch.amp import autocast
from torch.amp import autocast as casting

ENABLED = False


def opened(x, flag: bool, dtype):
    x * 1  # fact: outside
    with torch.autocast("cpu", dtype=torch.bfloat16):
        x * 1  # fact: in autocast bfloat16; in no loop
        x  # fact: unknown dtype ? from x
        with torch.autocast("cpu", enabled=False):
            x * 1  # fact: in island
            with torch.autocast("cpu", torch.bfloat16):
                y = x * 2  # fact: in autocast bfloat16
        if flag:
            x * 1  # fact: in autocast bfloat16; holds flag
    x * 1  # fact: outside
    with torch.autocast("cpu"):
        x * 1  # fact: in autocast dtype ?
    with torch.autocast("cpu", dtype):
        x * 1  # fact: in autocast dtype ?
    with torch.autocast(device_type="cpu", dtype=torch.float16):
        x * 1  # fact: in autocast float16
    with amp.autocast("cpu", torch.bfloat16, True), torch.no_grad():
        x * 1  # fact: in autocast bfloat16; gradients off
    with torch.no_grad(), autocast("cpu", torch.bfloat16, False):
        x * 1  # fact: in island; gradients off
    with casting("cpu", enabled=ENABLED):
        x * 1  # fact: in island
    with torch.autocast("cpu", enabled=flag):
        x * 1  # fact: in autocast
    with torch.no_grad():
        x * 1  # fact: outside
    with open("/dev/null") as file:
        x * 1  # fact: outside
    with torch.autocast("cpu", dtype=torch.bfloat16) as entered:
        entered.anything if flag is None else x  # fact: in autocast bfloat16
    return x * 1  # fact: outside


@torch.autocast("cpu", dtype=torch.bfloat16)
def decorated(x):
    return x * 1  # fact: in autocast bfloat16


@torch.autocast("cpu", enabled=False)
def decorated_off(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        x * 1  # fact: in autocast bfloat16
    return x * 1  # fact: in island


@functools.lru_cache
def decorated_otherwise(x):
    return x * 1  # fact: outside


def region(dtype=torch.bfloat16, enabled=True):
    return torch.autocast("cpu", dtype=dtype, enabled=enabled)


def region_or_nothing(flag):
    if flag:
        return torch.autocast("cpu", dtype=torch.bfloat16)
    return contextlib.nullcontext()


@contextlib.contextmanager
def managed():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        yield


@contextlib.contextmanager
def managed_outside():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        pass
    yield


def anything():
    return contextlib.nullcontext()


def by_helpers(x, flag: bool):
    with region():
        x * 1  # fact: in autocast bfloat16
    with region(torch.float16):
        x * 1  # fact: in autocast float16
    with region(enabled=False):
        x * 1  # fact: in island
    with region_or_nothing(flag):
        x * 1  # fact: in autocast bfloat16
    with managed():
        x * 1  # fact: in autocast bfloat16
    with managed_outside():
        x * 1  # fact: outside
    with anything():
        x * 1  # fact: outside
    with torch.autocast("cpu", dtype=torch.bfloat16) if flag else contextlib.nullcontext():
        x * 1  # fact: in autocast bfloat16
    context = torch.autocast("cpu", dtype=torch.bfloat16)
    with context:
        x * 1  # fact: in autocast bfloat16
    context = contextlib.nullcontext()
    with context:
        x * 1  # fact: outside
    half = functools.partial(torch.autocast, "cpu", dtype=torch.bfloat16)
    with half():
        x * 1  # fact: in autocast bfloat16
    with contextlib.ExitStack() as stack:
        x * 1  # fact: outside
        stack.enter_context(torch.autocast("cpu", dtype=torch.bfloat16))
        x * 1  # fact: in autocast bfloat16
    return x * 1  # fact: outside


def nested(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):

        def inner(y):
            return y * 1  # fact: outside

        function = lambda y: y * 1
        result = inner
    result(x)  # fact: outside
    try:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            x * 1  # fact: in autocast bfloat16
            raise ValueError
    except ValueError:
        x * 1  # fact: outside
    return inner(x)  # fact: outside


class Region(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.context = torch.autocast("cpu", dtype=torch.bfloat16)

    def region(self):
        return torch.autocast("cpu", dtype=torch.bfloat16)

    def forward(self, x):
        with self.region():
            x * 1  # fact: in autocast bfloat16
        with self.context:
            x * 1  # fact: in autocast bfloat16
        with self.anything():
            x * 1  # fact: outside
        return x * 1  # fact: outside

    def anything(self):
        return contextlib.nullcontext()


def demo():
    x = torch.ones(2)
    opened(x, True, torch.bfloat16)
    decorated(x)
    decorated_off(x)
    decorated_otherwise(x)
    by_helpers(x, True)
    nested(x)
    Region()(x)
