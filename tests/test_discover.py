"""Which files the paths of a user lead to."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from conftest import Project

from torchlint.discover import discover, matches


def found(folder: Path, *paths: str) -> list[str]:
    files = discover(paths or (str(folder),), lambda path: False, lambda path: False).files
    return [file.relative_to(folder).as_posix() for file in files]


def test_folders_are_searched_for_python_files_in_order(project: Project) -> None:
    folder = project({"b.py": "", "a/c.py": "", "a/d.txt": "", "e.pyi": ""})
    assert found(folder) == ["a/c.py", "b.py", "e.pyi"]


def test_a_named_file_is_taken_whatever_its_name(project: Project) -> None:
    folder = project({"script": ""})
    assert found(folder, "script") == ["script"]


def test_a_file_that_is_named_twice_is_found_once(project: Project) -> None:
    folder = project({"a.py": ""})
    assert found(folder, ".", "a.py", "./a.py") == ["a.py"]


def test_a_missing_path_is_given_back_as_written(project: Project) -> None:
    project({})
    assert discover(["./nowhere"], lambda path: False, lambda path: False).missing == ("./nowhere",)


def test_ignore_files_are_obeyed_and_the_deeper_one_wins(project: Project) -> None:
    folder = project(
        {
            ".gitignore": "*_gen.py\n/out/\n",
            "a_gen.py": "",
            "out/b.py": "",
            "part/.gitignore": "!keep_gen.py\nlocal.py\n",
            "part/keep_gen.py": "",
            "part/local.py": "",
            "part/out/c.py": "",
        }
    )
    assert found(folder) == ["part/keep_gen.py", "part/out/c.py"]


def test_ignore_files_above_the_repository_do_not_count(project: Project) -> None:
    folder = project({".gitignore": "*.py\n", "inner/.git/HEAD": "", "inner/a.py": ""})
    assert found(folder, "inner") == ["inner/a.py"]


def test_an_ignored_folder_that_is_named_is_searched(project: Project) -> None:
    folder = project({".gitignore": "vendor/\n", "vendor/a.py": ""})
    assert found(folder, "vendor") == ["vendor/a.py"]


def test_exclusions_prune_a_walk_and_refusals_what_is_named(project: Project) -> None:
    folder = project({"old/a.py": "", "b.py": ""})
    files = discover([".", "b.py"], lambda path: path.name == "old", lambda path: path.name == "b.py").files
    assert files == (folder / "b.py",)
    assert discover(["b.py"], lambda path: False, lambda path: path.name == "b.py").files == ()


def test_a_folder_called_like_a_file_is_a_folder(project: Project) -> None:
    folder = project({"x.py/y.py": ""})
    assert found(folder) == ["x.py/y.py"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and FIFOs")
def test_links_to_folders_are_not_followed_so_a_walk_ends(project: Project) -> None:
    folder = project({"a.py": ""})
    (folder / "loop").symlink_to(".")
    assert found(folder) == ["a.py"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs links and FIFOs")
def test_pipes_are_left_out_of_a_walk(project: Project) -> None:
    folder = project({"a.py": ""})
    os.mkfifo(folder / "pipe.py")
    assert found(folder) == ["a.py"]


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("*.py", "a/b.py", True),
        ("/b.py", "a/b.py", False),
        ("a/", "a/b.py", True),
        ("a/*.py", "a/b.py", True),
        ("**/c/*.py", "a/c/b.py", True),
        ("b", "a/b.py", False),
    ],
)
def test_patterns_are_those_of_gitignore(glob: str, path: str, expected: bool, tmp_path: Path) -> None:
    assert matches(tmp_path / path, tmp_path, (glob,)) is expected


def test_a_pattern_says_nothing_outside_its_folder(tmp_path: Path) -> None:
    assert not matches(tmp_path / "a.py", tmp_path / "part", ("*",))
