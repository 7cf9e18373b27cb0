"""The index knows what the `# class:` comments of tests/index say, whatever file comes first, and torch agrees."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from index_generated import generated
from index_marks import HOWS, Fixture, Mark, fixture, fixtures

from torchlint.examine import examine
from torchlint.imported import ImportedFiles
from torchlint.model import Project
from torchlint.model.classes import ModuleClass
from torchlint.settings import Settings

_TESTS = Path(__file__).parent
_TIMEOUT_SECONDS = 300
_FIXTURES = [*fixtures(_TESTS / "index"), *generated()]
_READINGS = ("only its file", "all files", "all files in reverse")
_MARKS = [
    pytest.param(each, mark, id=f"{each.name}/{mark.file}:{mark.line} {mark.name}")
    for each in _FIXTURES
    for mark in each.marks
]
_RUN = [pytest.param(each, id=each.name) for each in _FIXTURES if each.runs]

Known = Mapping[str, object]


# What the index knows


@pytest.mark.parametrize(("project", "mark"), _MARKS)
def test_the_index_knows_the_class(project: Fixture, mark: Mark, request: pytest.FixtureRequest) -> None:
    if mark.reason is not None:
        request.applymarker(pytest.mark.xfail(reason=mark.reason, strict=True, raises=AssertionError))
    wanted = _wanted(mark)
    answers = {reading: _known(project, reading, mark.file)[mark] for reading in _READINGS}
    assert answers == dict.fromkeys(_READINGS, wanted)


def _wanted(mark: Mark) -> Known:
    if not mark.word.endswith("module"):
        return {"word": mark.word}
    return {"word": mark.word, **{how: sorted(mark.names(name)) for how, name in HOWS.items()}}


@cache
def _known(project: Fixture, reading: str, file: str) -> dict[Mark, Known]:
    """What the index knows of the marked classes of one file, after the given files were read in the given order."""
    with TemporaryDirectory() as name:
        folder = _written(Path(name).resolve(), project)
        given = [file] if reading == "only its file" else list(project.python_files)
        index = _index([str(folder / each) for each in (reversed(given) if reading.endswith("reverse") else given)])
        views = {view.span.line: view for view in index.classes_in(str(folder / file))}
        marks = [mark for mark in project.marks if mark.file == file]
        return {mark: _answer(views.get(mark.line), mark) for mark in marks}


def _index(paths: Sequence[str]) -> Project:
    """A project of some files, made as the command makes it; the others are read when they are asked for."""
    examined = (examine(path, cache=None) for path in paths)
    others = ImportedFiles(lambda _: Settings(), cache=None)
    return Project({one.path: one.facts for one in examined if one.facts is not None}, others)


def _answer(view: ModuleClass | None, mark: Mark) -> Known:
    if view is None:
        return {"word": "no such class"}
    if not view.is_module:
        return {"word": "unknown" if view.has_unknown_base else "plain"}
    known = {*mark.registered, *view.state.names, *view.state.registrations}
    registered = {name: _registration(view, name) for name in known}
    of_interest = {name for name, how in mark.registered.items() if how in ("module", "plain")}
    return {
        "word": "module" if view.is_certain else "likely module",
        **{
            clause: sorted(
                name
                for name in registered
                if registered[name] == how and (how in ("buffer", "parameter") or name in of_interest)
            )
            for clause, how in HOWS.items()
        },
    }


def _registration(view: ModuleClass, name: str) -> str:
    how = view.state.registration(name)
    return "plain" if how is None else str(how.value)


def _written(folder: Path, project: Fixture) -> Path:
    """The folder, with the files of the project in it: nothing of the repository lies around them."""
    for name, text in project.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


# What torch says


@pytest.mark.skipif(find_spec("torch") is None, reason="torch is not installed")
@pytest.mark.parametrize("project", _RUN)
def test_torch_agrees_with_the_marks(project: Fixture) -> None:
    said = _torch()[project.name]
    assert said["error"] == ""
    wrong = {f"{mark.file}:{mark.line} {mark.name}": _contradictions(mark, said["classes"]) for mark in project.marks}
    assert {place: problems for place, problems in wrong.items() if problems} == {}


@cache
def _torch() -> dict[str, Any]:
    """What torch says of every project that runs."""
    with TemporaryDirectory() as name:
        folders = {each.name: _written(Path(name).resolve() / each.name, each) for each in _FIXTURES if each.runs}
        asked = {
            each.name: {"folder": str(folders[each.name]), "files": sorted({mark.file for mark in each.marks})}
            for each in _FIXTURES
            if each.runs
        }
        done = subprocess.run(
            [sys.executable, str(_TESTS / "index_torch.py")],
            input=json.dumps(asked),
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def _contradictions(mark: Mark, classes: Mapping[str, dict[str, Any]]) -> list[str]:
    """Where torch says otherwise. Torch sees one run, so it cannot contradict that something is not known."""
    seen = classes.get(f"{mark.file}:{mark.start}")
    if mark.word == "unknown" or (seen is None and not mark.is_built):
        return []
    if seen is None:
        return ["no run of the file makes this class"]
    if seen["is_module"] is not mark.word.endswith("module"):
        return [f"is_module is {seen['is_module']}"]
    if not seen["is_module"] or (seen["failure"] and not mark.is_built):
        return []
    if seen["failure"]:
        return [f"it cannot be built: {seen['failure']}"]
    return [*_missing_names(mark, seen), *_more_names(mark, seen)]


def _missing_names(mark: Mark, seen: Mapping[str, Sequence[str]]) -> list[str]:
    sure = [(clause, name) for clause, how in HOWS.items() for name in mark.names(how) - mark.optional]
    return [f"{name} is not among the {clause}" for clause, name in sure if name not in seen[clause]]


def _more_names(mark: Mark, seen: Mapping[str, Sequence[str]]) -> list[str]:
    return [
        f"{name} is among the {clause}"
        for clause in ("buffers", "parameters")
        for name in seen[clause]
        if name not in mark.names(HOWS[clause])
    ]


# The marks themselves


@pytest.mark.parametrize("project", [pytest.param(each, id=each.name) for each in _FIXTURES])
def test_a_project_has_a_near_miss(project: Fixture) -> None:
    assert any(mark.word in ("plain", "unknown") or mark.names("plain") for mark in project.marks)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("class Head:  # class: modul", "main.py:1: cannot read the word 'modul'"),
        ("class Head:  # class: module; buffer table", "main.py:1: cannot read the clause 'buffer table'"),
        ("class Head:  # class: module; buffers", "main.py:1: cannot read the clause 'buffers'"),
        ("head = 1  # class: plain", "main.py:1: there is no class statement"),
    ],
)
def test_a_mark_outside_the_language_is_refused(line: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        fixture("refused", {"main.py": f"{line}\n    pass\n" if line.startswith("class") else f"{line}\n"})


def test_a_todo_keeps_its_reason() -> None:
    mark = "# todo: class module; buffers table, scale?  the base is made by eval"
    [read] = fixture("todo", {"main.py": f"@decorated\nclass Head(Base):  {mark}\n    pass\n"}).marks
    assert (read.start, read.line, read.word, read.reason) == (1, 2, "module", "the base is made by eval")
    assert read.names("buffer") == {"table", "scale"}
    assert read.optional == {"scale"}
