"""What an annotation promises: Tensor, nn.Module, a class of the project, a number, or an optional one of these."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.knowledge.modules import is_module_class
from torchlint.model.facts import Function
from torchlint.model.names.names import External, Value
from torchlint.model.terms import Attribute, Choice, Constant, Display, Global, Imported, Operation, Subscript, Term
from torchlint.model.values import NONE, UNKNOWN, Kind, TensorValue, join_all

if TYPE_CHECKING:
    from torchlint.model.project import Project

_TENSOR = TensorValue(Kind.TENSOR)
_SIMPLE = {
    "torch.Tensor": _TENSOR,
    "torch.FloatTensor": _TENSOR,
    "torch.LongTensor": TensorValue(Kind.TENSOR, dtype="int64"),
    "torch.BoolTensor": TensorValue(Kind.TENSOR, dtype="bool"),
    "torch.dtype": TensorValue(Kind.OTHER, made_by="dtype"),
    "torch.nn.Parameter": TensorValue(Kind.PARAMETER),
    "torch.nn.parameter.Parameter": TensorValue(Kind.PARAMETER),
    "torch.nn.Module": TensorValue(Kind.MODULE),
    "builtins.int": TensorValue(Kind.NUMBER, dtype="integral"),
    "builtins.float": TensorValue(Kind.NUMBER, dtype="floating"),
    "builtins.bool": TensorValue(Kind.NUMBER, dtype="bool"),
    "builtins.str": TensorValue(Kind.OTHER),
    "builtins.list": TensorValue(Kind.CONTAINER),
    "builtins.dict": TensorValue(Kind.CONTAINER),
    "builtins.tuple": TensorValue(Kind.CONTAINER),
    "numpy.ndarray": TensorValue(Kind.ARRAY),
    "typing.Callable": TensorValue(Kind.CALLABLE),
    "collections.abc.Callable": TensorValue(Kind.CALLABLE),
}
_CONTAINERS = frozenset("List list Sequence Iterable Iterator Set set Generator Collection".split())
_DICTS = frozenset("Dict dict Mapping MutableMapping OrderedDict DefaultDict".split())
_TUPLES = frozenset(("Tuple", "tuple"))
_TEXT = re.compile(r"(?:Optional\[)?[\"']?(?:torch\.)?Tensor[\"']?\]?(?: \| None)?")


def annotated(term: Term, project: Project, path: str, depth: int = 6) -> TensorValue:
    """The value that the annotation `term` promises; UNKNOWN where it says nothing certain."""
    if depth == 0:
        return UNKNOWN
    if isinstance(term, Constant):
        if term.value is None:
            return NONE
        # A quoted annotation is not parsed: only the commonest spelling is known.
        return _TENSOR if isinstance(term.value, str) and _TEXT.fullmatch(term.value) else UNKNOWN
    if isinstance(term, Operation) and term.operator == "|":
        return join_all(annotated(part, project, path, depth - 1) for part in term.parts)
    if isinstance(term, Subscript):
        return _generic(term, project, path, depth - 1)
    if not isinstance(term, (Global, Imported, Attribute, Choice)):
        return UNKNOWN
    found = project.names.of_term(term, path)
    if isinstance(found, External):
        if found.name in _SIMPLE:
            return _SIMPLE[found.name]
        return TensorValue(Kind.MODULE, made_by=found.name) if is_module_class(found.name) else UNKNOWN
    if found is None or isinstance(found, (Function, Value)):
        return UNKNOWN
    return TensorValue(Kind.MODULE if found.is_module else Kind.OBJECT, of=found, made_by="annotation")


def _generic(term: Subscript, project: Project, path: str, depth: int) -> TensorValue:
    base = term.base.name.rpartition(".")[2] if isinstance(term.base, (Global, Imported)) else ""
    parts = term.index.parts if isinstance(term.index, Display) else (term.index,)
    if base in ("Optional", "Union"):
        return join_all(annotated(part, project, path, depth) for part in (*parts, Constant(term.place, None)))
    if base in ("Annotated", "Final", "ClassVar", "Float", "Int") and parts:
        return annotated(parts[0], project, path, depth)
    if base in _TUPLES:
        return _tuple(parts, project, path, depth)
    if base in _CONTAINERS and parts:
        return TensorValue(Kind.CONTAINER, element=annotated(parts[0], project, path, depth))
    if base in _DICTS:
        return TensorValue(Kind.CONTAINER, element=annotated(parts[-1], project, path, depth), made_by="dict")
    return TensorValue(Kind.CALLABLE) if base == "Callable" else UNKNOWN


def _tuple(parts: tuple[Term, ...], project: Project, path: str, depth: int) -> TensorValue:
    items = tuple(annotated(part, project, path, depth) for part in parts)
    if len(parts) == 2 and isinstance(parts[1], Constant) and parts[1].value is ...:
        return TensorValue(Kind.CONTAINER, element=items[0])
    return TensorValue(Kind.CONTAINER, items=items, element=join_all(items))
