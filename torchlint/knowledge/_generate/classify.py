"""From observations to the short codes of the tables: the first rule that agrees with every observation."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from torchlint.knowledge._generate.observe import Leaf, Observation, Structure, dtype_name

Code = str | tuple["Code", ...]
Seen = tuple[Observation, Leaf]
Rules = dict[str, Callable[[Observation], str | None]]

REPEATED = "..."
# A rule that holds for all but these is taken: any() of uint8 stays uint8, square() of bool counts.
_UNUSUAL = frozenset({"bool", "uint8", "complex64", "complex128"})


def classify(observations: Sequence[Observation]) -> Code:
    """The code of what a function returns: a word, a tuple of codes, or (code, "...") for a tuple of any length."""
    return _classify([(observation, observation.result) for observation in observations])


def _classify(seen: Sequence[tuple[Observation, Structure]]) -> Code:
    if all(isinstance(result, Leaf) for _, result in seen):
        return _word(seen)
    if any(isinstance(result, Leaf) for _, result in seen):
        return "unknown"
    if len({len(result) for _, result in seen}) > 1:
        return _classify([(observation, item) for observation, result in seen for item in result]), REPEATED
    length = len(seen[0][1])
    return tuple(
        _classify([(observation, result[position]) for observation, result in seen]) for position in range(length)
    )


def _word(seen: Sequence[Seen]) -> str:
    kinds = {leaf.kind for _, leaf in seen}
    if len(kinds) > 1:
        return "number" if kinds == {"number", "boolean"} else "unknown"
    if kinds != {"tensor"}:
        return kinds.pop()
    if any(leaf.dtype and leaf.dtype.startswith("q") for _, leaf in seen):
        return "tensor"
    ordinary = [(observation, leaf) for observation, leaf in seen if observation.first not in _UNUSUAL]
    alike = [(observation, leaf) for observation, leaf in ordinary if observation.operands_agree]
    return _dtype_rule(seen, RULES) or _dtype_rule(ordinary, RULES) or _dtype_rule(alike, _PROMOTING) or "tensor"


def _dtype_rule(seen: Sequence[Seen], rules: Rules) -> str | None:
    """The first rule that agrees with all of `seen`; None if there is none, or nothing was seen."""
    if not seen:
        return None
    constant = _constant(seen)
    if constant:
        return constant
    for rule, expected in rules.items():
        if all(leaf.dtype == expected(observation) for observation, leaf in seen):
            return rule
    return None


def _constant(seen: Sequence[Seen]) -> str | None:
    dtypes = {leaf.dtype for _, leaf in seen}
    if len(dtypes) > 1:
        return None
    dtype = dtypes.pop()
    varied = (
        len({observation.first for observation, _ in seen}) > 1
        or len({observation.default for observation, _ in seen}) > 1
    )
    return dtype if varied or dtype in ("int64", "bool") else None


def _floating(name: str | None, default: str) -> str | None:
    if name is None:
        return None
    dtype = getattr(torch, name)
    return name if dtype.is_floating_point or dtype.is_complex else default


def _summed(name: str | None) -> str | None:
    if name is None:
        return None
    dtype = getattr(torch, name)
    return name if dtype.is_floating_point or dtype.is_complex else "int64"


def _real(name: str | None) -> str | None:
    return None if name is None else dtype_name(getattr(torch, name).to_real())


def _complex(name: str | None, default: str) -> str | None:
    floating = _floating(name, default)
    return None if floating is None else dtype_name(getattr(torch, floating).to_complex())


# In this order: the simplest reading first.
RULES: Rules = {
    "same": lambda seen: seen.first,
    "promote": lambda seen: seen.promoted,
    "float": lambda seen: _floating(seen.first, seen.default),
    "promote_float": lambda seen: _floating(seen.promoted, seen.default),
    "sum": lambda seen: _summed(seen.first),
    "real": lambda seen: _real(seen.first),
    "real_float": lambda seen: _real(_floating(seen.first, seen.default)),
    "complex": lambda seen: _complex(seen.first, seen.default),
    "second": lambda seen: seen.second,
    "promote_tensors": lambda seen: seen.tensors_promoted,
    "default": lambda seen: seen.default,
}
# Where operands of several dtypes follow no rule (losses built of several steps), promotion is the nearest.
_PROMOTING: Rules = {
    rule: RULES[rule]
    for rule in ("promote", "promote_float", "sum", "real", "real_float", "complex", "second", "default")
}
