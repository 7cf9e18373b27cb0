"""The regions of torch.cuda.amp, whose first argument is `enabled`, and an import that falls back to a dummy."""
import torch
from torch.cuda import amp

try:
    from torch.cuda.amp import autocast
except ImportError:

    class autocast:
        def __init__(self, enabled=True):
            pass

        def __enter__(self):
            pass

        def __exit__(self, *exception):
            pass


def by_name(a, b):
    with torch.cuda.amp.autocast():
        return a.float() @ b  # expect: TL401


def by_module(a, b):
    with amp.autocast(True):
        return a.float() @ b  # expect: TL401


def by_guarded_import(a, b):
    with autocast():
        return a.float() @ b  # expect: TL401


def switched_off(a, b):
    with amp.autocast(False):
        return a.float() @ b  # ok: TL401


def switched_off_by_name(a, b):
    with autocast(enabled=False):
        return a.float() @ b  # ok: TL401


def outside(a, b):
    with autocast():
        c = a @ b
    return c.float() @ b  # ok: TL401
