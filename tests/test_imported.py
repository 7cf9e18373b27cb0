"""The files that a checked file leads to: how far they are read, what a judgement rests on, and what may go wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from torchlint import imported
from torchlint.engine import Request, check
from torchlint.imported import ImportedFiles
from torchlint.model.flow.callers import callers_of
from torchlint.model.modules.state import Registration
from torchlint.model.project import Project
from torchlint.reading.gate import read_safely
from torchlint.settings import Overrides, Settings
from torchlint.source import SourceFile

BASE = """
import torch
from torch import nn

def unused(x):
    return x

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(2))

class Other(nn.Module):
    pass
"""
HEAD = """
from .base import Base

class Head(Base):
    def forward(self, x):
        return x + self.table
"""
LEAK = """
import torch
from .base import Base

class Head(Base):
    def __init__(self):
        super().__init__()
        self.offset = torch.zeros(2)

    def forward(self, x):
        return x + self.offset
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with a base class and a class that derives from it."""
    folder = tmp_path / "package"
    folder.mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'package'\n")
    (folder / "__init__.py").write_text("")
    (folder / "base.py").write_text(BASE)
    (folder / "head.py").write_text(HEAD)
    return folder


def linked(*paths: Path) -> tuple[Project, ImportedFiles]:
    """A project of which `paths` are checked."""
    files = ImportedFiles(lambda _: Settings(), cache=None)
    facts = {str(path): read_safely(SourceFile.load(path)) for path in paths}
    return Project({path: one for path, one in facts.items() if one is not None}, files), files


def digests(path: Path, *others: Path) -> dict[str, str]:
    """What the classes of `path` rest on, by file name, once each was asked for its state."""
    project, _ = linked(path, *others)
    for view in project.classes_in(str(path)):
        assert view.is_module
        view.state.value("table")
    return {Path(used.path).name: used.digest for used in project.used_by(str(path))}


def warnings(*paths: Path, cache: bool = False) -> list[tuple[str, int]]:
    """The findings in files, as file name and line."""
    report = check(Request(tuple(map(str, paths)), Overrides(), isolated=True, cache=cache), lambda *_: None)
    return [(Path(found.span.path).name, found.span.line) for found in report.findings]


# Words in the files around


AVERAGE = """
import torch

def averaged(model, first, second):
    state, other = torch.load(first), torch.load(second)
    for key in state:
        state[key] = (state[key] + other[key]) / 2.0
    model.load_state_dict(state)
"""


@pytest.mark.parametrize(("norm", "expected"), [("LayerNorm", []), ("BatchNorm1d", [("average.py", 7)])])
def test_states_are_averaged_well_where_no_layer_of_the_project_counts(
    package: Path, norm: str, expected: list[tuple[str, int]]
) -> None:
    (package / "base.py").write_text(f"from torch import nn\n\nclass Body(nn.Module):\n    norm = nn.{norm}\n")
    (package / "average.py").write_text(AVERAGE)
    assert warnings(package / "average.py") == expected


DECODER = """
from torch import nn

class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(4, 2)
        self.kept = {}

    def forward(self, key, labels):
        if key not in self.kept:
            self.kept[key] = self.embed(labels)
        return self.kept[key]
"""


@pytest.mark.parametrize(("line", "expected"), [("decoder.kept = {}", []), ("decoder.eval()", [("decoder.py", 12)])])
def test_a_cache_of_inputs_that_another_file_may_empty_is_left_to_it(
    package: Path, line: str, expected: list[tuple[str, int]]
) -> None:
    (package / "decoder.py").write_text(DECODER)
    (package / "search.py").write_text(f"def begin(decoder):\n    {line}\n")
    assert warnings(package / "decoder.py") == expected


ENGINE = """
from torch import nn

class Engine:
    def __init__(self, size):
        self.model = nn.Linear(size, 1)

    def evaluate(self, batch):
        self.model.eval()
        out = self.model(batch)
        return out.mean().item()
"""


@pytest.mark.parametrize(
    ("lines", "is_told"),
    [
        (["for batch in loader:", "    losses.append(engine.evaluate(batch))"], True),
        (["with torch.no_grad():", "    losses += [engine.evaluate(batch) for batch in loader]"], False),
        (["for step in range(9):", "    losses.append(engine.evaluate(loader[0]))"], False),
        (["losses.append(engine.evaluate(loader[0]))"], False),
    ],
)
def test_a_method_that_another_file_gives_batch_after_batch(package: Path, lines: list[str], is_told: bool) -> None:
    (package / "engine.py").write_text(ENGINE)
    begin = ["import torch", "from .engine import Engine", "def run(loader):", "    engine, losses = Engine(2), []"]
    (package / "run.py").write_text("\n".join([*begin, *(f"    {line}" for line in lines), "    return losses\n"]))
    assert warnings(package / "engine.py") == ([("engine.py", 9)] if is_told else [])
    assert warnings(package / "run.py") == []


# What a judgement rests on


def test_a_judgement_rests_on_the_files_of_its_bases(package: Path) -> None:
    assert list(digests(package / "head.py")) == ["base.py"]
    assert digests(package / "base.py") == {}


def test_a_changed_base_changes_the_digest(package: Path) -> None:
    before = digests(package / "head.py")
    (package / "base.py").write_text(BASE.replace('"table"', '"other"'))
    assert digests(package / "head.py") != before


def test_a_moved_base_changes_the_digest_because_findings_name_its_lines(package: Path) -> None:
    before = digests(package / "head.py")
    (package / "base.py").write_text("\n" + BASE)
    assert digests(package / "head.py") != before


def test_a_change_in_what_was_not_read_leaves_the_digest(package: Path) -> None:
    before = digests(package / "head.py")
    changed = BASE.replace("return x", "return 1").replace(
        "class Other(nn.Module):\n    pass", "class Other(nn.Module):\n    x = 1"
    )
    assert changed != BASE
    (package / "base.py").write_text(changed)
    assert digests(package / "head.py") == before


def test_another_binding_of_a_name_changes_the_digest(package: Path) -> None:
    before = digests(package / "head.py")
    (package / "base.py").write_text(BASE.replace("from torch import nn", "from nowhere import nn"))
    project, _ = linked(package / "head.py")
    (view,) = project.classes_in(str(package / "head.py"))
    view.state.value("table")
    assert project.used_by(str(package / "head.py"))[0].digest != before["base.py"]


def test_a_base_two_files_away_counts(package: Path) -> None:
    (package / "middle.py").write_text("from .base import Base\n\nclass Middle(Base):\n    pass\n")
    (package / "head.py").write_text(HEAD.replace(".base", ".middle").replace("Base", "Middle"))
    assert list(digests(package / "head.py")) == ["base.py", "middle.py"]


def test_the_digest_does_not_depend_on_what_else_is_checked_nor_on_the_process(package: Path) -> None:
    alone = digests(package / "head.py")
    assert digests(package / "head.py", package / "base.py") == alone
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; from test_imported import digests;"
        "print(digests(Path(sys.argv[2])))"
    )
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", script, str(Path(__file__).parent), str(package / "head.py")],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == str(alone)


# How far files are read


@pytest.mark.parametrize(
    ("folder", "imported", "is_found"),
    [
        pytest.param("lib", "lib.base", True, id="the folder around"),
        pytest.param("lib/parts", "lib.base", True, id="a folder further up"),
        pytest.param("lib", "other.base", False, id="another name"),
        pytest.param("types", "types.base", False, id="the name of a standard module"),
    ],
)
def test_files_of_a_folder_that_is_no_package_import_each_other_by_its_name(
    folder: str, imported: str, is_found: bool, tmp_path: Path
) -> None:
    top = tmp_path / folder
    top.mkdir(parents=True)
    (tmp_path / folder.partition("/")[0] / "base.py").write_text(BASE)
    (top / "head.py").write_text(LEAK.replace(".base", imported))
    assert (("head.py", 8) in warnings(top / "head.py")) is is_found


def test_only_the_files_on_the_way_are_opened(package: Path) -> None:
    for number in range(20):
        (package / f"layer{number}.py").write_text(BASE)
    project, files = linked(package / "head.py")
    for view in project.classes_in(str(package / "head.py")):
        view.state.value("table")
    assert {Path(path).name for path in files.read} == {"base.py"}


def test_of_an_imported_file_only_the_definitions_asked_for_are_parsed(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    original = ImportedFiles.part

    def part(self: ImportedFiles, path: str, outline: object, group: int) -> object:
        parsed.append(outline.groups[group])  # type: ignore[attr-defined]
        return original(self, path, outline, group)  # type: ignore[arg-type]

    monkeypatch.setattr(ImportedFiles, "part", part)
    project, _ = linked(package / "head.py")
    (view,) = project.classes_in(str(package / "head.py"))
    assert view.is_module
    assert parsed == []
    view.state.value("table")
    assert parsed == [((8, 11),)]


CALLERS = """
import torch
from .base import unused{renamed}

def first(x):
    return {called}(x)

def second(x):
    return torch.relu(x)
"""


@pytest.mark.parametrize(("renamed", "called"), [("", "unused"), (" as other", "other")])
def test_callers_are_sought_in_the_parts_that_may_name_them(package: Path, renamed: str, called: str) -> None:
    users = str(package / "users.py")
    Path(users).write_text(CALLERS.format(renamed=renamed, called=called))
    project, _ = linked(package / "base.py")
    (frame,) = (one for one in project.functions_in(str(package / "base.py")) if one.symbol == "unused")
    assert [moment.frame.symbol for moment in callers_of(frame)] == ["first"]
    outline = project.outline(users)
    assert outline is not None
    # Where the import brings the function under another name, every part may call it.
    assert (outline.functions["second"] in project.parts_read(users)) == bool(renamed)


def test_the_findings_are_those_of_the_whole_package(package: Path) -> None:
    (package / "head.py").write_text(LEAK)
    alone = warnings(package / "head.py")
    assert alone == [("head.py", 8)]
    assert warnings(package) == alone


def test_the_cache_gives_the_same_findings(package: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (package / "head.py").write_text(LEAK)
    cold = warnings(package / "head.py", cache=True)
    assert warnings(package / "head.py", cache=True) == cold == [("head.py", 8)]
    (package / "base.py").write_text(BASE.replace('"table"', '"offset"'))
    assert warnings(package / "head.py", cache=True) == []


def test_an_owner_that_is_not_imported_moves_what_it_holds(package: Path) -> None:
    (package / "head.py").write_text(LEAK)
    owner = """
        from torch import nn
        from .head import Head

        class Owner(nn.Module):
            def __init__(self):
                super().__init__()
                self.head = Head()

            def _apply(self, fn):
                super()._apply(fn)
                self.head.offset = fn(self.head.offset)
                return self
    """
    (package / "owner.py").write_text(owner.replace("\n        ", "\n"))
    assert warnings(package / "head.py") == warnings(package) == []


# What may go wrong


@pytest.mark.parametrize(
    "content",
    [
        b"class Base(:\n",
        b"\xff\xfe\x00 nothing",
        b"x = " + b"(" * 3000 + b")" * 3000,
        b"",
        b"class Other:\n    pass\n",
    ],
    ids=["invalid syntax", "not text", "too deep", "empty", "without the name"],
)
def test_a_base_that_cannot_be_read_leaves_the_class_unknown(package: Path, content: bytes) -> None:
    (package / "base.py").write_bytes(content)
    project, _ = linked(package / "head.py")
    (view,) = project.classes_in(str(package / "head.py"))
    assert not view.is_module
    assert view.has_unknown_base
    assert warnings(package / "head.py") == []


def test_a_broken_base_that_is_not_checked_is_one_note(package: Path) -> None:
    (package / "base.py").write_text("class Base(:\n")
    (package / "tail.py").write_text(HEAD)
    request = Request((str(package / "head.py"), str(package / "tail.py")), Overrides(), isolated=True, cache=False)
    (note,) = check(request, lambda *_: None).notifications
    assert note.text.endswith("base.py: invalid syntax at line 1, column 12; what it defines is not known")
    assert not note.fatal


def test_a_lambda_in_a_function_leads_to_no_file(package: Path) -> None:
    (package / "head.py").write_text(
        HEAD + "\ndef outer(x):\n    scaled = lambda y, scale=2: y * scale\n    return scaled(x)\n"
    )
    project, files = linked(package / "head.py")
    for frame in project.functions_in(str(package / "head.py")):
        project.top_of(frame.function)
    assert files.problems == {}


def test_what_stopped_us_is_kept_for_the_one_who_asks(package: Path) -> None:
    (package / "base.py").write_text("class Base(:\n")
    project, files = linked(package / "head.py")
    (view,) = project.classes_in(str(package / "head.py"))
    assert view.foreign_bases == ("package.base.Base",)
    assert str(files.problems[str(package / "base.py")]).startswith("invalid syntax at line 1")


def test_a_file_that_changes_while_we_run_is_read_as_it_was(package: Path) -> None:
    project, _ = linked(package / "head.py")
    (view,) = project.classes_in(str(package / "head.py"))
    assert view.is_module
    (package / "base.py").write_text("changed = True\n")
    assert view.state.registration("table") is Registration.BUFFER


def test_a_file_that_is_deleted_while_we_run_is_read_as_it_was(package: Path) -> None:
    project, _ = linked(package / "head.py")
    (view,) = project.classes_in(str(package / "head.py"))
    assert view.is_module
    (package / "base.py").unlink()
    assert view.state.registration("table") is Registration.BUFFER


def test_a_base_in_a_file_of_newer_syntax_is_read_by_libcst_alone(package: Path) -> None:
    (package / "base.py").write_text(BASE + "\nmatch x:\n    case [*_, *_]:\n        pass\n")
    project, _ = linked(package / "head.py")
    (view,) = project.classes_in(str(package / "head.py"))
    assert view.is_module
    assert view.state.registration("table") is Registration.BUFFER


def test_a_line_of_two_statements_is_one_part(package: Path) -> None:
    (package / "base.py").write_text("import torch; from torch import nn\nx = 1; y = (2,\n     3); z = [\n 4]\n" + BASE)
    project, _ = linked(package / "head.py")
    (view,) = project.classes_in(str(package / "head.py"))
    assert view.state.registration("table") is Registration.BUFFER
    assert project.names.of(str(package / "base.py"), "z").term.kind == "list"  # type: ignore[union-attr]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_of_such_a_name_keeps_nobody_waiting(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "module.py").write_text("def found(): ...\n", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.py")
    files = ImportedFiles(lambda _: Settings(), cache=None)
    assert files.around(str(tmp_path / "module.py"), b"found") == (str(tmp_path / "module.py"),)


@pytest.mark.parametrize("word", [b"scale", b"cal", b"rescaled", b"f\xc3\xa4rbe", b"absent", b"_scale", b"def scale"])
def test_names_are_found_in_the_same_files_by_the_index(
    word: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ("def scale(x): return x\n", "rescaled = 1; my_scale = 2\n", "fäRbe = färbe = 3\n", "", "# scale\nscale\n")
    (tmp_path / "pyproject.toml").touch()
    for number, text in enumerate(texts):
        (tmp_path / f"file_{number}.py").write_text(text, encoding="utf-8")
    found = []
    for few in (100, 0):
        monkeypatch.setattr(imported, "_FEW_SEARCHES", few)
        files = ImportedFiles(lambda _: Settings(), cache=None)
        found.append(files.around(str(tmp_path / "file_0.py"), word))
    assert (
        found[0] == found[1] == tuple(str(path) for path in sorted(tmp_path.glob("*.py")) if word in path.read_bytes())
    )
