"""Scripts for what is seen in one call: an error at the line, or what an operation there does."""

from __future__ import annotations

import re

from torchlint.confirm.scripts.head import Facts, Seen

_NUMBERS = re.compile(r"[\d.]+")
_LONGEST = 60
_RAISES = '''

def is_seen():
    """Whether it raises at the line again."""
    try:
        call()
    except Exception as error:
        trace, lines = error.__traceback__, []
        while trace is not None:
            if os.path.realpath(trace.tb_frame.f_code.co_filename) == FILE:
                lines.append(trace.tb_lineno)
            trace = trace.tb_next
        return ERROR in f"{type(error).__name__}: {error}" and bool(set(lines).intersection(LINES))
    return False
'''
_CASTS = """
CASTS = ("to", "half", "bfloat16", "float", "double", "type", "type_as")
"""
_HAPPENS = '''

class Watch(TorchFunctionMode):
    """Notices what the operations at the line do."""

    is_seen = False

    def __torch_function__(self, func, types, args=(), kwargs=None):
        name, first = getattr(func, "__name__", ""), args[0] if args else None
        dtype = first.dtype if isinstance(first, torch.Tensor) else None
        <opened>result = func(*args, **(kwargs or {}))
        made = result if isinstance(result, torch.Tensor) else first
        is_here = is_at_line() and isinstance(made, torch.Tensor)
        if is_here and <condition>:
            self.is_seen = True
        return result

'''
_OPENED = """is_open = torch.is_autocast_enabled("cpu") or torch.is_autocast_enabled("cuda")
        """
_LOWERED = '''

class Watch(TorchFunctionMode):
    """Follows what the casts of the line make, and notices what computes in a lower dtype with it."""

    is_seen = False

    def __init__(self):
        super().__init__()
        self.wide = []  # what the casts make, and what stays float32 of that

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        if not isinstance(result, torch.Tensor):
            return result
        is_cast = getattr(func, "__name__", "") in CASTS
        is_from_cast = any(one is wide for one in args for wide in self.wide)
        is_open = torch.is_autocast_enabled("cpu") or torch.is_autocast_enabled("cuda")
        if is_open and is_from_cast and not is_cast and result.dtype in (torch.float16, torch.bfloat16):
            self.is_seen = True
        if result.dtype is torch.float32 and (is_from_cast or (is_cast and is_at_line())):
            self.wide.append(result)
        return result

'''
WATCHED = '''
def is_seen():
    """Whether it happens again."""
    with Watch() as watch:
        try:
            call()
        except Exception as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)
    return watch.is_seen
'''


def error_at_line(seen: Seen) -> str | None:
    """The script for what raises at the line."""
    error = seen.harm.get("error") or seen.harm.get("does", "").partition("raises: ")[2]
    # Numbers in it may be others the next time.
    return f"\nERROR = {_NUMBERS.split(error)[0][:_LONGEST]!r}\n{_RAISES}" if error else None


def cast_in_region(seen: Seen) -> str | None:
    """The script for TL401: the cast converts inside a region, or what it feeds computes in a lower dtype."""
    harm = seen.harm
    if "to" in harm:
        return _happens(f"is_open and {_conversion(harm)}")
    is_lowered = "operation" in harm and "dtype" in harm
    return error_at_line(seen) or (_CASTS + _LOWERED + WATCHED if is_lowered else None)


def converted_state(seen: Seen) -> str | None:
    """The script for TL301: the line converts what is no floating number, or raises on it."""
    is_it = "from" in seen.harm and "to" in seen.harm
    return error_at_line(seen) or (_happens(_conversion(seen.harm)) if is_it else None)


def backward_in_region(seen: Seen) -> str | None:
    """The script for TL402 where the region alone is what the finding says."""
    return _happens('name == "backward" and is_open')


def counter(dtype: str) -> str:
    """The script for TL302 of a counter that adds 1 in a dtype in which it stands still."""
    name = 'name in ("add", "add_", "__add__", "__iadd__", "__radd__")'
    return _happens(f'{name} and dtype is {dtype} and repr(args[-1]) in ("1", "1.0")')


def _conversion(harm: Facts) -> str:
    return f"name in CASTS and dtype is {harm['from']} and made.dtype is {harm['to']}"


def _happens(condition: str) -> str:
    casts = _CASTS if "CASTS" in condition else ""
    watch = _HAPPENS.replace("<condition>", condition).replace("<opened>", _OPENED if "is_open" in condition else "")
    return casts + watch + WATCHED
