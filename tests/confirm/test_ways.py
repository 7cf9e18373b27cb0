"""The ways to a line, and the objects of the file that arguments are: `torchlint.confirm.inside`."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from torchlint.confirm.inside.callers import open_callers
from torchlint.confirm.inside.objects import objects_in
from torchlint.confirm.inside.ways import ways_to


class Mixing:
    """What the arguments of `follow` and `fall` are."""

    def __init__(self, beta: float) -> None:
        self.beta = beta

    def mix(self, old: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
        return old * self.beta + new * (1 - self.beta)


def follow(mixing: Any, model: nn.Module, other: nn.Module) -> None:
    for one, new in zip(model.parameters(), other.parameters(), strict=True):
        one.data = mixing.mix(one.data, new.data)


def fall(schedule: Any, x: Any) -> Any:
    return x.mean() * schedule.beta


def ask(server: Any, x: Any) -> Any:
    return server.answer(x.shape)


def test_argument_is_an_object_of_the_class_that_has_what_it_is_asked_for() -> None:
    found = objects_in(follow, ("mixing", "model", "other"))
    assert list(found) == ["mixing"]
    assert (found["mixing"].text, found["mixing"].make(0).beta) == ("Mixing(beta=0.5)", 0.5)
    assert found["mixing"].code == "checked.Mixing(beta=0.5)"
    assert list(objects_in(fall, ("schedule", "x"))) == ["schedule"]


def test_what_no_class_of_the_file_has_is_no_object_of_it() -> None:
    assert objects_in(ask, ("server", "x")) == {}


class Trainer:
    def __init__(self, net: nn.Module) -> None:
        self.net = self.prepared(net)

    def prepared(self, net: nn.Module) -> nn.Module:
        return net.half()

    def loss(self, x: torch.Tensor) -> torch.Tensor:
        return self._narrowed(x).sum()

    def step(self, x: torch.Tensor) -> torch.Tensor:
        return self.loss(x) + 1

    def _narrowed(self, x: torch.Tensor) -> torch.Tensor:
        return x.half()


def test_helper_is_reached_through_the_methods_that_others_call() -> None:
    assert open_callers(Trainer, "_narrowed") == ["step"]
    ways = [(way.text.partition(")")[2], way.is_guess) for way in ways_to(Trainer, "_narrowed", {}, 0)]
    assert ways == [("._narrowed()", True), (".step()", False)]


def test_method_of_the_constructor_alone_is_reached_by_building() -> None:
    (way,) = ways_to(Trainer, "prepared", {}, 0)
    built = way.build()()
    assert (type(built), next(built.net.parameters()).dtype) == (Trainer, torch.float16)


class Guard:
    def __init__(self, net: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        self.net, self.optimizer = net, optimizer

    def record(self) -> dict[str, Any]:
        return {"net": self.net.state_dict()}


def test_each_object_is_built_over_a_model_of_its_own() -> None:
    (way,) = ways_to(Guard, "record", {}, 0)
    guards = [way.build().function.__self__ for _ in range(2)]  # type: ignore[union-attr]
    assert guards[0].net is not guards[1].net
    assert guards[0].optimizer.param_groups[0]["params"][0] is next(guards[0].net.parameters())
