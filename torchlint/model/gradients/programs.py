"""Programs that switch gradients off for good: torch.set_grad_enabled(False) at the top level of every script that
leads to a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from torchlint.model.flow.callers import calling, is_named_test
from torchlint.model.frames import Frame
from torchlint.model.gradients.off import switches_off
from torchlint.model.terms import Imported

if TYPE_CHECKING:
    from torchlint.model.project import Project

_SWITCH = "set_grad_enabled"
_MAX_FILES = 40


def is_off_in_programs(frame: Frame) -> bool:
    """True where every script of the project that imports the file, if through others, switches gradients off when it
    is loaded. A file that nobody imports is a script."""
    project, asking = frame.evaluator.project, frame.path
    saying = project.looked_into(asking, project.files_around(asking, _SWITCH.encode()))
    quiet = {path for path in saying if _is_quiet(project, path)}
    waiting, seen = [asking] if quiet else [], {asking}
    while waiting:
        path = waiting.pop()
        importers = [] if path in quiet else list(_importers(project, asking, path))
        if (not importers and path not in quiet) or len(seen) > _MAX_FILES:
            return False
        waiting += [one for one in importers if one not in seen]
        seen.update(importers)
    return bool(quiet)


def _is_quiet(project: Project, path: str) -> bool:
    functions = (frame.function for frame in calling(project, path, _SWITCH))
    return any(one.name == "<module>" and switches_off(one) for one in functions)


def _importers(project: Project, asking: str, path: str) -> Iterator[str]:
    """The files around that import a file; tests are none."""
    file = PurePath(path)
    word = file.parent.name if file.stem == "__init__" else file.stem
    for other in project.looked_into(asking, project.files_around(asking, word.encode())):
        if other != path and not is_named_test(other) and _imports(project, other, path):
            yield other


def _imports(project: Project, path: str, wanted: str) -> bool:
    outline = project.outline(path)
    if outline is None:
        return False
    names = (*outline.star_imports, *(one.name for one in outline.names.values() if isinstance(one, Imported)))
    return any(way.file == wanted for name in names for way in project.imports.ways(path, name))
