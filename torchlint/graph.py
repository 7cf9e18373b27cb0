"""One class as the model sees it: found by its name among the user's files, and drawn."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.discover import Discovery
from torchlint.engine import (
    Request,
    cache_folder,
    find_files,
    link,
    module_name,
    repository_of,
    settings_for,
)
from torchlint.examine import examine
from torchlint.imported import ImportedFiles
from torchlint.notices import missing, unknown_files
from torchlint.report.contents import shown
from torchlint.report.graph import Graph
from torchlint.seek import Search, SeekError, Wanted, find_class, search, wanted
from torchlint.settings import SettingsOf

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass


def draw(request: Request, text: str) -> Graph:
    """The class that `text` names, among the files of `request`, as the model sees it.

    Only files whose bytes say that they may define it are analysed; from there on imports are followed. Raises
    SeekError where no class has the name, or several have.
    """
    from torchlint.model.modules.portrait import portrait
    from torchlint.model.project import Project

    asked = wanted(text)
    settings_of = settings_for(request)
    found = _files_for(asked, request, settings_of)
    files = ImportedFiles(settings_of, cache=cache_folder(request))
    folder = Path.cwd()
    root = repository_of(folder)
    texts = search(found.files)
    outlined = find_class(
        asked,
        Search(
            texts=texts,
            project=Project({}, files),
            folders=tuple(map(str, found.files)) if asked.file else tuple(map(os.path.realpath, request.paths)),
            missing=found.missing,
            dotted=lambda view: _dotted(view, root),
            shown=lambda path: shown(path, folder),
            trouble=lambda path: str(files.problems.get(path, "it changed meanwhile")),
        ),
    )
    view = _read_whole(outlined, files, request)
    drawn = portrait(view)
    notes = (*missing(found), *unknown_files({**texts.unreadable, **files.problems}, folder))
    return Graph(drawn, _dotted(view, root), notes, folder)


def _files_for(asked: Wanted, request: Request, settings_of: SettingsOf) -> Discovery:
    """The files to look through: the one that is named with the class, else those that `check` would check."""
    if asked.file is None:
        return find_files(request, settings_of)
    file = Path(os.path.realpath(asked.file))
    if not file.is_file():
        raise SeekError(f"cannot find {asked.file}: there is no such file")
    return Discovery((file,), ())


def _read_whole(view: ModuleClass, files: ImportedFiles, request: Request) -> ModuleClass:
    """The class in a project of its own, its file read as `check` reads it; the one given, where that cannot be."""
    examined = examine(view.path, cache=cache_folder(request))
    return link((examined,), files).view_of(view.path, view.qualname) or view


def _dotted(view: ModuleClass, root: Path) -> str:
    return f"{module_name(Path(view.path), root)}.{view.qualname}"
