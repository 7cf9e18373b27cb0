"""The probe of TL104 where a function keeps values in a dict of the file, or on itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch

from .code import code_of_call
from .lines import lines_of
from .outcomes import TOLERANCE, difference, plain, said
from .plans import Constant
from .scene import Scene
from .search import with_longer
from .seeds import reseed
from .simulated import SimulatedTrace, simulation
from .subject import Facts
from .trace import tensors_in
from .walk import tensors_below

_NAME = re.compile(r"([\w.]+) is kept by")
_OUTLIVES = re.compile(r"the old value outlives (.*)")
_ANOTHER = re.compile(r"another (\w+)")


@dataclass(frozen=True)
class _Result:
    """What a call gives. kinds: dtype and place of each tensor. error: "" where it raised nothing."""

    values: list[torch.Tensor]
    kinds: list[str]
    error: str = ""


@dataclass(frozen=True)
class _Table:
    """What is kept: a name of the file, or an attribute of one of its functions."""

    owner: Any
    name: str

    def forget(self) -> None:
        """Empty it."""
        if not isinstance(self.owner, dict):
            vars(self.owner).pop(self.name, None)
        elif isinstance(self.owner.get(self.name), dict):
            self.owner[self.name].clear()

    @property
    def is_filled(self) -> bool:
        """True where it holds a tensor."""
        held = self.owner if isinstance(self.owner, dict) else vars(self.owner)
        return bool(tensors_below(held.get(self.name)))


def kept_by_a_function(scene: Scene) -> Facts:
    """What a second call does differently, where the first was of the kind that the value was made for."""
    table = _table_of(scene)
    if table is None:
        return {"ran": False, "raised": "what is kept was not found in the file", "line": 0, "harm": []}
    table.forget()
    with lines_of(scene.lines.file) as ran:
        first = _result(scene)
    facts = {"ran": any(line in scene.lines for line in ran), "raised": first.error, "line": 0, "harm": []}
    events = _events(scene) if table.is_filled and not first.error else iter(())
    seen = ((_harm(scene, table, event, call), code) for event, call, code in events)
    harm = next(({**one, "code": code} for one, code in seen if one is not None), None)
    table.forget()
    return {**facts, "harm": [harm] if harm else []}


def _table_of(scene: Scene) -> _Table | None:
    function = getattr(scene.way.build(), "function", None)
    found = _NAME.match(scene.text)
    names = getattr(function, "__globals__", {})
    owner, _, name = found[1].rpartition(".") if found else ("", "", "")
    if owner:
        return _Table(names[owner], name) if hasattr(names.get(owner), "__code__") else None
    return _Table(names, name) if isinstance(names.get(name), dict) else None


def _events(scene: Scene) -> Iterator[tuple[str, Callable[[], _Result], str | None]]:
    """What the finding says that the value outlives, and a call after that; its arguments as code, converted later."""
    found = _OUTLIVES.search(scene.text)
    outlived = found[1] if found else ""
    code = code_of_call(scene.call)
    if ".to()" in outlived and scene.device:
        yield "on the device", lambda: _on_the_device(scene), code
    if ".half()" in outlived:
        yield "in bfloat16", lambda: _result(scene, dtype=torch.bfloat16), code
    if "another shape" in outlived:
        longer = replace(scene, call=with_longer(scene.way.build, scene.call, scene.way.seed))
        if longer.call.longer is not None:
            yield f"with {longer.call.grown}", lambda: _result(longer, size=1), code_of_call(longer.call, size=1)
    for name in _ANOTHER.findall(outlived):
        plan = scene.call.plans.get(name)
        if isinstance(plan, Constant) and type(plan.value) in (int, float):
            plans = {**scene.call.plans, name: Constant(plan.value * 2 or 1)}
            other = replace(scene, call=replace(scene.call, plans=plans))
            event = f"with {name}={plans[name].value!r}"  # type: ignore[union-attr]
            yield event, lambda other=other: _result(other), code_of_call(other.call)  # type: ignore[misc]


def _harm(scene: Scene, table: _Table, event: str, call: Callable[[], _Result]) -> Facts | None:
    """What the call does where the table was filled before; None where it does the same as with an empty one."""
    fresh = []
    for _ in range(2):
        table.forget()
        fresh.append(call())
    if any(one.error for one in fresh) or _how_other(*fresh):
        return None
    table.forget()
    _result(scene)
    found = call()
    does = f"raises: {found.error}" if found.error else _how_other(fresh[0], found)
    is_rounded = event == "in bfloat16" and fresh[0].kinds == found.kinds
    return {"event": event, "does": does, "line": 0} if does and (found.error or not is_rounded) else None


def _how_other(expected: _Result, found: _Result) -> str:
    if expected.kinds != found.kinds:
        return f"gives {', '.join(found.kinds)} instead of {', '.join(expected.kinds)}"
    how = difference(expected.values, found.values, TOLERANCE)
    return f"gives something else: {how}" if how else ""


def _result(scene: Scene, *, dtype: torch.dtype | None = None, device: Any = None, size: int = 0) -> _Result:
    """Build what is called, move it, and call it."""
    try:
        module = scene.module()
        module.to(device=device, dtype=dtype)
        given, named = scene.call.values(scene.way.seed, size=size, dtype=dtype, device=device)
        reseed(scene.way.seed + 7)
        with torch.no_grad():
            tensors = tensors_in(module(*given, **named))
    except Exception as error:
        return _Result([], [], said(error))
    return _Result([plain(one) for one in tensors], [f"{one.dtype} on {one.device.type}" for one in tensors])


def _on_the_device(scene: Scene) -> _Result:
    if scene.device != "sim":
        return _result(scene, device=scene.device)
    trace = SimulatedTrace(scene.lines.file)
    with simulation(trace):
        result = _result(scene, device="cuda")
    return replace(result, error=result.error or trace.doubts[0]) if trace.doubts else result
