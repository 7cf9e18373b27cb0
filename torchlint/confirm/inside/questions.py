"""Which files ask whether there is a GPU. The answer here is no, so they go a way that they would not go with one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import torch

_QUESTIONS = ("is_available", "device_count")
_askers: set[str] = set()
_listeners: list[Callable[[str], None]] = []


def listen() -> None:
    """Notice the questions from here on, once in a process. torch's own do not count."""
    for name in _QUESTIONS:
        answer = getattr(torch.cuda, name)
        if not hasattr(answer, "torchlint_noticed"):
            setattr(torch.cuda, name, _noticing(name, answer))


def has_asked(file: str) -> bool:
    """True where code of `file`, or what it called, has asked, be it as the file was imported."""
    return os.path.realpath(file) in _askers


class Listening:
    """While it is on, `hear` is told each question of any file but torch's."""

    def __init__(self, hear: Callable[[str], None]) -> None:
        self._hear = hear

    def __enter__(self) -> None:
        _listeners.append(self._hear)

    def __exit__(self, *failure: Any) -> None:
        _listeners.remove(self._hear)


def _noticing(name: str, answer: Callable[[], Any]) -> Callable[[], Any]:
    def ask() -> Any:
        found, frame = answer(), sys._getframe(1)
        if not found and not _is_of_torch(frame):
            _askers.update(_files_above(frame))
            for hear in _listeners:
                hear(f"torch.cuda.{name}() was asked, which answers {found} here")
        return found

    ask.torchlint_noticed = True  # type: ignore[attr-defined]
    return ask


def _is_of_torch(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "torch"


def _files_above(frame: FrameType | None) -> Iterator[str]:
    """The files of the callers, but not of those that import the file that asks."""
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        yield os.path.realpath(frame.f_code.co_filename)
        frame = frame.f_back
