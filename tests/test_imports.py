"""Who may import whom, and what a short run must not import at all."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import CLEAN, HAZARD, Project

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "torchlint"

# What each part may import beside the standard library and itself. "torchlint" is the version.
TOML = ("tomllib", "tomli")  # the first from Python 3.11 on
ALLOWED = {
    "source": set(),
    "findings": {"source"},
    "knowledge": set(),
    "model": {"knowledge", "source"},
    # Results as plain data; what earlier runs left and whether it still stands.
    "results": {"findings", "source"},
    "cache": {"imported", "knowledge", "model", "results", "source", "torchlint"},
    "reading": {"libcst", "model", "knowledge", "source", "cache", "torchlint"},
    "rules": {"model", "knowledge", "findings"},
    "pages": {"findings", "source", *TOML},
    "settings": {"environment", "findings", "source", *TOML},
    "environment": set(),
    "discover": {"findings", "source", "pathspec"},
    "suppress": {"findings", "source"},
    "examine": {"findings", "source", "suppress", "reading", "model"},
    "analysis": {
        "cache",
        "examine",
        "findings",
        "imported",
        "model",
        "pages",
        "results",
        "rules",
        "source",
        "torchlint",
    },
    "imported": {"discover", "environment", "knowledge", "model", "reading", "settings", "source"},
    # Of the model only the plain data of a portrait, for its types.
    "shards": {"source"},
    "report": {"findings", "pages", "shards", "source", "model", "sarif_om", "attr", "torchlint"},
    "notices": {"discover", "findings", "imported", "report", "results", "source"},
    "seek": {"model", "source"},
    "engine": {
        "analysis",
        "cache",
        "discover",
        "examine",
        "findings",
        "imported",
        "model",
        "notices",
        "report",
        "results",
        "rules",
        "settings",
        "shards",
        "source",
        "suppress",
    },
    "graph": {"discover", "engine", "examine", "imported", "model", "notices", "report", "rules", "seek", "settings"},
    # torch in the child processes only, which import nothing of ours but each other.
    "confirm": {"findings", "torch"},
    "cli": {
        "cache",
        "confirm",
        "engine",
        "environment",
        "findings",
        "graph",
        "seek",
        "settings",
        "pages",
        "report",
        "shards",
        "source",
        "click",
        "torchlint",
    },
    "__main__": {"cli"},
    "__init__": set(),
}
GENERATORS = {"_generate"}  # run by hand, with torch


def parts() -> list[str]:
    return sorted(path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists())


def files_of(part: str) -> list[Path]:
    folder = PACKAGE / part
    files = folder.rglob("*.py") if folder.is_dir() else [folder.with_suffix(".py")]
    return sorted(file for file in files if not GENERATORS & {*file.parts, file.stem})


def imports_of(file: Path) -> Iterator[str]:
    """The dotted names that a file imports, at the top or inside functions."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "torchlint":
            yield from (_inside(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module or ""


def _inside(name: str) -> str:
    return f"torchlint.{name}" if name in parts() else "torchlint"


def part_named(name: str) -> str:
    """The part of ours, or the package of others, that a dotted name belongs to."""
    own, _, rest = name.partition(".")
    return rest.partition(".")[0] if own == "torchlint" and rest else own


def test_every_part_has_its_row() -> None:
    assert set(parts()) == set(ALLOWED)


@pytest.mark.parametrize("part", ALLOWED)
def test_a_part_imports_what_it_may(part: str) -> None:
    allowed = ALLOWED[part] | {part, *sys.stdlib_module_names}
    forbidden = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in files_of(part)
        for name in imports_of(file)
        if part_named(name) not in allowed
    }
    assert forbidden == set()


def test_no_rule_imports_another() -> None:
    rules = [file for file in files_of("rules") if file.stem != "__init__"]
    assert [file.name for file in rules for name in imports_of(file) if name.startswith("torchlint.rules.")] == []


def test_only_child_processes_import_torch() -> None:
    inside = PACKAGE / "confirm" / "inside"
    importing = {file for part in parts() for file in files_of(part) if "torch" in map(part_named, imports_of(file))}
    assert importing
    assert all(inside in file.parents for file in importing)


def test_child_processes_import_nothing_but_torch_and_each_other() -> None:
    imported = {part_named(name) for file in (PACKAGE / "confirm" / "inside").glob("*.py") for name in imports_of(file)}
    assert imported - sys.stdlib_module_names == {"torch"}


def imported_by(*arguments: str, folder: Path) -> set[str]:
    """The top-level packages that a run of the command imports."""
    return {name.partition(".")[0] for name in modules_imported_by(*arguments, folder=folder)}


def modules_imported_by(*arguments: str, folder: Path) -> set[str]:
    """The modules that a run of the command imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "torchlint", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder / "cache"), "PATH": ""},
    )
    names = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    assert "click" in names
    return set(names)


HEAVY = {"libcst", "torch", "sarif_om", "attr", "concurrent", "multiprocessing", "pathspec", "numpy"}


def test_version_imports_nothing_heavy(tmp_path: Path) -> None:
    assert HEAVY & imported_by("--version", folder=tmp_path) == set()


def test_a_cached_run_imports_nothing_heavy(project: Project) -> None:
    folder = project({"hazard.py": HAZARD, "clean.py": CLEAN})
    assert "libcst" in imported_by("check", folder=folder)
    assert HEAVY & imported_by("check", folder=folder) == set()


def test_a_remembered_run_imports_neither_the_reader_nor_the_model(project: Project) -> None:
    folder = project({"hazard.py": HAZARD, "derived.py": "from hazard import Scale\n\n\nclass B(Scale):\n    pass\n"})
    ours = {"torchlint.analysis.analyse", "torchlint.model.project", "torchlint.reading.gate"}
    assert ours <= modules_imported_by("check", folder=folder)
    second = modules_imported_by("check", folder=folder)
    assert "torchlint.cache.ledger" in second
    assert [name for name in second if name.startswith(("torchlint.model", "torchlint.reading", *ours))] == []


def test_check_never_imports_torch(project: Project) -> None:
    folder = project({"hazard.py": HAZARD})
    assert "torch" not in imported_by("check", "--output-format", "sarif", "--no-cache", folder=folder)
