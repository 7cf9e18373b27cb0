"""What is seen of states that are kept and of averages: `torchlint.confirm.inside.loop_probes`."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from torchlint.confirm.inside.inputs import Call
from torchlint.confirm.inside.line_watch import Lines
from torchlint.confirm.inside.loop_probes import kept_state, parameters_alone
from torchlint.confirm.inside.plans import Constant
from torchlint.confirm.inside.scene import Scene
from torchlint.confirm.inside.standins import StandIn
from torchlint.confirm.inside.subject import Facts
from torchlint.confirm.inside.ways import Called, Way


def step(model: nn.Module) -> None:
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(1)


def seen(
    probe: Callable[[Any], Facts],
    function: Callable[..., Any],
    mark: str,
    *,
    build: Callable[[], nn.Module] | None = None,
    text: str = "",
    **given: Any,
) -> Facts:
    """What a probe sees in a call of a function, at its line that ends in a mark."""
    lines, first = inspect.getsourcelines(inspect.unwrap(function))
    line = next(index for index, one in enumerate(lines, first) if one.rstrip().endswith(mark))
    way = Way(build or (lambda: Called(function)), function.__name__, 0, {})
    call = Call({name: Constant(value) for name, value in given.items()})
    return probe(Scene(way, call, Lines(__file__, line, line), text, ""))


# TL116


def keeps(model: nn.Module) -> None:
    kept = model.state_dict()  # kept
    copied = copy.deepcopy(model.state_dict())  # copied
    step(model)
    model.load_state_dict(copied)
    step(model)
    model.load_state_dict(kept)


def gives(model: nn.Module) -> Any:
    kept = {name: value.detach() for name, value in model.state_dict().items()}  # kept
    step(model)
    return kept


def trains_nothing(model: nn.Module) -> Any:
    return model.state_dict()  # kept


def test_user_of_a_state_that_was_written_to_is_found() -> None:
    facts = seen(kept_state, keeps, "# kept", model=StandIn(4))
    assert [one["user"] for one in facts["harm"]] == ["load_state_dict()"]
    assert [one["user"] for one in seen(kept_state, gives, "# kept", model=StandIn(4))["harm"]] == ["the return"]


def test_copy_at_one_line_is_not_blamed_for_the_state_of_another_line() -> None:
    facts = seen(kept_state, keeps, "# copied", model=StandIn(4))
    assert facts["harm"] == []
    assert facts["copies"] == ["load_state_dict()", "load_state_dict()"]


def test_state_that_nobody_writes_to_is_no_harm() -> None:
    assert seen(kept_state, trains_nothing, "# kept", model=StandIn(4))["harm"] == []


class Stopper:
    def __init__(self) -> None:
        self.best: Any = None
        self.other = [torch.ones(4)]

    def keep(self, model: nn.Module) -> None:
        self.best = model.state_dict()  # kept

    def copy(self, model: nn.Module) -> None:
        self.best = copy.deepcopy(model.state_dict())  # copied


@pytest.mark.parametrize(
    ("method", "mark", "harm", "own"),
    [(Stopper.keep, "# kept", [{"holder": "best"}], ""), (Stopper.copy, "# copied", [], "best")],
)
def test_attribute_is_asked_whether_a_step_changes_it(
    method: Any, mark: str, harm: list[Facts], own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "self.best keeps the module's own tensors, which every later step changes"

    def build() -> nn.Module:
        return Called(method.__get__(Stopper()))

    # The model is made while the probe looks, as its stand-in is.
    monkeypatch.setattr(Call, "values", lambda self, seed, **named: ([], {"model": StandIn(4)}))
    facts = seen(kept_state, method, mark, build=build, text=text)
    assert (facts["harm"], facts["own"]) == (harm, own)


# TL117


class Pair(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.online = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.target = copy.deepcopy(self.online)

    @torch.no_grad()
    def alone(self, rate: float) -> None:
        for one, other in zip(self.target.parameters(), self.online.parameters(), strict=True):  # average
            one.lerp_(other, rate)

    @torch.no_grad()
    def together(self, rate: float) -> None:
        for one, other in zip(self.target.state_dict().values(), self.online.state_dict().values(), strict=True):
            one.copy_(one + rate * (other - one) if one.is_floating_point() else other)  # average

    @torch.no_grad()
    def copied(self, rate: float) -> None:
        for one, other in zip(self.target.parameters(), self.online.parameters(), strict=True):  # average
            one.copy_(other)


def averaged(name: str) -> Facts:
    def build() -> nn.Module:
        pair = Pair()
        return Called(getattr(pair, name), pair)

    return seen(parameters_alone, getattr(Pair, name), "# average", build=build, rate=1.0)


def test_buffers_that_an_average_leaves_out_are_named() -> None:
    facts = averaged("alone")
    assert facts["harm"] == [{"buffer": "1.running_mean"}]


def test_average_of_the_whole_state_takes_the_buffers_along() -> None:
    facts = averaged("together")
    assert (facts["harm"], facts["along"]) == ([], True)


def test_copy_of_the_weights_is_no_average() -> None:
    facts = averaged("copied")
    assert (facts["harm"], facts["along"]) == ([], False)


def test_other_code_that_takes_buffers_along_is_noticed() -> None:
    assert averaged("alone")["elsewhere"]  # together() does


# States that are swapped


class Swapping:
    """Averaged weights that are those of the model as long as nothing was learned."""

    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.mean = copy.deepcopy(model.state_dict())

    def save(self) -> None:
        raw = copy.deepcopy(self.model.state_dict())
        self.model.load_state_dict(self.mean)
        state = self.model.state_dict()  # kept
        self.model.load_state_dict(raw)
        torch.save(state, "average.pt")

    def save_inside(self) -> None:
        raw = copy.deepcopy(self.model.state_dict())
        self.model.load_state_dict(self.mean)
        state = self.model.state_dict()  # kept
        torch.save(state, "average.pt")
        self.model.load_state_dict(raw)


def test_swap_is_seen_where_the_model_learned_something_before() -> None:
    def build(name: str) -> nn.Module:
        return Called(getattr(Swapping(StandIn(4)), name))

    assert seen(kept_state, Swapping.save, "# kept", build=lambda: build("save"))["harm"][0]["user"] == "save()"
    inside = seen(kept_state, Swapping.save_inside, "# kept", build=lambda: build("save_inside"))
    assert (inside["harm"], inside["copies"]) == ([], []), "save() got the tensors of the model: no copies"
