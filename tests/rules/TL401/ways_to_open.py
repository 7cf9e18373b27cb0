"""The ways to open a region: aliases, a variable, a conditional with nullcontext, several contexts, an exit stack."""
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial

import torch
from torch import autocast as region


@contextmanager
def mixed():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        yield


class Model:
    def __init__(self):
        self.autocast = partial(torch.autocast, "cpu", dtype=torch.bfloat16)

    def by_attribute(self, a, b):
        with self.autocast():
            return a.float() @ b  # expect: TL401


def by_alias(a, b):
    with region("cpu", dtype=torch.bfloat16):
        return a.float() @ b  # expect: TL401


def by_variable(a, b, amp: bool = True):
    context = torch.autocast("cpu", dtype=torch.bfloat16) if amp else nullcontext()
    with context:
        return a.float() @ b  # expect: TL401


def by_several(a, b):
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        return a.float() @ b  # expect: TL401


def by_generator(a, b):
    with mixed():
        return a.float() @ b  # expect: TL401


def by_library(accelerator, a, b):
    with accelerator.autocast():
        return a.float() @ b  # expect: TL401


def by_stack(a, b):
    with ExitStack() as stack:
        stack.enter_context(torch.autocast("cpu", dtype=torch.bfloat16))
        return a.float() @ b  # expect: TL401


def without(a, b):
    with nullcontext():
        return a.float() @ b  # ok: TL401


def without_grad(a, b):
    with torch.no_grad():
        return a.float() @ b  # ok: TL401


def made_and_not_entered(a, b):
    context = torch.autocast("cpu", dtype=torch.bfloat16)  # ok: TL401
    c = a.float() @ b  # ok: TL401
    with context:
        return c.float() + b  # ok: TL401


def in_test(a, b):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        if not torch.is_autocast_enabled("cpu"):
            return a.float() @ b  # ok: TL401
        return a


class Plain:
    def run(self, a, b):
        return a.float() @ b  # ok: TL401

    def half(self, a):
        return a.half()  # ok: TL401


def demonstrate():
    a = torch.rand(3, 3)
    for function in (Model().by_attribute, by_alias, by_variable, by_several, by_generator, by_stack):
        assert function(a, a).dtype == torch.bfloat16, function
    for function in (without, without_grad, made_and_not_entered, in_test, Plain().run):
        assert function(a, a).dtype == torch.float32, function
