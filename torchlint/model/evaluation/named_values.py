"""Values that hold others by name: dicts with plain keys, and records."""

from __future__ import annotations

from collections.abc import Sequence

from torchlint.model.values import Kind, TensorValue


def named(value: TensorValue, names: Sequence[str], items: Sequence[TensorValue]) -> TensorValue:
    """The value, with what it holds under each name."""
    keys = tuple(TensorValue(Kind.OTHER, constant=name) for name in names)
    joined = value.keys or TensorValue(Kind.OTHER)
    return value.but(items=tuple(items), keys=joined.but(items=keys))


def under(value: TensorValue, name: object) -> TensorValue | None:
    """What a value holds under a name; None where that is not known of it."""
    keys = _names(value)
    if not keys or not value.items or len(keys) != len(value.items):
        return None
    return next((item for key, item in zip(keys, value.items, strict=True) if key.constant == name), None)


def names_in(value: TensorValue) -> dict[str, TensorValue] | None:
    """What a dict holds, by name; None where it may hold anything."""
    keys = _names(value)
    if value.kind is not Kind.CONTAINER or keys is None or value.items is None or len(keys) != len(value.items):
        return None
    return {str(key.constant): item for key, item in zip(keys, value.items, strict=True)}


def nameless(value: TensorValue) -> TensorValue:
    """A dict of which only what all of its values have in common is known: others may have changed it."""
    if value.kind is not Kind.CONTAINER or value.keys is None or _names(value) is None:
        return value
    return value.but(items=(), keys=value.keys.but(items=None))


def is_sequence(value: TensorValue) -> bool:
    """True where the items of a value are what unpacking it gives: of a dict that is its keys."""
    if value.kind is Kind.OBJECT:
        return value.of is not None and "typing.NamedTuple" in value.of.foreign_bases
    return _names(value) is None


def _names(value: TensorValue) -> tuple[TensorValue, ...] | None:
    """The names under which a value holds others. The keys of a dict may be tuples, whose items are no names."""
    is_by_name = value.keys is not None and value.keys.kind is not Kind.CONTAINER
    return value.keys.items if value.keys is not None and is_by_name else None
