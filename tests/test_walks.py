"""What classes and functions remember of walks: found once while a file is judged, and forgotten after it."""

from __future__ import annotations

from torchlint.model.classes import ModuleClass
from torchlint.model.frames import called_names
from torchlint.model.project import Project
from torchlint.reading.gate import read_safely
from torchlint.source import SourceFile

PATH = "/walks/gain.py"
SOURCE = b"""
from torch import nn


class Gain(nn.Module):
    def __init__(self):
        super().__init__()
        self.reset()

    def reset(self):
        if self.training:
            self.steps = 0

    def forward(self, x):
        self.reset()
        return x
"""


def gain() -> ModuleClass:
    """The class of the source, in a project of its own."""
    facts = read_safely(SourceFile(PATH, SOURCE))
    assert facts is not None
    view = Project({PATH: facts}).view_of(PATH, "Gain")
    assert view is not None
    return view


def test_a_walk_from_a_frame_is_worked_out_once() -> None:
    view = gain()
    frame = view.frame(view.facts.methods["forward"])
    assert view.walk_frame(frame) is view.walk_frame(frame)


def test_walks_are_forgotten_with_the_evaluations() -> None:
    view = gain()
    view.walk_frame(view.frame(view.facts.methods["forward"]))
    evaluator = view.project.evaluator
    assert len(evaluator.walks) == 1
    view.project.forget_evaluations(PATH)
    assert (evaluator.walks, evaluator.steps) == ({}, {})


def test_a_remembered_walk_has_the_moments_of_what_it_enters() -> None:
    view = gain()
    frame = view.frame(view.facts.methods["forward"])
    view.walk_frame(frame)
    names = [moment.frame.function.name for moment in view.walk_frame(frame)]
    assert names == ["forward", "reset"]


def test_called_names_are_the_last_names_of_the_calls() -> None:
    assert called_names(gain().facts.methods["__init__"]) == {"__init__", "reset"}
