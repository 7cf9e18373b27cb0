"""Each way to switch gradients off around the forward call, and those that miss it."""
from contextlib import ExitStack, contextmanager, nullcontext

import torch
from torch import nn

held = []


def plain(model, loader):
    model.eval()  # expect: TL304
    for x in loader:
        held.append(model(x))


def around_the_wrong_line(model, loader):
    model.eval()  # expect: TL304
    for x in loader:
        with torch.no_grad():
            x = x * 2
        held.append(model(x))


def enabled_again(model, loader):
    model.eval()  # expect: TL304
    torch.set_grad_enabled(False)
    torch.set_grad_enabled(True)
    for x in loader:
        held.append(model(x))


def by_block(model, loader):
    model.eval()  # ok: TL304
    with torch.no_grad():
        for x in loader:
            held.append(model(x))


def inside_the_loop(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        with torch.inference_mode():
            held.append(model(x))


@torch.no_grad()
def by_decorator(model, loader):
    model.eval()  # ok: TL304
    held.extend(model(x) for x in loader)


def by_statement(model, loader):
    model.eval()  # ok: TL304
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    for x in loader:
        held.append(model(x))
    torch.set_grad_enabled(before)


def by_choice(model, loader, record: bool = False):
    model.eval()  # ok: TL304
    with nullcontext() if record else torch.no_grad():
        for x in loader:
            held.append(model(x))


def by_stack(model, loader):
    model.eval()  # ok: TL304
    with ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        for x in loader:
            held.append(model(x))


def quiet():
    return torch.no_grad()


@contextmanager
def silence():
    with torch.no_grad():
        yield


def by_helper(model, loader):
    model.eval()  # ok: TL304
    with quiet():
        for x in loader:
            held.append(model(x))


def by_context_manager(model, loader):
    model.eval()  # ok: TL304
    with silence():
        for x in loader:
            held.append(model(x))


def demonstrate():
    model, loader = nn.Linear(2, 2), [torch.ones(1, 2)] * 2
    for records, functions in (
        (True, (plain, around_the_wrong_line, enabled_again)),
        (False, (by_block, inside_the_loop, by_decorator, by_statement, by_choice, by_stack, by_helper)),
        (False, (by_context_manager,)),
    ):
        for function in functions:
            held.clear()
            function(model, loader)
            assert [out.requires_grad for out in held] == [records] * 2, function
