"""What is reached from a module, by which way, and how it is held."""

from __future__ import annotations

import functools
from collections import OrderedDict, deque, namedtuple
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import nn

from torchlint.confirm.inside.walk import Held, walk

TABLE = torch.ones(1)
TABLES = {"of one": torch.ones(1)}
Pair = namedtuple("Pair", "cosine sine")


@dataclass
class Kept:
    bias: torch.Tensor


class Slotted:
    __slots__ = ("bias",)

    def __init__(self):
        self.bias = torch.ones(1)


class Scaler:
    def __init__(self):
        self.gain = torch.ones(1)

    def scale(self, x):
        return x * self.gain


def reached(module: nn.Module) -> dict[str, Held]:
    return {one.path: one.held for one in walk(module)}


def holding(value: Any) -> nn.Module:
    """A module with an attribute "x"."""
    module = nn.Module()
    module.x = value
    return module


def test_registered_tensors():
    module = nn.Sequential(nn.Linear(1, 1), nn.BatchNorm1d(1, affine=False))
    assert reached(module) == {
        "self.0.weight": Held.PARAMETER,
        "self.0.bias": Held.PARAMETER,
        "self.1.running_mean": Held.BUFFER,
        "self.1.running_var": Held.BUFFER,
        "self.1.num_batches_tracked": Held.BUFFER,
    }


def closure():
    gain = torch.ones(1)
    return lambda x: x * gain


@pytest.mark.parametrize(
    ("value", "path", "held"),
    [
        (torch.ones(1), "self.x", Held.ATTRIBUTE),
        ([torch.ones(1)], "self.x[0]", Held.CONTAINER),
        ((1, torch.ones(1)), "self.x[1]", Held.CONTAINER),
        (deque([torch.ones(1)]), "self.x[0]", Held.CONTAINER),
        ({"a": [torch.ones(1)]}, "self.x['a'][0]", Held.CONTAINER),
        (OrderedDict({(1, 2): torch.ones(1)}), "self.x[(1, 2)]", Held.CONTAINER),
        ({torch.ones(1)}, "self.x[0]", Held.CONTAINER),
        (Pair(1, torch.ones(1)), "self.x.sine", Held.CONTAINER),
        ([nn.Linear(1, 1, bias=False)], "self.x[0].weight", Held.CONTAINER),
        (closure(), "self.x.<closure gain>", Held.CLOSURE),
        (functools.partial(torch.add, torch.ones(1)), "self.x.<partial>[0]", Held.CLOSURE),
        (lambda x, gain=torch.ones(1): x * gain, "self.x.<default 0>", Held.CLOSURE),  # noqa: B008
        (Scaler().scale, "self.x.__self__.gain", Held.OBJECT),
        (Kept(torch.ones(1)), "self.x.bias", Held.OBJECT),
        (SimpleNamespace(bias=torch.ones(1)), "self.x.bias", Held.OBJECT),
        (Slotted(), "self.x.bias", Held.OBJECT),
    ],
)
def test_a_tensor_is_reached_through(value: Any, path: str, held: Held):
    assert reached(holding(value)) == {path: held}


def test_a_distribution_holds_tensors():
    found = reached(holding(torch.distributions.Normal(torch.zeros(1), torch.ones(1))))
    assert found == {"self.x.loc": Held.OBJECT, "self.x.scale": Held.OBJECT}


def test_numbers_and_names_hold_nothing():
    for value in (
        1,
        "a",
        None,
        1j,
        torch.float32,
        torch.device("cpu"),
        torch,
        int,
        torch.Generator(),
        nn.functional.gelu,
    ):
        assert reached(holding(value)) == {}


def test_a_package_whose_name_begins_like_torch_is_not_torch(monkeypatch):
    monkeypatch.setattr(Scaler, "__module__", "torchfoo.layers")
    assert reached(holding(Scaler())) == {"self.x.gain": Held.OBJECT}


def test_each_tensor_is_reached_once():
    module = nn.Linear(1, 1, bias=False)
    module.alias, module.again = module.weight, [module.weight]
    assert reached(module) == {"self.weight": Held.PARAMETER}


def test_rings_come_to_an_end():
    module = nn.Linear(1, 1, bias=False)
    ring: list[Any] = [torch.ones(1)]
    ring.append(ring)
    module.ring, module.owners = ring, [module]
    assert reached(module) == {"self.weight": Held.PARAMETER, "self.ring[0]": Held.CONTAINER}


def test_long_lists_are_cut():
    assert 0 < len(walk(holding([torch.ones(1) for _ in range(10_000)]))) < 1_000


def test_deep_nests_are_cut():
    deep: Any = torch.ones(1)
    for _ in range(20):
        deep = [deep]
    assert walk(holding(deep)) == []


class OfClass(nn.Module):
    table = torch.ones(1)
    tables = (torch.ones(1),)


def test_classes_hold_tensors():
    assert reached(OfClass()) == {"self.table": Held.CLASS, "self.tables[0]": Held.CLASS}


class Naming(nn.Module):
    def forward(self, x):
        return self.helped(x) + TABLE

    @staticmethod
    def helped(x):
        return x + TABLES["of one"]


class Decorated(nn.Module):
    @torch.no_grad()
    def forward(self, x):
        return x + TABLE

    @property
    def other(self):
        return TABLES


def test_files_hold_tensors():
    assert reached(Naming()) == {"TABLE": Held.GLOBAL, "TABLES['of one']": Held.GLOBAL}


def test_files_hold_tensors_also_for_decorated_methods():
    assert reached(Decorated()) == {"TABLE": Held.GLOBAL, "TABLES['of one']": Held.GLOBAL}


def test_state_of_modules_in_a_list_is_not_registered():
    part = nn.BatchNorm1d(1)
    assert set(reached(holding([part])).values()) == {Held.CONTAINER}


def test_hooks_hold_nothing_of_the_module():
    module = nn.Linear(1, 1, bias=False)
    gain = torch.ones(1)
    module.register_forward_hook(lambda *_: gain)
    assert reached(module) == {"self.weight": Held.PARAMETER}


def test_an_object_whose_attributes_raise():
    class Hostile:
        __slots__ = ("gone",)

        def __getattr__(self, name):
            raise RuntimeError(name)

    assert reached(holding(Hostile())) == {}
