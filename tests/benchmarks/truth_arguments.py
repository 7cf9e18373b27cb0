"""Arguments with which a class of a model library can be tried: small numbers, default configurations, stand-ins."""

from __future__ import annotations

import inspect
import re
import sys
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from types import ModuleType
from typing import Any

_MAX_CONFIGS = 4
_MAX_DEPTH = 2
_MODELS_PER_FILE = 3
# The first pattern that is found in the name of a parameter decides.
_NUMBERS: tuple[tuple[str, Any], ...] = (
    (r"drop|prob|(^|_)rate|eps|momentum|alpha|beta$|temperature|gamma|(^|_)p$|(^|_)q$|ratio|threshold|margin", 0.5),
    (r"(^|_)rank|num_branches|num_scales|^ndim$|num_bases|(^|_)k$", 2),
    (r"heads|groups", 4),
    (r"frame_patch|temporal", 2),
    (r"frames", 4),
    (r"depth|layers|blocks|repeat|num_stages", 2),
    (r"kernel", 3),
    (r"stride|dilation|expansion|upscale|scale|reduction", 1),
    (r"(^|_)(idx|index|id|level)$|layer_number|offset|padding", 0),
    (r"(image|img|input|feat)_(size|height|width)|resolution|input_shape", 64),
    (r"patch_size", 16),
    (r"num_classes|num_tokens|vocab|num_embeddings|num_nodes|num_relations|(seq|max)_len|length|num_patches", 16),
    (r"window", 8),
)
_NUMBER_WORDS = re.compile(r"dim|channel|feature|size|num|width|chs|planes|hidden|(^|_)(in|out|n|d|c)$")
_PLURALS = re.compile(
    r"(channels|dims|sizes|depths|strides|layers|features|shape|widths|heads|list|ratios|depth|scale)$"
)
_WORDS = {"mode": "binary", "merge_policy": "add", "aggr": "mean", "aggrs": ["mean", "max"], "reduction": "mean"}
_MODULE_WORDS = re.compile(r"^(module|net|encoder|decoder|model|layer|backbone|vit|fn|block|conv|student|teacher)$")
_CLASSES_FOR_WORDS = ((re.compile(r"norm_layer|norm_class"), "LayerNorm"), (re.compile(r"act_layer"), "GELU"))
# What makes a constructor bring weights from the network.
_WEIGHTS = ("encoder_weights", "pretrained", "weights")


class NoArgumentsError(Exception):
    """A parameter for which nothing can be invented. `str(error)` names it."""


Scheme = Callable[[str], Any]


@dataclass(frozen=True)
class Package:
    """The package whose classes are tried: it lends its configurations and a model of its own."""

    name: str

    @cached_property
    def model(self) -> Any:
        """A whole model, for the constructors that wrap one; a linear layer where the package has none to offer."""
        from torch import nn

        maker = _MODELS.get(self.name)
        return maker() if maker else nn.Linear(64, 64)

    def factories(self) -> dict[str, list[Callable[[], Any]]]:
        """The package's own ways to make models by name, in groups that can fail on their own."""
        maker = _FACTORIES.get(self.name)
        return maker() if maker else {}


def attempts(kind: type, package: Package) -> Iterator[dict[str, Any]]:
    """Keyword arguments to try, the likeliest first; without any where every parameter has a default."""
    parameters = _parameters(kind)
    required = [one for one in parameters if one.default is one.empty]
    fixed = {one.name: None for one in parameters if one.name in _WEIGHTS and one.default is not one.empty}
    if not required:
        yield fixed
    if any(_is_config(one) for one in required):
        yield from (fixed | some for some in _with_configs(kind, package, parameters, required))
        return
    open_ones = [one for one in parameters if one.default is None and _known_number(one.name) is not None]
    for chosen in (required, [*required, *open_ones]) if open_ones else (required,):
        for scheme in (_number, _series, _stand_in, lambda name: package.model):
            if chosen:
                yield fixed | {one.name: _argument(one, kind, scheme, package) for one in chosen}


def _with_configs(
    kind: type, package: Package, parameters: list[inspect.Parameter], required: list[inspect.Parameter]
) -> Iterator[dict[str, Any]]:
    indices = [one for one in parameters if one.default is not one.empty and one.name in ("layer_idx", "layer_id")]
    for config in _configs(kind, package):
        for chosen in (required, [*required, *indices]) if indices else (required,):
            yield {one.name: config if _is_config(one) else _argument(one, kind, _number, package) for one in chosen}


def _parameters(kind: type) -> list[inspect.Parameter]:
    """The parameters of the first constructor in the resolution order that names any."""
    for ancestor in kind.__mro__:
        init = ancestor.__dict__.get("__init__")
        if init is None or ancestor is object:
            continue
        try:
            parameters = list(inspect.signature(init).parameters.values())[1:]
        except (TypeError, ValueError):
            continue
        named = [one for one in parameters if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
        if named or not parameters:
            return named
    return []


def _is_config(parameter: inspect.Parameter) -> bool:
    return parameter.name in ("config", "cfg") or parameter.name.endswith("_config")


# Configurations


def _configs(kind: type, package: Package) -> Iterator[Any]:
    """Default configurations: the annotated one, the class's own, then those of the same folder by likeness of name."""
    candidates: list[Any] = [_annotation(kind, "config"), getattr(kind, "config_class", None)]
    beside = list(_config_classes(kind, package))
    beside.sort(key=lambda one: -_common_length(one.__name__, kind.__name__))
    seen: list[Any] = []
    for candidate in (*candidates, *beside):
        for member in typing.get_args(candidate) or (candidate,):
            if isinstance(member, type) and member not in seen and member.__name__ != "PreTrainedConfig":
                seen.append(member)
    if not seen:
        raise NoArgumentsError("config: no configuration class")
    yield from filter(None, (_small(config) for config in seen[:_MAX_CONFIGS]))


def _config_classes(kind: type, package: Package) -> Iterator[type]:
    """The configuration classes that the file of `kind` or a configuration_*.py beside it names."""
    folder = kind.__module__.rpartition(".")[0]
    modules: list[ModuleType] = [sys.modules[kind.__module__]]
    modules += [m for name, m in list(sys.modules.items()) if name.startswith(f"{folder}.configuration_")]
    for module in modules:
        for member in list(vars(module).values()):
            is_config = isinstance(member, type) and member.__name__.endswith(("Config", "Cfg"))
            if is_config and member.__module__.startswith(package.name):
                yield member


def _small(config: type) -> Any:
    """A default configuration with two layers where it allows that; None where it needs arguments.

    The names that a class registers do not depend on how many layers the whole has; the time to build it does.
    """
    for options in ({"num_hidden_layers": 2}, {"num_layers": 2}, {}):
        try:
            default = config()
            if all(isinstance(getattr(default, name, None), int) for name in options):
                return config(**options)
        except Exception:
            continue
    return None


def _common_length(one: str, other: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


# Single arguments


def _annotation(kind: type, name: str) -> Any:
    init = inspect.unwrap(getattr(kind, "__init__", object.__init__))
    try:
        return typing.get_type_hints(init).get(name)
    except Exception:
        written = getattr(init, "__annotations__", {}).get(name)
        return getattr(sys.modules[kind.__module__], written, None) if isinstance(written, str) else written


def _argument(
    parameter: inspect.Parameter, kind: type, scheme: Scheme, package: Package, depth: int = _MAX_DEPTH
) -> Any:
    """A value by the annotation of a parameter where it says enough, else by its name."""
    from torch import Tensor, nn, ones

    name = parameter.name
    annotation = _annotation(kind, name)
    members = [one for one in typing.get_args(annotation) if one is not type(None)]
    simple = {bool: False, float: 0.5, str: _WORDS.get(name, "relu")}
    if annotation in (bool, float, str):
        return simple[annotation]
    if name in _WORDS or "activation" in name or name.endswith("_act"):
        return _WORDS.get(name, "relu")
    if annotation is Tensor:
        return ones(4, 4)
    if typing.get_origin(annotation) in (list, tuple) and members and members[0] in (int, float):
        return [_number(name)] * (2 if scheme is _number else 4)
    for pattern, layer in _CLASSES_FOR_WORDS:
        if pattern.search(name):
            return getattr(nn, layer)
    owned = [one for one in (annotation, *members) if isinstance(one, type) and issubclass(one, nn.Module)]
    if owned and owned[0] is not nn.Module and depth:
        return _nested(owned[0], package, depth)
    if owned or _MODULE_WORDS.search(name):
        return nn.Linear(64, 64) if scheme is _number else package.model
    return scheme(name)


def _nested(kind: type, package: Package, depth: int) -> Any:
    if isinstance(package.model, kind):
        return package.model
    required = [one for one in _parameters(kind) if one.default is one.empty]
    return kind(**{one.name: _argument(one, kind, _number, package, depth - 1) for one in required})


def _known_number(name: str) -> Any:
    return next((value for pattern, value in _NUMBERS if re.search(pattern, name)), None)


def _number(name: str) -> Any:
    known = _known_number(name)
    return 64 if known is None else known


def _series(name: str) -> Any:
    return (_number(name),) * 4 if _PLURALS.search(name) else _number(name)


def _stand_in(name: str) -> Any:
    from torch import nn

    is_number = _known_number(name) is not None or _NUMBER_WORDS.search(name)
    return _number(name) if is_number else nn.Linear(64, 64)


# What single packages offer


def _vision_transformer() -> Any:
    return import_module("vit_pytorch").ViT(
        image_size=256, patch_size=32, num_classes=10, dim=64, depth=2, heads=4, mlp_dim=128
    )


def _language_model() -> Any:
    library = import_module("x_transformers")
    return library.TransformerWrapper(
        num_tokens=16, max_seq_len=16, attn_layers=library.Decoder(dim=64, depth=2, heads=4)
    )


def _timm_models() -> dict[str, list[Callable[[], Any]]]:
    """The first, the last and a middle one of the named models of each file."""
    timm = import_module("timm")
    files: dict[str, list[str]] = {}
    for name in timm.list_models():
        files.setdefault(timm.models.model_entrypoint(name).__module__, []).append(name)
    return {
        file: [
            partial(timm.create_model, name) for name in dict.fromkeys((names[0], names[-1], names[len(names) // 2]))
        ]
        for file, names in files.items()
    }


def _segmentation_encoders() -> dict[str, list[Callable[[], Any]]]:
    """The encoders by name, one or two of each class."""
    library = import_module("segmentation_models_pytorch.encoders")
    classes: dict[str, list[Callable[[], Any]]] = {}
    for name, entry in library.encoders.items():
        classes.setdefault(entry["encoder"].__name__, []).append(partial(library.get_encoder, name, weights=None))
    return {name: makers[:_MODELS_PER_FILE] for name, makers in classes.items()}


_MODELS: dict[str, Callable[[], Any]] = {"vit_pytorch": _vision_transformer, "x_transformers": _language_model}
_FACTORIES: dict[str, Callable[[], dict[str, list[Callable[[], Any]]]]] = {
    "timm": _timm_models,
    "segmentation_models_pytorch": _segmentation_encoders,
}
