"""Which methods of a class write an attribute after construction, by the text of the class."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeGuard

from torch import nn

from .sources import class_tree, classes_saying, file_of

# What construction, conversions, changes of mode and loads call: that they write a value is what a finding speaks of.
_EVENTS = frozenset(
    """
    __init__ __post_init__ __new__ __setstate__ __deepcopy__ train eval _apply to half bfloat16 float double cuda cpu
    load_state_dict _load_from_state_dict
    """.split()
)
_GROWING = frozenset("append extend insert add update clear pop popitem remove setdefault appendleft popleft".split())
_BUILDING = frozenset(("__init__", "__post_init__", "__new__"))
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Writer(NamedTuple):
    """A method, with its lines in the file. is_open: no method of the class calls it, so that an owner decides when."""

    name: str
    is_open: bool
    first_line: int
    last_line: int


def later_writers(kind: type[nn.Module], members: tuple[str, ...]) -> dict[str, list[Writer]]:
    """For each member the methods that write it and may be called at any later time, the events of a module aside."""
    methods = dict(_methods(kind))
    building = {one for name in _BUILDING & methods.keys() for one in _own_calls(methods[name])}
    later = {one for name in methods.keys() - _BUILDING for one in _own_calls(methods[name])}
    found: dict[str, list[Writer]] = {}
    for name, method in methods.items():
        # What construction alone calls, and what needs nothing, is a part of construction.
        is_late = name in later or not (name.startswith("_") or (name in building and _needs_nothing(method)))
        for member in members if is_late and name not in _EVENTS else ():
            if any(_writes(node, member) for node in ast.walk(method)):
                is_open = name not in later and name != "forward"
                writer = Writer(name, is_open, method.lineno, method.end_lineno or 0)
                found.setdefault(member, []).append(writer)
    return found


def movers_of(kind: type[nn.Module], members: tuple[str, ...]) -> dict[str, list[str]]:
    """For each member the classes of the file whose _apply() assigns it to an object that is a part of theirs."""
    found: dict[str, list[str]] = {}
    for owner in classes_saying(file_of(kind), "def _apply"):
        moves = [one for one in owner.body if isinstance(one, _Function) and one.name == "_apply"]
        stored = {one.attr for move in moves for one in ast.walk(move) if _is_of_a_part(one)}
        moved = [one for one in members if one.rpartition(".")[2] in stored]
        for member in moved if owner.name != kind.__name__ else ():
            found.setdefault(member, []).append(f"{owner.name}._apply")
    return found


def _is_of_a_part(node: ast.AST) -> TypeGuard[ast.Attribute]:
    """True where an attribute of something else than self is assigned."""
    is_stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    return is_stored and not _is_own(node)


def _methods(kind: type[nn.Module]) -> Iterator[tuple[str, _Function]]:
    """The methods of a class and of its bases, but for torch's; overrides come last."""
    for owner in reversed(kind.__mro__):
        if owner.__module__.partition(".")[0] != "torch" and owner is not object:
            tree = class_tree(owner)
            yield from ((one.name, one) for one in (tree.body if tree else ()) if isinstance(one, _Function))


def _needs_nothing(method: _Function) -> bool:
    given = [*method.args.posonlyargs, *method.args.args][1:]
    return len(given) <= len(method.args.defaults) and len(method.args.kwonlyargs) <= len(method.args.kw_defaults)


def _own_calls(method: _Function) -> Iterator[str]:
    for node in ast.walk(method):
        if isinstance(node, ast.Call) and _is_own(node.func):
            assert isinstance(node.func, ast.Attribute)
            yield node.func.attr


def _is_own(node: ast.AST, member: str = "") -> bool:
    """True for `self.member`, also where that has a dot, or any attribute of self."""
    if not isinstance(node, ast.Attribute):
        return False
    owner, _, name = member.rpartition(".")
    if owner:
        return node.attr == name and _is_own(node.value, owner)
    return isinstance(node.value, ast.Name) and node.value.id == "self" and name in ("", node.attr)


def _writes(node: ast.AST, member: str) -> bool:
    """True where a node assigns the attribute, an element of it, or calls what writes into it."""
    targets: Mapping[type, tuple[str, ...]] = {
        ast.Assign: ("targets",),
        ast.AugAssign: ("target",),
        ast.AnnAssign: ("target",),
        ast.Delete: ("targets",),
    }
    for field in targets.get(type(node), ()):
        value = getattr(node, field)
        if any(_is_target(one, member) for one in (value if isinstance(value, list) else [value])):
            return True
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    if isinstance(function, ast.Attribute) and _is_target(function.value, member):
        in_place = function.attr.endswith("_") and not function.attr.endswith("__")
        return (in_place and function.attr != "requires_grad_") or function.attr in _GROWING
    return any(one.arg == "out" and _is_target(one.value, member) for one in node.keywords)


def _is_target(node: ast.AST, member: str) -> bool:
    """True for `self.member`, an element of it, its data, or a tuple with one of these."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return any(_is_target(one, member) for one in node.elts)
    while isinstance(node, (ast.Subscript, ast.Starred)) or (isinstance(node, ast.Attribute) and node.attr == "data"):
        node = node.value
    return _is_own(node, member)
