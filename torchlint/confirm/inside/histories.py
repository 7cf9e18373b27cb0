"""What is done to a module, one history a function; each returns facts that are judged elsewhere.

A fact is plain data for JSON. A history builds its own modules, so none sees what another left behind.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable

import torch
from torch import nn

from .conversions import halve, move
from .events import load, load_by_assignment, rebuilds, resize, train_again, update
from .graphs import twice
from .lineage import Lineage
from .lines import lines_in, lines_of
from .memo import freed
from .modes import by_eval_alone, wake
from .outcomes import is_repeatable, output_of, said, stale
from .registering import registrations
from .search import to_eval
from .simulated import SimulatedTrace, simulation
from .subject import Facts, Subject
from .trace import Trace
from .training import once, resume
from .walk import REGISTERED, Reached, tensors_below, walk
from .weights import with_other_weights

__all__ = ["HISTORIES", "WITHOUT_FORWARD", "Subject", "is_repeatable", "lines_run"]


def lines_run(subject: Subject) -> Facts:
    """The lines of the file that run when the class is built, is called in training mode, and in either mode."""
    with lines_of(subject.file) as built:
        module = subject.recipe.build()
    in_modes: list[set[int]] = []
    for switch in (nn.Module.train, to_eval) if subject.can_run else ():
        with lines_of(subject.file) as ran:
            switch(module)
            output_of(lambda: subject.recipe.run(module))
        in_modes.append(ran)
    trained = in_modes[0] if in_modes else set()
    return {"built": sorted(built), "trained": sorted(trained), "ran": sorted(set().union(*in_modes))}


# What it holds


def state(subject: Subject) -> Facts:
    """Build it, look at what it holds, and at which of that a forward on the CPU reads."""
    module, facts = _built(subject)
    before = _tensors_by_attribute(module)
    facts["read"] = _read_by_forward(subject, module) if subject.can_run else []
    after = _tensors_by_attribute(module)
    facts["refilled"] = [name for name, held in before.items() if after.get(name) != held]
    return facts


def _tensors_by_attribute(module: nn.Module) -> dict[str, list[int]]:
    """The identities of the tensors in each plain attribute, and their versions, so that a new one is noticed."""
    plain = {f"self.{name}": value for name, value in vars(module).items() if not name.startswith("_")}
    return {
        name: [number for one in tensors_below(value) for number in (id(one), one._version)]
        for name, value in plain.items()
    }


def state_elsewhere(subject: Subject) -> Facts:
    """Build it where conversions in the constructor do something: in float64 and, if one is simulated, on a device."""
    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        if subject.device != "sim":
            return _built(subject)[1]
        with simulation(SimulatedTrace(subject.file)):
            return _built(subject)[1]
    finally:
        torch.set_default_dtype(default)


def _built(subject: Subject) -> tuple[nn.Module, Facts]:
    """A new module, and what it holds."""
    with Lineage() as lineage:
        module = subject.recipe.build()
    return module, {**_held_by(module), "of lost Parameters": lineage.lost_in(module)}


def _held_by(module: nn.Module) -> Facts:
    reached = walk(module)
    registered = {id(one) for one in (*module.parameters(), *module.buffers())}
    registries = (module._parameters, module._buffers, module._modules, vars(module))
    return {
        "held": {one.path: one.held.value for one in reached},
        "unregistered parameters": [
            one.path for one in reached if isinstance(one.tensor, nn.Parameter) and id(one.tensor) not in registered
        ],
        "given out": [one.path for one in reached if one.held not in REGISTERED and id(one.tensor) in registered],
        "same": _sharing(module, reached),
        "only Parameters of the module": _aliases(module),
        "none": [f"self.{name}" for registry in registries for name, value in registry.items() if value is None],
    }


def _sharing(module: nn.Module, reached: list[Reached]) -> dict[str, list[str]]:
    """The attributes that hold tensors under which others come first, and the paths of those."""
    first = {id(one.tensor): one.path for one in reached if one.held not in REGISTERED}
    found: dict[str, list[str]] = {}
    for name, value in vars(module).items():
        below = tensors_below(value, beside=module) if name[0] != "_" else []
        paths = {first[id(one)] for one in below if id(one) in first}
        others = sorted(path for path in paths if not path.startswith(f"self.{name}"))
        if others:
            found[f"self.{name}"] = others
    return found


def _aliases(module: nn.Module) -> list[str]:
    """The plain attributes all of whose tensors are Parameters that the module has as such anyway."""
    registered = {id(one) for one in module.parameters()}
    plain = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    below = {name: [id(one) for one in tensors_below(value)] for name, value in plain.items()}
    return [f"self.{name}" for name, found in below.items() if found and registered.issuperset(found)]


def _read_by_forward(subject: Subject, module: nn.Module) -> list[str]:
    to_eval(module)
    trace = Trace(subject.file)
    registered = {_memory(one) for one in (*module.parameters(), *module.buffers())}
    for one in walk(module):
        if _memory(one.tensor) not in registered:  # what shares the memory of the state cannot be told from it
            trace.mark(one.tensor, one.path)
    with trace:
        output_of(lambda: subject.recipe.run(module))
    return sorted(trace.operated)


def _memory(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr() if tensor.layout is torch.strided else id(tensor)


# Modes


def protocol(subject: Subject) -> Facts:
    """train(False), then train(), then eval(): what they return, and whose mode they change."""
    module = subject.recipe.build()
    members = [name for name in dir(nn.Module) if not name.startswith("_") and callable(getattr(nn.Module, name))]
    facts: Facts = {"raised": "", "returned": "", "eval_returned": "", "still": [], "not_back": []}
    facts["not callable"] = [name for name in members if not callable(getattr(module, name, None))]
    override = inspect.unwrap(type(module).train)
    try:
        with lines_of(os.path.realpath(override.__code__.co_filename)) as ran:
            returned = module.train(False)
            facts["returned"] = "self" if returned is module else type(returned).__name__
            facts["still"] = [name or "self" for name, part in module.named_modules() if part.training]
            module.train()
            facts["not_back"] = [name or "self" for name, part in module.named_modules() if not part.training]
            returned = module.eval()
            facts["eval_returned"] = "self" if returned is module else type(returned).__name__
            module.train(mode=True)
        facts["unreached"] = sorted(lines_in(override.__code__) - ran)
        facts["by eval alone"] = by_eval_alone(subject.recipe) if "eval" in subject.members else []
    except Exception as error:
        facts["raised"] = said(error)
    return facts


# What it computes from its weights


def reload(subject: Subject) -> Facts:
    """A module built with other weights, and one that loads those: what of the second is not as in the first?

    Then the same with a conversion before the load, after which a view of a Parameter is a view no more. derived: what
    the other weights change at all.
    """
    recipe = subject.recipe
    weights = dict(with_other_weights(recipe).named_parameters())
    facts: Facts = {"derived": stale(recipe.build(noise=False), with_other_weights(recipe)), "read": []}
    whole = recipe.build(noise=False)
    whole.load_state_dict(with_other_weights(recipe).state_dict(), strict=False)
    facts["stale when all is loaded"] = stale(whole, with_other_weights(recipe))
    facts["frozen"] = not any(one.requires_grad for one in whole.parameters())
    for name, dtype in (("stale", None), ("stale when converted", torch.float64)):
        loaded = recipe.build(noise=False)
        if dtype is not None:
            loaded.to(dtype)
        loaded.load_state_dict({**loaded.state_dict(), **weights}, strict=False)
        facts[name], read = _stale_after_forward(subject, loaded, with_other_weights(recipe), dtype)
        facts["read"] += sorted(read)
    return facts


def _stale_after_forward(
    subject: Subject, used: nn.Module, fresh: nn.Module, dtype: torch.dtype | None
) -> tuple[list[str], set[str]]:
    """What forward does not renew either, and what of that it reads."""
    before = stale(used, fresh)
    if not subject.can_run or not before:
        return before, set()
    trace = Trace(subject.file)
    for one in walk(used):
        if one.path in before:
            trace.mark(one.tensor, one.path)
    output_of(lambda: subject.recipe.run(to_eval(fresh)))
    with trace:
        output_of(lambda: subject.recipe.run(to_eval(used), dtype=dtype))
    return [path for path in stale(used, fresh) if path in before], trace.read


HISTORIES: dict[str, Callable[[Subject], Facts]] = {
    "state": state,
    "state elsewhere": state_elsewhere,
    "protocol": protocol,
    "move": lambda subject: move(subject, is_warm=False),
    "move when used": lambda subject: move(subject, is_warm=True),
    "move in a parent": lambda subject: move(subject, is_warm=False, in_parent=True),
    "move when used in a parent": lambda subject: move(subject, is_warm=True, in_parent=True),
    "half": lambda subject: halve(subject, torch.bfloat16, is_warm=False),
    "half when used": lambda subject: halve(subject, torch.bfloat16, is_warm=True),
    "half in a parent": lambda subject: halve(subject, torch.bfloat16, is_warm=False, in_parent=True),
    "half when used in a parent": lambda subject: halve(subject, torch.bfloat16, is_warm=True, in_parent=True),
    "half after a second eval": lambda subject: halve(subject, torch.bfloat16, is_warm=True, again=True),
    "load": load,
    "load in a parent": lambda subject: load(subject, in_parent=True),
    "load by assignment": load_by_assignment,
    "update": update,
    "train again": train_again,
    "train again in a parent": lambda subject: train_again(subject, in_parent=True),
    "eval again": lambda subject: train_again(subject, to_eval=True),
    "eval again in a parent": lambda subject: train_again(subject, to_eval=True, in_parent=True),
    "eval again after a fused step": lambda subject: train_again(subject, to_eval=True, is_fused=True),
    "resize": resize,
    "rebuilds": rebuilds,
    "reload": reload,
    "twice": twice,
    "registrations": registrations,
    "freed": freed,
    "wake": wake,
    "once": once,
    "resume": resume,
}
# Those that say something also where no forward runs.
WITHOUT_FORWARD = (
    "state",
    "state elsewhere",
    "protocol",
    "move",
    "move in a parent",
    "half",
    "half in a parent",
    "reload",
    "registrations",
    "wake",
)
IN_TRAINING = ("twice", "once", "resume", "wake")
# Those that need a device.
ON_A_DEVICE = tuple(name for name in HISTORIES if name.startswith("move"))
