"""Inputs for forward: by the names and annotations of its parameters, by its source, and by what the module holds."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from . import hearsay
from .candidates import DIM, GRID, HEAD_DIM, HEADS, IMAGE, LENGTH, VOCABULARY
from .plans import (
    BATCH,
    FLAGS,
    FLOATS,
    IDS,
    STEPS,
    UNIT,
    Array,
    Constant,
    Group,
    Guess,
    Plan,
    Shape,
    described,
    made,
    of_rank,
)
from .seeds import reseed

_SETTING = (bool, int, float, str, torch.dtype, torch.device)
_SHAPES = 14
_STATE = 6


class NoOtherSizeError(Exception):
    """No inputs of another size are known on which forward runs."""


@dataclass(frozen=True)
class Call:
    """How forward is called. plans: for each argument; longer: the same for another size, where one is known."""

    plans: Guess
    by_position: bool = False
    longer: Guess | None = None

    def values(
        self, seed: int, *, size: int = 0, dtype: torch.dtype | None = None, device: Any = None
    ) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of one call, the same ones for the same seed and size.

        size: 0 for the usual ones, 1 for another length. dtype: of those that are floating.
        """
        plans = self.plans if not size else self.longer
        if plans is None:
            raise NoOtherSizeError("forward runs on one size of inputs only")
        reseed(seed + 100)
        values = {name: placed(made(plan, size), dtype, device) for name, plan in plans.items()}
        return (list(values.values()), {}) if self.by_position else ([], values)

    @property
    def text(self) -> str:
        """The inputs as a person would describe them: "x=2x16x32"."""
        return _text(self.plans, 0)

    @property
    def grown(self) -> str:
        """The inputs of the other size, likewise; "" where there are none."""
        return _text(self.longer, 1) if self.longer is not None else ""


def _text(plans: Guess, size: int) -> str:
    return ", ".join(f"{name}={described(made(plan, size))}" for name, plan in plans.items())


def placed(value: Any, dtype: torch.dtype | None, device: Any) -> Any:
    """The value with its tensors on a device, and those that are floating in a dtype."""
    if isinstance(value, dict):
        return type(value)((key, placed(one, dtype, device)) for key, one in value.items())
    if isinstance(value, (list, tuple)):
        parts = [placed(one, dtype, device) for one in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if not isinstance(value, torch.Tensor):
        return value
    if dtype is not None and value.is_floating_point():
        value = value.to(dtype)
    return value.to(device) if device is not None else value


@dataclass(frozen=True)
class Inputs:
    """What is known of the arguments of a forward before it is called.

    parameters: by name. needed: those that are given at first. has_ids: true where the module has an embedding.
    """

    module: nn.Module
    parameters: Mapping[str, inspect.Parameter]
    needed: tuple[str, ...]
    said: hearsay.Hearsay
    shapes: tuple[Array, ...]
    has_ids: bool

    @property
    def by_position(self) -> bool:
        """True where some arguments cannot be given by name."""
        positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
        return any(name not in self.parameters or self.parameters[name].kind in positional for name in self.needed)

    def guesses(self) -> Iterator[Guess]:
        """Ways to call forward, the likeliest first."""
        for shape in () if _is_abstract(self.module) else self.shapes[:_SHAPES]:
            yield {name: self.plans(name, shape)[0] for name in self.needed}
            if not self.has_ids and any(map(_MAY_BE_IDS.search, self.needed)):
                yield {name: self.plans(name, shape)[-1 if _MAY_BE_IDS.search(name) else 0] for name in self.needed}

    def plans(self, name: str, shape: Array | None = None) -> list[Plan]:
        """What an argument may be, the likeliest first. shape: what to try where nothing is known of it."""
        usual = shape or self.shapes[0]
        parameter = self.parameters.get(name)
        if parameter is None:
            return [usual]
        keys = self.said.keys.get(name)
        if keys and name not in self.said.is_tensor:
            named = [next(_by_name(key), usual) for key in keys]
            plain = [one if isinstance(one, Array) else usual for one in named]
            return [Group(tuple(plain), tuple(keys)), Group(tuple(named), tuple(keys))]
        known = list(_by_name(name))
        if _MAY_BE_IDS.search(name) and not self.has_ids:
            known = [*known, usual]
        found = [*_by_annotation(parameter.annotation, name, usual), *known]
        ranks = self.said.ranks.get(name, [])
        rank = hearsay.rank_in(parameter.annotation) or (ranks[0] if len(ranks) == 1 else None)
        if rank is not None:
            found = sorted(found, key=lambda one: isinstance(one, Array) and len(one.shape) != rank)
        return found or [self._of_rank(usual, rank)]

    def _of_rank(self, usual: Array, rank: int | None) -> Array:
        if rank is None or len(usual.shape) == rank:
            return usual
        at = self.shapes.index(usual) if usual in self.shapes else 0
        shapes = of_rank(usual.shape, rank)
        return Array(shapes[at % len(shapes)], usual.kind, usual.limit)


def inputs_of(module: nn.Module) -> Inputs:
    """What is known of the inputs of a module."""
    parameters = {} if _is_abstract(module) else dict(inspect.signature(module.forward).parameters)
    stars = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    named = {name: one for name, one in parameters.items() if one.kind not in stars}
    needed = [name for name, one in named.items() if one.default is one.empty] or _main(module, named)
    if not needed and any(one.kind is one.VAR_POSITIONAL for one in parameters.values()):
        needed = ["inputs"]
    said = hearsay.of_function(module.forward)
    ranks = [rank for name in needed for rank in said.ranks.get(name, [])]
    shapes = sorted(_shapes(module), key=lambda one: bool(ranks) and len(one.shape) not in ranks)
    has_ids = any(isinstance(layer, nn.Embedding) for layer in module.modules())
    return Inputs(module, named, tuple(needed), said, tuple(shapes), has_ids)


def _is_abstract(module: nn.Module) -> bool:
    return type(module).forward is nn.Module.forward


def _main(module: nn.Module, named: Mapping[str, inspect.Parameter]) -> list[str]:
    """Where all parameters have a default, the one that models of transformers call their main input, or the first.

    What is a number, a text or a device by default is no input, and stays what it is.
    """
    if getattr(module, "main_input_name", None) in named:
        return [str(module.main_input_name)]
    return [name for name, one in named.items() if not isinstance(one.default, _SETTING)][:1]


# By what the module holds


def _shapes(module: nn.Module) -> list[Array]:
    found: list[Array] = []
    for layer in module.modules():
        found += _of_layer(layer)
        if len(found) >= 5:
            break
    found += [one for tensor in _state(module) for one in _beside(tensor)]
    limit = vocabulary(module)
    found += [Array((BATCH, LENGTH, DIM)), Array((BATCH, DIM, GRID, GRID)), Array((BATCH, 3, IMAGE, IMAGE))]
    found += [Array((BATCH, HEADS, LENGTH, HEAD_DIM)), Array((BATCH, DIM)), Array((BATCH, LENGTH, 4))]
    found += [Array((BATCH, LENGTH), IDS, limit), Array((BATCH, 4)), Array((BATCH, GRID, GRID, DIM))]
    found += [Array((LENGTH, DIM)), Array((4,)), Array((BATCH, 3, 4, IMAGE, IMAGE)), Array((BATCH, 1, 512))]
    return list(dict.fromkeys(found))


def vocabulary(module: nn.Module) -> int:
    """How many ids the smallest embedding of a module has."""
    counts = [layer.num_embeddings for layer in module.modules() if isinstance(layer, nn.Embedding)]
    return min([VOCABULARY - 4, *counts])


def _state(module: nn.Module) -> list[torch.Tensor]:
    """The tensors that the module itself holds, registered or not; where it holds none, those of its parts."""
    own: list[Any] = [*module._parameters.values(), *module._buffers.values(), *vars(module).values()]
    found = [one for one in own if isinstance(one, torch.Tensor) and not nn.parameter.is_lazy(one)]
    return (found or [one for part in module.children() for one in _state(part)])[:_STATE]


def _beside(tensor: torch.Tensor) -> list[Array]:
    """What may be computed with a tensor of this shape."""
    shape = tuple(tensor.shape)
    if not shape or max(shape) > 4096:
        return []
    if len(shape) == 1:
        return [Array((BATCH, *shape)), Array((BATCH, LENGTH, *shape)), Array((BATCH, *shape, GRID, GRID))]
    wide = [Array((BATCH, LENGTH, shape[-1])), Array((BATCH, shape[-1]))]
    whole = shape if shape[0] == 1 else (BATCH, *shape)
    return [*wide, Array(whole)] if len(whole) <= 4 else wide


def _of_layer(layer: nn.Module) -> list[Array]:
    if isinstance(layer, nn.Embedding):
        return [Array((BATCH, LENGTH), IDS, layer.num_embeddings)]
    return [Array(shape) for shape in _sides(layer)]


def _sides(layer: Any) -> list[Shape]:
    """The shapes of floats that a layer takes."""
    kind = type(layer).__name__
    if kind.startswith("Conv") and hasattr(layer, "in_channels"):
        wide = layer.in_channels
        sides: dict[str, list[Shape]] = {
            "1d": [(LENGTH,)],
            "2d": [(IMAGE, IMAGE), (GRID, GRID)],
            "3d": [(4, IMAGE, IMAGE)],
        }
        return [(BATCH, wide, *side) for side in sides.get(kind[-2:], [])]
    if isinstance(layer, nn.Linear):
        wide = layer.in_features
        return [(BATCH, LENGTH, wide), (BATCH, wide), (BATCH, GRID, GRID, wide), (BATCH, wide, GRID, GRID)]
    if isinstance(layer, nn.LayerNorm):
        inner = tuple(layer.normalized_shape)
        return [(BATCH, LENGTH, *inner), (BATCH, *inner)]
    if isinstance(layer, (nn.RNNBase, nn.MultiheadAttention)):
        return [(BATCH, LENGTH, layer.input_size if isinstance(layer, nn.RNNBase) else layer.embed_dim)]
    if isinstance(layer, (nn.BatchNorm2d, nn.GroupNorm)):
        wide = layer.num_features if isinstance(layer, nn.BatchNorm2d) else layer.num_channels
        return [(BATCH, wide, GRID, GRID)]
    if isinstance(layer, nn.BatchNorm1d):
        return [(BATCH, layer.num_features), (BATCH, layer.num_features, LENGTH)]
    return []


# By the names

_MAY_BE_IDS = re.compile(r"tokens?$|codes$|words?$")
_ROWS = (BATCH, LENGTH)
_ROTARY = Array((BATCH, LENGTH, HEAD_DIM))
_TABLE: tuple[tuple[re.Pattern[str], tuple[Plan, ...]], ...] = tuple(
    (re.compile(pattern), plans)
    for pattern, plans in (
        (r"pixel_values|^image|^img|images$", (Array((BATCH, 3, IMAGE, IMAGE)), Array((BATCH, 3, 4, IMAGE, IMAGE)))),
        (r"^(pos(itions?|ition_ids)?|position_ids|cache_position)$", (Array(_ROWS, STEPS), Array((LENGTH,), STEPS))),
        (r"position_embeddings$|rotary_pos_emb|freqs_cis|^rope$", (Group((_ROTARY,) * 2), Array((LENGTH, HEAD_DIM)))),
        (r"^(cos|sin)$", (_ROTARY, Array((LENGTH, HEAD_DIM)))),
        (
            r"(^|_)(ids?|tokens?|indices|index|idx|codes|rows?|cols?|nodes|words?)$",
            (Array(_ROWS, IDS), Array((BATCH,), IDS, 4)),
        ),
        (
            r"mask",
            (
                Constant(None),
                Array(_ROWS, FLAGS),
                Array((BATCH, 1, LENGTH, LENGTH)),
                Array((LENGTH, LENGTH)),
                Array((BATCH, LENGTH, 1), UNIT),
            ),
        ),
        (r"^[hw]$|^(height|width)$", (Constant(4), Constant(GRID))),
        (r"hw|(size|shape|resolution)s?$", (Constant((4, 4)), Constant((GRID, GRID)), Constant(LENGTH))),
        (r"(^n|seq_?len|_len|length)$", (Constant(LENGTH), Array((BATCH,), IDS, LENGTH))),
        (r"^num_|_num$|^offset$|_step$", (Constant(2), Constant(4))),
        (r"time|^t$|sigma|noise_level", (Array((BATCH,), UNIT), Array((BATCH,), IDS, 8))),
        (
            r"^(labels?|targets?|y|classes)$",
            (Array((BATCH,), IDS, 10), Array(_ROWS, IDS, 10), Array((BATCH, LENGTH, DIM))),
        ),
        (r"^(use_|is_|return_|output_|causal|training)", (Constant(False), Constant(True))),
        (r"adj|laplacian", (Array((LENGTH, LENGTH), UNIT), Array((BATCH, LENGTH, LENGTH), UNIT))),
        (r"edge_index", (Array((2, LENGTH), IDS, LENGTH),)),
        (r"list$|^xs$|feats$|^features$|pyramid", (Group((Array((BATCH, DIM, GRID, GRID)),) * 4, is_list=True),)),
    )
)


def _by_name(name: str) -> Iterator[Plan]:
    for pattern, plans in _TABLE:
        if pattern.search(name.lower()):
            yield from plans
            return


def _by_annotation(annotation: Any, name: str, usual: Array) -> Iterator[Plan]:
    """What the text of an annotation says: it may name what only a type checker imports."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "") or repr(annotation)
    if annotation in (bool, int, float, str) or text in ("bool", "int", "float", "str"):
        named = [one for one in _by_name(name) if isinstance(one, Constant) and type(one.value).__name__ == text]
        yield from named or [Constant({"bool": False, "int": 4, "float": 1.0, "str": "mean"}[text])]
        return
    text = repr(annotation) if not isinstance(annotation, str) else annotation
    several = re.search(r"(?i)\b(list|sequence|iterable)\[(\w+\.)*tensor", text)
    pair = re.search(r"(?i)\btuple\[((?:[\w. ]+,?)+)\]", text)
    if re.search(r"(?i)\b(list|sequence|iterable)\[int\]", text):
        yield Constant([0, 1])
    elif several:
        yield Group((usual,) * 2, is_list=True)
        yield Group((usual,) * 4, is_list=True)
    elif pair and "ensor" in pair[1]:
        yield Group((usual,) * max(2, pair[1].count("ensor")))
    elif re.search(r"LongTensor|IntTensor|\bInt\[|Int64", text):
        yield from [one for one in _by_name(name) if isinstance(one, Array)] or [Array(_ROWS, IDS)]
    elif re.search(r"BoolTensor|\bBool\[", text):
        yield Array(_ROWS, FLAGS)
    elif re.search(r"Complex\w*(Tensor|\[)", text):
        yield Array(usual.shape, "complex")
    elif re.search(r"Float\w*(Tensor|\[)", text) and not any(True for _ in _by_name(name)):
        yield Array(usual.shape, FLOATS)
