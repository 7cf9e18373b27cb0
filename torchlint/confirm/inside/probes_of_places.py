"""The probe of TL204: a tensor that is made on the CPU wherever the module is."""

from __future__ import annotations

from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._device import _device_constructors

from .conversions import is_there
from .line_watch import Lines
from .outcomes import said
from .scene import Scene
from .seeds import reseed
from .simulated import SimulatedTrace, simulation
from .subject import Facts
from .trace import Trace
from .walk import walk


def made_on_the_cpu(scene: Scene) -> Facts:
    """What raises on the device because of a tensor that the line makes.

    Where tensors of other lines have a part in it, or raise before, those are made on the device and it is tried again.
    """
    if not scene.device:
        return {"ran": False, "raised": "there is no device to run it on", "harm": []}
    facts = _looked_at(scene, moves_others=False)
    if facts["clashed"] and not facts["harm"]:
        alone = _looked_at(scene, moves_others=True)
        facts = {**alone, "raised": facts["raised"], "moved others": True} if alone["harm"] else facts
    return facts


def _looked_at(scene: Scene, *, moves_others: bool) -> Facts:
    is_pretended = scene.device == "sim"
    where = "cuda" if is_pretended else scene.device
    trace = SimulatedTrace(scene.lines.file) if is_pretended else Trace(scene.lines.file)
    others = _Others(scene.lines, where, moves=moves_others)
    with simulation(trace) if isinstance(trace, SimulatedTrace) else trace, torch.no_grad():
        error, is_left = _call(scene, where, others)
    trace.settle(error)
    is_clear = error is not None and not trace.doubts and not is_left
    clashes = [one for one in trace.clashes if one.what == "raised"] if is_clear else []
    return {
        "ran": others.has_run,
        "raised": said(error) if error is not None else "",
        "clashed": bool(clashes),
        "harm": [one for clash in clashes if (one := _of_clash(clash, scene.lines)) is not None],
        "doubts": [*trace.doubts, *(["some state of the module stays on the CPU"] if is_left else [])],
    }


def _call(scene: Scene, where: str, others: _Others) -> tuple[Exception | None, bool]:
    """Move what is called, and call it; what it raises, and whether some of its state did not move."""
    is_left = False
    try:
        module = scene.module()
        module.to(where)
        is_left = any(not is_there(one.tensor, scene.device) for one in walk(module))
        given, named = scene.call.values(scene.way.seed, device=where)
        reseed(scene.way.seed + 7)
        with others:
            module(*given, **named)
    except Exception as raised:
        return raised, is_left
    return None, is_left


def _of_clash(clash: Any, lines: Lines) -> Facts | None:
    """A clash that tensors of the lines alone are to blame for."""
    made = [int(name.partition(" ")[2]) for name in clash.names if name.startswith("line ")]
    if len(made) != len(clash.names) or not made or any(line not in lines for line in made):
        return None
    return {"operation": clash.operation, "line": clash.line, "error": clash.error}


class _Others(TorchFunctionMode):
    """Notices that the lines run. moves: True where what other lines make is made on the device."""

    def __init__(self, lines: Lines, where: str, *, moves: bool) -> None:
        super().__init__()
        self._lines, self._where, self._moves = lines, where, moves
        self.has_run = False

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        named = dict(kwargs or {})
        if self._lines.is_running():
            self.has_run = True
        elif self._moves and func in _device_constructors() and named.get("device") is None:
            named["device"] = self._where
        return func(*args, **named)
