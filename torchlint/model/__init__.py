"""What is known of the code: plain data, and the questions that rules ask of it."""

from torchlint.model.classes import ModuleClass
from torchlint.model.frames import Frame, Moment
from torchlint.model.project import Project
from torchlint.model.values import Kind, TensorValue

__all__ = ["Frame", "Kind", "ModuleClass", "Moment", "Project", "TensorValue"]
