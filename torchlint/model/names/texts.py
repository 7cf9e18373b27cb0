"""Texts that are put together: f-strings, +, % and format, of parts of which some are known."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import Formatter

from torchlint.model.values import MAX_STRINGS, OTHER, Kind, Pattern, TensorValue, expressions_of, strings_of

_PERCENT = re.compile(r"%(?:%|[-+ #0]*\d*(?:\.\d+)?[diouxXeEfFgGcrsa])")
_NUMBER = r"-?\d+"
_ANYTHING = ".+"


def text_of(value: TensorValue) -> TensorValue:
    """str(value): the text that a number or a text becomes; OTHER for anything else."""
    if isinstance(value.constant, int):
        return TensorValue(Kind.OTHER, constant=str(value.constant))
    if strings_of(value) or isinstance(value.constant, Pattern):
        return TensorValue(Kind.OTHER, constant=value.constant)
    is_integer = value.kind is Kind.NUMBER and value.dtype == "integral"
    return TensorValue(Kind.OTHER, constant=Pattern(frozenset({_NUMBER}))) if is_integer else OTHER


def concatenated(parts: Sequence[TensorValue]) -> TensorValue:
    """The texts of the parts, one after the other: one of few known texts where every part is one, else a pattern;
    OTHER where nothing of it is known."""
    texts = [text_of(part) for part in parts]
    strings = _products([strings_of(text) for text in texts])
    if strings:
        return TensorValue(Kind.OTHER, constant=next(iter(strings)) if len(strings) == 1 else strings)
    if not any(strings_of(text) - {""} or isinstance(text.constant, Pattern) for text in texts):
        return OTHER
    expressions = _products([expressions_of(text) or frozenset({_ANYTHING}) for text in texts])
    return TensorValue(Kind.OTHER, constant=Pattern(expressions)) if expressions else OTHER


def _products(choices: Sequence[frozenset[str]]) -> frozenset[str]:
    """Every way to put one choice after the other; empty where there are too many."""
    found = frozenset({""})
    for texts in choices:
        if len(found) * len(texts) > MAX_STRINGS:
            return frozenset()
        found = frozenset(before + text for before in found for text in texts)
    return found


def percent(template: TensorValue, given: TensorValue) -> TensorValue:
    """`template % given`."""
    if not isinstance(template.constant, str):
        return OTHER
    values = list(given.items) if given.kind is Kind.CONTAINER and given.items is not None else [given]
    parts: list[TensorValue] = []
    end = 0
    for found in _PERCENT.finditer(template.constant):
        parts.append(_literal(template.constant[end : found.start()]))
        end = found.end()
        if found[0] == "%%":
            parts.append(_literal("%"))
        else:
            parts.append(values.pop(0) if values else OTHER)
    return concatenated([*parts, _literal(template.constant[end:])])


def formatted(
    template: TensorValue, arguments: Sequence[TensorValue], keywords: Mapping[str, TensorValue]
) -> TensorValue:
    """`template.format(..)`."""
    if not isinstance(template.constant, str):
        return OTHER
    waiting = list(arguments)
    parts: list[TensorValue] = []
    try:
        fields = list(Formatter().parse(template.constant))
    except ValueError:
        return OTHER
    for literal, field, _, _ in fields:
        parts.append(_literal(literal))
        if field == "":
            parts.append(waiting.pop(0) if waiting else OTHER)
        elif field is not None:
            is_position = field.isdigit() and int(field) < len(arguments)
            parts.append(arguments[int(field)] if is_position else keywords.get(field, OTHER))
    return concatenated(parts)


def joined(separator: str, given: TensorValue) -> TensorValue:
    """`separator.join(given)`, of texts that are counted."""
    if given.kind is not Kind.CONTAINER or not given.items:
        return OTHER
    first, *others = given.items
    return concatenated([first, *(part for one in others for part in (_literal(separator), one))])


def _literal(text: str) -> TensorValue:
    return TensorValue(Kind.OTHER, constant=text)
