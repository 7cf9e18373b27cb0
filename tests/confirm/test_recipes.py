"""How classes are built and called without being told: `torchlint.confirm.inside`."""

from __future__ import annotations

import enum
import sys
import types
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from torchlint.confirm.inside import search
from torchlint.confirm.inside.imports import class_in
from torchlint.confirm.inside.inputs import NoOtherSizeError
from torchlint.confirm.inside.recipe import (
    CannotBuildError,
    CannotCallError,
    Recipe,
    recipe_from_hint,
    with_call,
)


def called(kind: type[nn.Module], hint: dict[str, Any] | None = None) -> Recipe:
    """The recipe with which a class is built and called."""
    return with_call(recipe_from_hint(kind, hint or {}, 0), 0)


def inputs_of(recipe: Recipe, size: int = 0) -> dict[str, Any]:
    """The arguments of forward, by name."""
    assert recipe.call is not None
    return recipe.call.values(0, size=size)[1]


def shape_of(recipe: Recipe, size: int = 0) -> tuple[int, ...]:
    """The shape of the first argument."""
    return tuple(next(iter(inputs_of(recipe, size).values())).shape)


# Constructors


class Divided(nn.Module):
    def __init__(self, width, parts=3):
        super().__init__()
        if width % parts != 0:
            raise ValueError(f"width must be a multiple of parts, not {width}")
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return self.linear(x)


def test_a_number_is_changed_until_it_divides():
    assert recipe_from_hint(Divided, {}, 0).build().linear.in_features % 3 == 0


class Chooser(nn.Module):
    def __init__(self, pooling):
        super().__init__()
        assert pooling in ("token", "patches")
        self.weight = nn.Parameter(torch.zeros(4))


def test_a_text_is_taken_from_the_condition_that_names_it():
    assert "'token'" in recipe_from_hint(Chooser, {}, 0).text


@dataclass
class Settings:
    width: int
    heads: int = 2
    scales: list[float] = field(default_factory=list)


class Configured(nn.Module):
    def __init__(self, config: Settings):
        super().__init__()
        self.linear = nn.Linear(config.width, config.heads)

    def forward(self, x):
        return self.linear(x)


def test_a_dataclass_is_filled():
    assert "Settings(small)" in recipe_from_hint(Configured, {}, 0).text


class Inner(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return self.linear(x)


class Outer(nn.Module):
    def __init__(self, inner: Inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)


def test_a_module_that_the_annotation_names_is_built_as_well():
    assert isinstance(recipe_from_hint(Outer, {}, 0).build().inner, Inner)


class Borrowing(nn.Module):
    def __init__(self, other):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(other.linear.in_features))

    def forward(self, x):
        return x * self.scale


def test_a_part_is_a_class_that_has_the_attribute_that_was_missed():
    assert called(Borrowing).build().scale.numel() > 1


class Needed(nn.Module):
    def __init__(self, width=8, length=None):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(length, width))

    def forward(self, x):
        return x + self.table


def test_a_default_of_none_is_replaced_where_it_is_needed():
    assert "length=" in called(Needed).text


class Forwarding(Inner):
    def __init__(self, **options):
        super().__init__(**options)


def test_what_is_handed_on_by_name_is_found_in_the_base():
    assert "width=" in recipe_from_hint(Forwarding, {}, 0).text


class Colour(enum.Enum):
    RED = 1


class Coloured(nn.Module):
    def __init__(self, colour: Colour, make: Callable[..., nn.Module]):
        super().__init__()
        assert isinstance(colour, Colour)
        self.part = make(4, 4)


def test_enumerations_and_callables_are_known():
    assert "Colour.RED" in recipe_from_hint(Coloured, {}, 0).text


class Branches(nn.Module):
    def __init__(self, branches: int = 8, kernels: tuple[int, ...] = (5, 5, 5, 5)):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv1d(4, 4, kernels[at]) for at in range(branches))


def test_a_default_is_made_longer_where_its_end_was_passed():
    assert len(recipe_from_hint(Branches, {}, 0).build().convs) == 8


class Deep(nn.Module):
    def __init__(self, dim: int = 768, depth: int = 12, heads: int = 12):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(dim, dim) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class DeepAsItIs(Deep):
    def __init__(self, dim: int = 768, depth: int = 12):
        super().__init__(dim, depth)
        if depth != 12:
            raise ValueError("there are twelve layers")


class DeepInForward(Deep):
    def forward(self, x):
        if len(self.layers) != 12:
            raise ValueError("there are twelve layers")
        return super().forward(x)


def test_a_large_model_is_built_in_a_small_size():
    assert called(Deep).text == "Deep(dim=32, depth=2, heads=4)"


def test_a_large_model_that_has_one_size_is_built_in_that():
    assert called(DeepAsItIs).text == "DeepAsItIs()"
    assert called(DeepInForward).text == "DeepInForward()"


class OnAGrid(nn.Module):
    def __init__(self, image_resolution, resolution_in: int):
        super().__init__()
        self.between = nn.Buffer(torch.zeros(resolution_in**2, resolution_in**2))


def test_a_resolution_without_more_is_that_of_a_feature_map():
    assert recipe_from_hint(OnAGrid, {}, 0).text == "OnAGrid(image_resolution=32, resolution_in=8)"


class Impossible(nn.Module):
    def __init__(self):
        raise RuntimeError("no licence")


def test_the_error_of_a_constructor_is_told():
    with pytest.raises(CannotBuildError, match="no licence"):
        recipe_from_hint(Impossible, {}, 0)


class Zeroed(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.zeros(4))

    def forward(self, x):
        return x * self.gain


def test_parameters_that_start_as_zeros_are_perturbed():
    recipe = recipe_from_hint(Zeroed, {}, 0)
    assert recipe.build().gain.abs().min() > 0
    assert recipe.build(noise=False).gain.abs().max() == 0


# Inputs


class Plain(nn.Module):
    """Widths that only a Parameter, a buffer or a plain tensor shows."""

    def __init__(self):
        super().__init__()
        self.table = torch.randn(9, 5)

    def forward(self, x):
        return x @ self.table.t()


class Images(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(7, 4, 3)

    def forward(self, x):
        batch, _channels, _height, _width = x.shape
        return self.conv(x).view(batch, 4, -1)


class Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(5, 8)

    def forward(self, text):
        return self.table(text)


class Waves(nn.Module):
    def forward(self, wave):
        padded = nn.functional.pad(wave.unsqueeze(1), (200, 200), mode="reflect").squeeze(1)
        return torch.stft(padded, 400, return_complex=True, window=torch.hann_window(400)).abs()


class Attending(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(12, 3, batch_first=True)

    def forward(self, query, key, value, mask):
        assert query.shape[-1] == 12, "wrong width"
        return self.attention(query, key, value, attn_mask=mask)[0]


class Keyed(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 2)

    def forward(self, batch):
        return self.linear(batch["features"]) * batch["weights"].mean()


class Batched(nn.Module):
    """Reads the entries of its batch as attributes."""

    def forward(self, batch):
        return batch.first + batch.second


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 2), nn.Linear(5, 2)])

    def forward(self, parts):
        return sum(layer(part) for layer, part in zip(self.layers, parts, strict=True))


class Pair(nn.Module):
    def forward(self, state):
        hidden, cell = state
        return torch.cat([hidden, cell], dim=-1)


class Starred(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(11, 2)

    def forward(self, *xs):
        return self.linear(xs[0])


class Nothing(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(3))

    def forward(self):
        return self.weight * 2


class Optional(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x=None, scale=None):
        return self.linear(x) * scale.exp()


class Patches(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(27, 8)

    def forward(self, image):
        batch, channels, height, _width = image.shape
        assert height % 3 == 0, "height must be divisible by 3"
        return self.linear(image.view(batch, channels * 9, -1).transpose(1, 2))


class Spectrum(nn.Module):
    def forward(self, x):
        return torch.view_as_real(x).sum(-1)


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(40, 40))

    def forward(self, i, j):
        return self.bias[torch.arange(i)][:, torch.arange(j)]


@pytest.mark.parametrize(
    "kind",
    [
        Plain,
        Images,
        Words,
        Waves,
        Attending,
        Keyed,
        Batched,
        Listed,
        Pair,
        Starred,
        Nothing,
        Optional,
        Patches,
        Counting,
    ],
    ids=lambda kind: kind.__name__,
)
def test_forward_runs(kind: type[nn.Module]):
    recipe = called(kind)
    module = recipe.build()
    module.eval()
    with torch.no_grad():
        assert recipe.run(module) is not None


def test_ids_are_within_the_vocabulary():
    assert inputs_of(called(Words))["text"].max() < 5


def test_keys_that_are_read_are_given():
    assert set(inputs_of(called(Keyed))["batch"]) == {"features", "weights"}


def test_complex_inputs_are_not_guessed():
    with pytest.raises(CannotCallError, match="complex"):
        called(Spectrum)


class AsManySteps(nn.Module):
    """Wants an image of 7x7, and says how many elements it got."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(16, 8, 3, padding=1)

    def forward(self, x):
        return self.conv(x).reshape(x.shape[0], 4, -1, 49)


def test_the_sides_of_an_image_follow_from_its_area():
    assert shape_of(called(AsManySteps))[-2:] == (7, 7)


class Broadcast(nn.Module):
    calls = 0

    def __init__(self):
        super().__init__()
        self.table = nn.Buffer(torch.zeros(4, 5, 4))
        self.fc = nn.Linear(80, 3)

    def forward(self, x):
        Broadcast.calls += 1
        return self.fc((x[:, None] * self.table).flatten(1))


def test_what_is_indexed_by_dimensions_is_taken_for_no_list():
    found = with_call(recipe_from_hint(Broadcast, {}, 0), 0, in_two_sizes=False)
    assert shape_of(found) == (2, 5, 4)
    assert Broadcast.calls < 8


class NeverRuns(nn.Module):
    calls = 0

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(16, 16)

    def forward(self, x):
        NeverRuns.calls += 1
        raise RuntimeError(f"expected {NeverRuns.calls + 1} but got {x.shape[-1]}")


def test_a_long_search_whose_failures_repeat_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(search, "_LONG_SECONDS", 0.0)
    with pytest.raises(CannotCallError):
        called(NeverRuns)
    assert NeverRuns.calls < 50


class Broken(nn.Module):
    def forward(self, x):
        return x + self.not_there


def test_the_error_of_forward_is_told():
    with pytest.raises(CannotCallError, match="not_there"):
        called(Broken)


class Stubborn(Plain):
    """train() returns nothing, so eval() does not either."""

    def train(self, mode=True):
        self.training = mode


def test_a_module_whose_eval_returns_nothing_is_called():
    assert called(Stubborn).call is not None


class Remembering(nn.Module):
    """A second call on the same module fails: each try has a module of its own."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(6, 6)
        self.seen = None

    def forward(self, x):
        if self.seen is None:
            self.seen = torch.zeros_like(x)
        return self.linear(x + self.seen)


def test_a_longer_input_is_tried_on_a_fresh_module():
    assert shape_of(called(Remembering), size=1) != shape_of(called(Remembering))


# Another size


def test_the_longer_input_has_another_length_and_the_same_width():
    usual, longer = (shape_of(called(Plain), size) for size in (0, 1))
    assert usual[0] == longer[0]
    assert usual[1] < longer[1]
    assert usual[2] == longer[2]


class Limited(nn.Module):
    """Takes no more than 16 steps."""

    def __init__(self):
        super().__init__()
        self.positions = nn.Parameter(torch.zeros(16, 8))

    def forward(self, x):
        return x + self.positions[: x.shape[1]]


def test_where_nothing_longer_runs_the_usual_one_is_made_shorter():
    recipe = called(Limited)
    assert shape_of(recipe)[1] < shape_of(recipe, size=1)[1] <= 16


class Fixed(nn.Module):
    def forward(self, x):
        assert x.shape == (2, 16, 32)
        return x


def test_without_another_size_asking_for_one_is_an_error():
    recipe = called(Fixed)
    with pytest.raises(NoOtherSizeError):
        recipe.run(recipe.build(), size=1)


def test_inputs_are_the_same_for_the_same_seed():
    recipe = called(Plain)
    assert torch.equal(inputs_of(recipe)["x"], inputs_of(recipe)["x"])


def test_floating_inputs_take_the_dtype_that_is_asked_for():
    recipe = called(Keyed)
    assert recipe.call is not None
    batch = recipe.call.values(0, dtype=torch.bfloat16)[1]["batch"]
    assert batch["features"].dtype is torch.bfloat16


# Hints

Point = namedtuple("Point", "x")


class Pointed(nn.Module):
    def forward(self, point):
        return point.x * 2


def test_a_named_tuple_keeps_its_type():
    recipe = called(Pointed, {"inputs": {"point": "Point(torch.ones(2, 3))"}})
    assert recipe.call is not None
    point = recipe.call.values(0, dtype=torch.float64)[1]["point"]
    assert isinstance(point, Point)
    assert point.x.dtype is torch.float64


def make_outer() -> nn.Module:
    return nn.Sequential(Outer(Inner(10)))


def test_values_of_a_hint_are_kept():
    assert recipe_from_hint(Divided, {"init": {"width": 21, "parts": 7}}, 0).text == "Divided(width=21, parts=7)"


def test_a_hint_may_hold_expressions():
    recipe = called(Outer, {"init": {"inner": "=Inner(6)"}, "inputs": {"x": "torch.ones(3, 5 + size, 6)"}})
    assert shape_of(recipe) == (3, 5, 6)
    assert shape_of(recipe, size=1) == (3, 6, 6)


def test_a_hint_may_give_a_shape():
    assert shape_of(called(Zeroed, {"inputs": {"x": [5, 4]}})) == (5, 4)


def test_a_hint_may_say_what_is_in_a_tensor():
    text = {"shape": [2, 3], "kind": "ids", "limit": 2}
    assert inputs_of(called(Words, {"inputs": {"text": text}}))["text"].max() < 2


def test_a_factory_makes_the_module(monkeypatch: pytest.MonkeyPatch):
    factories = types.ModuleType("factories")
    vars(factories)["make_outer"] = make_outer
    monkeypatch.setitem(sys.modules, "factories", factories)
    recipe = called(Outer, {"factory": "factories:make_outer"})
    assert recipe.text == "factories:make_outer()"
    assert isinstance(recipe.build(), Outer)


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        ({"factory": "nowhere_at_all:make"}, "cannot be imported"),
        ({"inputs": {"x": "1 +"}}, "no expression"),
        ({"inputs": {"x": {"kind": "ids"}}}, "needs a shape"),
    ],
)
def test_a_hint_that_cannot_be_followed_is_an_error(hint: dict[str, Any], said: str):
    with pytest.raises(CannotBuildError, match=said):
        recipe_from_hint(Zeroed, hint, 0)


MIXED = """\
import torch
from torch import nn


class Framing:
    def window(self):
        self.taper = torch.ones(4)


class Frames(Framing, nn.Module):
    pass
"""


def test_a_mixin_is_run_as_a_class_that_it_is_mixed_into(tmp_path: Path):
    path = tmp_path / "mixed.py"
    path.write_text(MIXED, encoding="utf-8")
    assert class_in(str(path), [str(tmp_path)], "mixed", "Framing").__name__ == "Frames"


# Arguments that stay what they are, and those that are no numbers


class Loading(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, device="cpu", steps=2, start=None):
        return self.linear(torch.ones(steps, 4, device=device) if start is None else start)


class Told(Loading):
    def forward(self, device="cpu"):
        return self.linear(torch.ones(2, 4, device=device))


@pytest.mark.parametrize(("kind", "names"), [(Loading, ["start"]), (Told, [])])
def test_device_or_number_by_default_is_no_input(kind, names):
    assert list(inputs_of(called(kind))) == names


class Knots(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw = nn.Parameter(torch.ones(5))

    def forward(self, h):
        return h @ self.raw


def test_number_by_name_becomes_a_tensor_where_one_is_wanted():
    assert shape_of(called(Knots))[-1] == 5


class Rows(nn.Module):
    """Three dimensions will do in evaluation, and not in training."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.mean = torch.zeros(4)

    def forward(self, x):
        if self.training:
            self.mean.lerp_(x.mean(0), 0.5)
        return self.linear(x)


def test_inputs_run_in_training_mode_too_where_that_is_asked_for():
    recipe = recipe_from_hint(Rows, {}, 0)
    assert len(shape_of(with_call(recipe, 0))) == 3
    assert len(shape_of(with_call(recipe, 0, in_training=True))) == 2


class Unfit(Rows):
    def forward(self, x):
        if self.training:
            raise RuntimeError("not yet")
        return self.linear(x)


def test_inputs_that_run_in_evaluation_alone_are_better_than_none():
    assert len(shape_of(with_call(recipe_from_hint(Unfit, {}, 0), 0, in_training=True))) == 3


class Labelled(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x, ids):
        if not ids.is_floating_point():
            raise RuntimeError("Found dtype Long but expected Float")
        return self.linear(x)


def test_message_of_torch_2_4_asks_for_floats():
    assert inputs_of(called(Labelled))["ids"].is_floating_point()


class Windowed(nn.Module):
    def __init__(self, dim, resolution=(14, 14)):
        super().__init__()
        self.linear = nn.Linear(dim, dim)
        self.table = torch.zeros(resolution[0] * resolution[1])

    def forward(self, x):
        return self.linear(x)


def test_large_maps_are_built_small():
    assert called(Windowed).build().table.numel() == 64
