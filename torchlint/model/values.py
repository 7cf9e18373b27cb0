"""TensorValue: what is known of a value, facet by facet. None on a facet means "not known", and rules stay silent
there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from torchlint.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable


class Kind(Enum):
    """What a value is. NONE is the None object: it joins with anything as that thing, which may be absent."""

    TENSOR = "tensor"
    PARAMETER = "parameter"
    BUFFER = "buffer"
    MODULE = "module"
    CONTAINER = "container"
    ARRAY = "array"
    NUMBER = "number"
    CALLABLE = "callable"
    OBJECT = "object"
    OTHER = "other"
    NONE = "none"
    UNKNOWN = "unknown"

    # Enum hashes the name, in Python, and values are hashed millions of times; each member is one object.
    __hash__ = object.__hash__


class Source(NamedTuple):
    """What a value was computed from. owner: the identity of the class or function; kind: "state" (a parameter, a
    buffer, a
    child module), "plain" (another attribute) or "argument"."""

    owner: int
    kind: str
    name: str


class Placing(NamedTuple):
    """What put a tensor on a device of its own choice. how: "made" (a factory without device=: the CPU), "cuda"
    (`.cuda()`, a CUDA type) or "named" (a device that the top level of a file chose). symbol: the function around.
    is_new: the tensor was made by the program, and is no input that was moved."""

    span: Span
    how: str
    symbol: str
    is_new: bool = True


MAX_STRINGS = 64
_MAX_LEVELS = 4
TENSORS = frozenset({Kind.TENSOR, Kind.PARAMETER, Kind.BUFFER})


@dataclass(frozen=True, slots=True)
class Pattern:
    """Texts of which only a part is known, such as f"weight_{index}": the regular expressions that they match."""

    expressions: frozenset[str]

    def matches(self, text: str) -> bool:
        """True where `text` may be one of the texts."""
        return any(re.fullmatch(expression, text) for expression in self.expressions)


class TensorValue(NamedTuple):
    """One value. A named tuple, since millions are made.

    dtype: a torch dtype name ("int64"), or a category where only that is known ("floating", "integral", "complex").
    device: "cpu" where a factory was called without one, else None. ndim: the number of dimensions.
    made_by: the dotted name of the function whose result it is. origin: where it was born. cast: where its dtype was
    decided. sources: the state and arguments it was computed from. detached: True where autograd records no path to it.
    items: the elements of a tuple or list. element: what each element of a container is. keys: what each key of a dict
    is. captures: the tensors that a callable holds. came_from_parameter: a conversion or view of a Parameter made it.
    is_given: it is the caller's own tensor, or a view or copy of it. of: the class of an object or module, or the
    function of a callable. constant: the Python constant that it is; of several texts that it may be the frozenset, or
    their Pattern. placed: what put it on a device, where no input decided that; empty for what lies where the inputs
    are and where it is not known.
    """

    kind: Kind = Kind.UNKNOWN
    dtype: str | None = None
    device: str | None = None
    ndim: int | None = None
    made_by: str | None = None
    origin: Span | None = None
    cast: Span | None = None
    sources: frozenset[Source] = frozenset()
    detached: bool = False
    items: tuple[TensorValue, ...] | None = None
    element: TensorValue | None = None
    keys: TensorValue | None = None
    captures: tuple[TensorValue, ...] = ()
    came_from_parameter: bool = False
    is_given: bool = False
    of: Any = None
    constant: Any = None
    placed: frozenset[Placing] = frozenset()

    @property
    def is_tensor(self) -> bool:
        """A tensor, registered or not."""
        return self.kind in TENSORS

    @property
    def is_floating(self) -> bool:
        """The dtype is known to be floating (real, not complex)."""
        return self.dtype is not None and (self.dtype == "floating" or self.dtype.startswith(("float", "bfloat")))

    @property
    def is_integral(self) -> bool:
        """The dtype is known to be an integer type or bool."""
        return self.dtype is not None and self.dtype.startswith(("int", "uint", "bool", "integral"))

    @property
    def is_complex(self) -> bool:
        """The dtype is known to be complex."""
        return self.dtype is not None and self.dtype.startswith("complex")

    def but(self, **facets: Any) -> TensorValue:
        """The same value with other facets."""
        # As _replace does it, at half the cost.
        values = list(self)
        for name, facet in facets.items():
            values[_PLACES[name]] = facet
        return tuple.__new__(TensorValue, values)


_PLACES = {name: place for place, name in enumerate(TensorValue._fields)}
UNKNOWN = TensorValue()
NONE = TensorValue(Kind.NONE)
# What a value that needs itself is taken for before anything is known of it; it joins as None does.
ABSENT = TensorValue(Kind.NONE, made_by="absent")
OTHER = TensorValue(Kind.OTHER)


def join(left: TensorValue, right: TensorValue) -> TensorValue:
    """The value after two branches meet: what both agree on, and every source of either.

    A facet on which the branches differ becomes None, "not known". Rules speak only on known facets, so a join can
    silence a
    finding and never cause one. None joins as absence: an attribute that starts as None and becomes a tensor is a
    tensor.
    """
    if left is right or right.kind is Kind.NONE or left == right:
        return left
    if left.kind is Kind.NONE:
        return right
    same_items = left.items is not None and right.items is not None and len(left.items) == len(right.items)
    return TensorValue(
        kind=_joined_kind(left.kind, right.kind),
        dtype=joined_dtype(left, right),
        device=left.device if left.device == right.device else None,
        ndim=left.ndim if left.ndim == right.ndim else None,
        made_by=left.made_by if left.made_by == right.made_by else None,
        origin=left.origin or right.origin,
        cast=left.cast or right.cast,
        sources=left.sources | right.sources,
        detached=left.detached and right.detached,
        items=tuple(join(a, b) for a, b in zip(left.items or (), right.items or (), strict=True))
        if same_items
        else None,
        element=join(left.element, right.element) if left.element and right.element else left.element or right.element,
        keys=join(left.keys, right.keys) if left.keys and right.keys else left.keys or right.keys,
        captures=left.captures or right.captures,
        came_from_parameter=left.came_from_parameter and right.came_from_parameter,
        is_given=left.is_given and right.is_given,
        of=left.of if left.of == right.of else None,
        constant=_joined_constant(left.constant, right.constant),
        placed=left.placed | right.placed if left.placed and right.placed else frozenset(),
    )


def join_all(values: Iterable[TensorValue]) -> TensorValue:
    """The join of several values; UNKNOWN of none."""
    joined: TensorValue | None = None
    for value in values:
        joined = value if joined is None else join(joined, value)
    return UNKNOWN if joined is None else joined


def joined_dtype(left: TensorValue, right: TensorValue) -> str | None:
    """The dtype that both have, or the category that both are in."""
    if left.dtype == right.dtype:
        return left.dtype
    for category, member in (("floating", "is_floating"), ("integral", "is_integral"), ("complex", "is_complex")):
        if getattr(left, member) and getattr(right, member):
            return category
    return None


def sources_in(values: Iterable[TensorValue]) -> frozenset[Source]:
    """What any of several values was computed from."""
    found = UNKNOWN.sources
    for value in values:
        if value.sources:
            found = found | value.sources if found else value.sources
    return found


def with_sources(value: TensorValue, sources: frozenset[Source]) -> TensorValue:
    """The value, and each of its parts, as computed from `sources`."""
    items = tuple(with_sources(item, sources) for item in value.items) if value.items is not None else None
    element = with_sources(value.element, sources) if value.element is not None else None
    return value.but(sources=sources, items=items, element=element)


def without_graph(value: TensorValue) -> TensorValue:
    """The value, and each of its parts, as autograd leaves it where it records nothing."""
    if value.items is None and value.element is None:
        return value.but(detached=True) if value.is_tensor else value
    items = tuple(map(without_graph, value.items)) if value.items is not None else None
    element = without_graph(value.element) if value.element is not None else None
    return value.but(items=items, element=element, detached=value.is_tensor)


def bounded(value: TensorValue, levels: int = _MAX_LEVELS) -> TensorValue:
    """The value with nothing known of parts that lie more than `levels` deep."""
    if value.items is None and value.element is None and value.keys is None and not value.captures:
        return value
    if not levels:
        return value.but(items=None, element=None, keys=None, captures=())
    return value.but(
        items=tuple(bounded(item, levels - 1) for item in value.items) if value.items is not None else None,
        element=bounded(value.element, levels - 1) if value.element is not None else None,
        keys=bounded(value.keys, levels - 1) if value.keys is not None else None,
        captures=tuple(bounded(one, levels - 1) for one in value.captures),
    )


def strings_of(value: TensorValue) -> frozenset[str]:
    """The strings that a value can be; empty where it is no known string."""
    if isinstance(value.constant, str):
        return frozenset({value.constant})
    return value.constant if isinstance(value.constant, frozenset) else frozenset()


def expressions_of(value: TensorValue) -> frozenset[str]:
    """The regular expressions of the texts that a value can be; empty where nothing of them is known."""
    if isinstance(value.constant, Pattern):
        return value.constant.expressions
    return frozenset(re.escape(text) for text in strings_of(value))


def _joined_constant(left: Any, right: Any) -> Any:
    """The constant that both are; of different texts, the set of them, or their pattern."""
    if type(left) is type(right) and left == right:
        return left
    texts = [one for one in (left, right) if isinstance(one, (str, frozenset, Pattern))]
    if len(texts) < 2:
        return None
    if isinstance(left, Pattern) or isinstance(right, Pattern):
        expressions = [expressions_of(TensorValue(constant=one)) for one in texts]
        return Pattern(expressions[0] | expressions[1]) if sum(map(len, expressions)) <= MAX_STRINGS else None
    strings = [strings_of(TensorValue(constant=one)) for one in texts]
    return strings[0] | strings[1] if len(strings[0] | strings[1]) <= MAX_STRINGS else None


def _joined_kind(left: Kind, right: Kind) -> Kind:
    if left is right:
        return left
    if left in TENSORS and right in TENSORS:
        return Kind.TENSOR
    return Kind.UNKNOWN
