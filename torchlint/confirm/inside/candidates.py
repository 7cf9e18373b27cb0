"""Values to try for a parameter of a constructor: by its annotation, by its name, and small."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

DIM = 32
HEADS = 4
HEAD_DIM = 8
LENGTH = 16
IMAGE = 32
GRID = 8
VOCABULARY = 64


@dataclass(frozen=True)
class Candidate:
    """A value to try. text: as a person would write it. make: a new one each time, since modules must not be shared.

    is_given: true for one that a person told, which is not changed. code: an expression that makes it, "" where there
    is none; None where the text may be one.
    """

    text: str
    make: Callable[[], Any]
    is_given: bool = False
    code: str | None = None


class Through(nn.Module):
    """A module that takes any arguments and hands its input on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The input, whatever else is given."""
        return x


# What parameters of this name usually are, the likeliest first; the first pattern that matches decides.
_BY_NAME: tuple[tuple[re.Pattern[str], tuple[Any, ...]], ...] = tuple(
    (re.compile(pattern), values)
    for pattern, values in (
        (r"^(n|nb|num)?_?(\w*_)?heads?$|^nhead$|^n_head", (HEADS,)),
        (r"heads?_(dim|size|width|channels)|dim_?head|^d_[kv]$|per_head", (HEAD_DIM,)),
        (r"classes|num_labels", (10,)),
        (r"vocab|num_(tokens|embeddings|codes)|n_token|codebook_size", (VOCABULARY,)),
        (r"seq_?len|max_(len|pos|seq)|_length$|^length$|context|num_(positions|patches|queries)|n_ctx", (LENGTH,)),
        (r"(img|image)\w*_?resolution|(img|image|input|feat|grid|fmap)\w*_?(size|shape|height|width)s?$", (IMAGE,)),
        (r"(^|_)resolution", (GRID, IMAGE)),
        (r"kernel", (3, (3, 3), 1)),
        (r"stride|dilation|groups?$|sr_ratio", (1, (1, 1), 2)),
        (r"pad", (1, 0)),
        (r"patch", (4, (4, 4))),
        (r"window|^ws$", (4, (4, 4))),
        (r"depths|^num_blocks$|blocks$|stages$", (2, (1, 1), [1, 1])),
        (r"depth|layers?$|repeat|^num$|^n$|^num_", (2,)),
        (r"drop|^p$|prob|rate$|alpha|beta|momentum|sigma|std|temperature|thresh|decay|gamma|smooth", (0.0, 0.5, 1.0)),
        (r"eps|init_values?|layer_scale", (1e-5,)),
        (r"theta|base$", (10000.0,)),
        (r"ratio|mult|expan|factor|scale", (2, 2.0, 1)),
        (r"norm(_layer|_type|_cls|_fn)?$", (nn.LayerNorm, nn.Identity)),
        (r"act(_layer|ivation|_fn|_func|_cls)?$|nonlin", (nn.GELU, "gelu", nn.functional.gelu)),
        (r"(layer|block|module|cls|fn|func|factory|conv|attn|mlp|ffn|net|model|coder|trunk|head)$", (Through,)),
        (r"dim|width|planes|chan|chs|^inp$|^oup$|hidden|size|units|d_model|^ch?\d?$|in_|out_|embed|features", (DIM,)),
        (r"idx|index|^i$|_id$|stage", (0,)),
        (r"bias|^use_|^with_|^is_|^has_|causal|flag|enable|affine", (False, True)),
        (r"mode|type|pool|method|name", ("mean", "avg", "sum")),
    )
)  # fmt: skip


# What makes a candidate of a class: the search for its own arguments, which is not the business of this file.
Parts = Callable[[type], Candidate]


def candidates(parameter: inspect.Parameter, owner: type, parts: Parts) -> list[Candidate]:
    """The values to try for a parameter of a function of `owner`'s file, the likeliest first; never empty."""
    named = list(by_name(parameter.name))
    annotation = _resolved(parameter.annotation, owner)
    if annotation is inspect.Parameter.empty or annotation is Any:
        return [*named, *_USUAL]
    options = list(_alternatives(annotation))
    plain = tuple(option for option in map(_plain, options) if option is not None)
    found = [one for one in named if type(one.make()) in plain]
    for option in options:
        found += _of_type(option, parameter.name, parts)
    if type(None) in options:
        found.append(Candidate("None", lambda: None))
    return found or [*named, *_USUAL]


def by_name(name: str) -> Iterator[Candidate]:
    """What a parameter called `name` usually is."""
    for pattern, values in _BY_NAME:
        if pattern.search(name.lower()):
            for value in values:
                # A name such as `encoder` wants an object, `norm_layer` a class to make one of.
                if value is Through and not name.endswith(("layer", "block", "cls", "factory")):
                    yield Candidate("nn.Identity()", Through)
                else:
                    yield plainly(value)
            return


def plainly(value: Any) -> Candidate:
    """The candidate of a value that need not be made anew."""
    name = getattr(value, "__name__", None)
    is_layer = isinstance(value, type) and value.__module__.startswith("torch.nn")
    return Candidate(f"nn.{name}" if is_layer else name or repr(value), lambda: value)


_USUAL = (plainly(DIM), plainly(None), Candidate("nn.Identity()", Through), plainly((4, 4)), plainly("mean"))
_PLAIN: dict[Any, tuple[Any, ...]] = {
    bool: (False, True),
    int: (4, DIM, 1),
    float: (0.5, 1.0, 0.0),
    str: ("gelu", "relu", "mean"),
    torch.dtype: (torch.float32,),
    torch.device: (torch.device("cpu"),),
}


def _plain(kind: Any) -> Any:
    """The type of the values of an annotation where that is a plain one."""
    origin = typing.get_origin(kind) or kind
    return origin if origin in (bool, int, float, str, tuple, list) else None


def _resolved(annotation: Any, owner: type) -> Any:
    if not isinstance(annotation, str):
        return annotation
    module = inspect.getmodule(owner)
    try:
        return eval(annotation, dict(vars(module)) if module else {})
    except Exception:
        # Names that only a type checker imports: the name of the parameter has to do.
        return inspect.Parameter.empty


def _alternatives(annotation: Any) -> Iterator[Any]:
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        yield from _alternatives(typing.get_args(annotation)[0])
    elif origin in (typing.Union, types.UnionType):
        for option in typing.get_args(annotation):
            yield from _alternatives(option)
    else:
        yield annotation


def _of_type(kind: Any, name: str, parts: Parts) -> Iterator[Candidate]:
    origin = typing.get_origin(kind)
    number = next((one.make() for one in by_name(name) if type(one.make()) is int), 4)
    if kind in _PLAIN:
        yield from map(plainly, _PLAIN[kind])
    elif origin is typing.Literal:
        yield from map(plainly, typing.get_args(kind))
    elif origin is tuple or kind is tuple:
        inner = typing.get_args(kind)
        yield plainly((number,) * (2 if not inner or inner[-1] is Ellipsis else len(inner)))
    elif _is_sequence(kind, origin):
        inner = [*typing.get_args(kind), int][0]
        part = next(_of_type(inner, name, parts), plainly(number)) if inner not in (int, float) else plainly(number)
        yield Candidate(f"[{part.text}, {part.text}]", lambda: [part.make(), part.make()])
    elif origin is dict or kind is dict:
        yield Candidate("{}", dict)
    elif kind is torch.Tensor or kind is nn.Parameter:
        yield from tensors(kind)
    elif origin is type or (origin or kind) in (Callable, typing.Callable):
        yield Candidate("nn.Identity", lambda: Through)
    elif kind is nn.Module:
        yield Candidate("nn.Identity()", Through)
    elif isinstance(kind, type) and issubclass(kind, enum.Enum):
        yield from (Candidate(f"{kind.__name__}.{one.name}", lambda one=one: one) for one in list(kind)[:3])  # type: ignore[misc]
    elif isinstance(kind, type):
        yield parts(kind)


def tensors(kind: type) -> Iterator[Candidate]:
    """Tensors, or Parameters where that is the kind, of usual shapes."""
    for shape in ((DIM,), (LENGTH, DIM), (LENGTH,), (DIM, DIM)):
        text = f"torch.randn{shape}".replace(",)", ")")
        if kind is nn.Parameter:
            yield Candidate(f"nn.Parameter({text})", lambda shape=shape: nn.Parameter(torch.randn(shape)))  # type: ignore[misc]
        else:
            yield Candidate(text, lambda shape=shape: torch.randn(shape))  # type: ignore[misc]


def _is_sequence(kind: Any, origin: Any) -> bool:
    return kind is list or (isinstance(origin, type) and issubclass(origin, Sequence))


def required(function: Any) -> list[inspect.Parameter]:
    """The parameters without a default of a function or constructor, but for self and stars."""
    return [
        one
        for one in inspect.signature(function).parameters.values()
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]


def is_configuration(kind: type) -> bool:
    """True for a class whose objects hold settings: a dataclass, or a name that says so."""
    return dataclasses.is_dataclass(kind) or kind.__name__.endswith(("Config", "Args", "Cfg", "Params", "Options"))
