"""Files that no parser likes: each gets one sentence, the others are still reported, and nothing crashes or hangs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from conftest import CLEAN, HAZARD, Command, Project

from torchlint.reading.gate import DEPTH_LIMIT, HOPELESS_DEPTH, deepest, may_matter, parse_ast, read_safely
from torchlint.source import SourceError, SourceFile

KILLERS = {
    "parentheses": "(" * 3000,
    "calls": "f(" * 3000,
    "sum": "x = " + "1+" * 20_000 + "1\n",
    "strings": "import torch\nx = (\n" + '"a"\n' * 20_000 + ")\n",
    "elif": "if a:\n    pass\n" + "elif a:\n    pass\n" * 3000,
}
DEEP = DEPTH_LIMIT + 10
HIDDEN_DEPTH = {
    "calls": "f(" * DEEP + ")" * DEEP,
    "attributes": "a" + ".b" * DEEP,
    "subscripts": "a" + "[0]" * DEEP,
    "sum": "1 + " * DEEP + "1",
    "and": "a and " * DEEP + "a",
    "strings": '"a" ' * DEEP,
    "bytes": 'b"a" ' * DEEP,
    "f-strings": 'f"{a}" ' * DEEP,
    "strings on lines": "(\n" + '"a"\n' * DEEP + ")",
    "dotted import": "import a" + ".b" * DEEP,
    "dotted from": "from a" + ".b" * DEEP + " import c",
    "elif": "if a: pass\n" + "elif a: pass\n" * DEEP,
    "else if": "1 if a else " * DEEP + "1",
    "not": "not " * DEEP + "a",
    "lambda": "lambda: " * DEEP + "a",
    "pattern": "match a:\n case " + "[" * 7 + "]" * 7 + ": pass",
    "pattern in parentheses": "match a:\n case " + "(" * 7 + "b" + ")" * 7 + ": pass",
    "mapping pattern": "match a:\n case " + "{1:" * 7 + "b" + "}" * 7 + ": pass",
}
FLAT = {
    "comparisons": "a < " * 1000 + "a",
    "arguments": "f(" + "a, " * 1000 + ")",
    "targets": "a = " * 1000 + "1",
    "contexts": "with " + "a, " * 300 + "a: pass",
    "handlers": "try: pass\n" + "except a: pass\n" * 300,
    "decorators": "@a\n" * 300 + "def f(): pass",
    "docstring": '"""' + 'it\'s a "text"\n' * 300 + '"""',
    "alternatives": "match a:\n case " + "1 | " * 300 + "1: pass",
}


def source(text: str) -> SourceFile:
    return SourceFile("x.py", text.encode())


@pytest.mark.parametrize("name", KILLERS)
def test_a_file_that_kills_libcst_is_skipped_and_its_neighbour_reported(
    name: str, project: Project, torchlint_process: Command
) -> None:
    project({"killer.py": KILLERS[name], "zz_good.py": HAZARD})
    done = torchlint_process("check", "--output-format", "concise")
    assert done.code == 2
    assert done.out.startswith("zz_good.py:8:9: warning TL101")
    assert done.err.startswith("error: cannot analyse killer.py: nested too deeply at line ")
    assert done.err.endswith("; skipped\n")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_all_killers_at_once(jobs: str, project: Project, torchlint_process: Command) -> None:
    padding = {f"padding{number}.py": f"# {'padding' * 100}\n" * 800 for number in range(2)}
    project({**{f"{name}.py": text for name, text in KILLERS.items()}, **padding, "zz_good.py": HAZARD})
    done = torchlint_process("check", "--output-format", "concise", "--jobs", jobs)
    assert done.out.startswith("zz_good.py:8:9: warning TL101")
    assert done.err.count("nested too deeply") == len(KILLERS)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"import torch\ndef f(:\n", "invalid syntax at line 2, column 7"),
        (b"print 'hello'\n", "invalid syntax at line 1, column 1 (Missing parentheses in call to 'print'"),
        (b"# coding: latin-9000\nimport torch\n", "unknown encoding: latin-9000 at line 1"),
        (b"# coding: utf-8\nimport torch\n\nx = '\xff'\n", "byte 0xff is not valid utf-8 at line 4"),
        (b"import torch\nx = 1\0\n", "it contains a NUL byte at line 2"),
    ],
)
def test_a_file_that_is_no_python_is_named_with_line_and_reason(
    content: bytes, sentence: str, project: Project, torchlint: Command
) -> None:
    folder = project({"good.py": HAZARD})
    (folder / "bad.py").write_bytes(content)
    done = torchlint("check", "--output-format", "concise")
    assert done.code == 2
    assert "good.py:8:9" in done.out
    assert done.err.startswith(f"error: cannot analyse bad.py: {sentence}")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"# only a comment", b"\xef\xbb\xbf" + CLEAN.encode(), CLEAN.replace("\n", "\r\n").encode()]
)
def test_odd_files_that_are_python_are_no_trouble(content: bytes, project: Project, torchlint: Command) -> None:
    (project({}) / "odd.py").write_bytes(content)
    done = torchlint("check")
    assert (done.code, done.err) == (0, "")


def test_tabs_behind_spaces_indent_as_python_counts_them(project: Project, torchlint: Command) -> None:
    """LibCST refuses this file, and Python reads it."""
    text = HAZARD.replace("    ", "\t")
    text = text.replace("\t\tself.offset =", "\t\tif True:\n\t \t\tself.offset =")
    project({"tabs.py": text})
    done = torchlint("check", "--output-format", "concise")
    assert done.err == ""
    assert done.out.startswith("tabs.py:9:5: warning TL101")


def test_a_generated_file_of_two_megabytes_is_checked(project: Project, torchlint: Command) -> None:
    project({"generated.py": HAZARD + f'NAME = "{"x" * 200}"\n' * 10_000})
    done = torchlint("check", "--output-format", "concise")
    assert (done.code, done.err) == (1, "")
    assert "generated.py:8:9" in done.out


def test_a_file_that_takes_too_long_is_reported(
    project: Project, torchlint: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torchlint.reading.gate.APART_BASE_SECONDS", 0.1)
    monkeypatch.setattr("torchlint.reading.gate.APART_SECONDS_PER_MEGABYTE", 0.4)
    project({"generated.py": HAZARD + "TABLE = [\n" + '    ("name", 1.0, (2, 3)),\n' * 75_000 + "]\n"})
    done = torchlint("check")
    assert (done.code, done.err) == (
        2,
        "error: cannot analyse generated.py: not read within 1 seconds (LibCST stopped); skipped\n",
    )


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the administrator can read every file")
def test_an_unreadable_file_is_reported(project: Project, torchlint: Command) -> None:
    folder = project({"good.py": HAZARD, "secret.py": HAZARD})
    (folder / "secret.py").chmod(0)
    done = torchlint("check")
    assert (done.code, done.err) == (2, "error: cannot analyse secret.py: permission denied; skipped\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_links_in_a_circle_are_reported(project: Project, torchlint: Command) -> None:
    folder = project({"good.py": HAZARD})
    (folder / "a.py").symlink_to("b.py")
    (folder / "b.py").symlink_to("a.py")
    (folder / "loop").symlink_to(".")
    done = torchlint("check")
    assert done.code == 2
    assert "good.py:8:9" in done.out
    assert done.err.splitlines() == [
        f"error: cannot analyse {name}: too many levels of symbolic links; skipped" for name in ("a.py", "b.py")
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="needs links")
def test_a_link_to_nothing_is_reported(project: Project, torchlint: Command) -> None:
    (project({"good.py": HAZARD}) / "gone.py").symlink_to("nowhere.py")
    done = torchlint("check")
    assert done.code == 2
    assert done.err == "error: cannot analyse nowhere.py: no such file or directory; skipped\n"


def test_a_folder_called_like_a_file_is_searched(project: Project, torchlint: Command) -> None:
    project({"x.py/hazard.py": HAZARD})
    assert "x.py/hazard.py:8:9" in torchlint("check").out


def test_a_broken_pyproject_is_reported_and_the_files_are_checked(project: Project, torchlint: Command) -> None:
    project({"pyproject.toml": "[tool.torchlint]\nselect = \n", "hazard.py": HAZARD})
    done = torchlint("check")
    assert done.code == 2
    assert "hazard.py:8:9" in done.out
    assert "it is not valid TOML: Invalid value at line 2, column 10; the default settings were used" in done.err
    assert done.err.count("\n") == 1


def test_an_unknown_key_is_reported_and_the_files_are_checked(project: Project, torchlint: Command) -> None:
    project({"pyproject.toml": '[tool.torchlint]\nselct = ["TL1"]\n', "hazard.py": HAZARD})
    done = torchlint("check")
    assert done.code == 2
    assert "hazard.py:8:9" in done.out
    assert "unknown key `selct`; the nearest is `select`" in done.err


def test_a_file_of_the_user_never_stands_in_for_a_module_of_ours(project: Project, torchlint: Command) -> None:
    trap = "raise SystemExit('the file of the user was run')\n"
    project({"pickle.py": trap, "libcst.py": trap, "hazard.py": "x = " + "-" * DEEP + "1\n" + HAZARD})
    done = torchlint("check", "hazard.py", "--output-format", "concise")
    assert done.code == 1
    assert done.out.startswith("hazard.py:9:9")


@pytest.mark.parametrize("name", HIDDEN_DEPTH)
def test_depth_is_counted_as_libcst_nests(name: str) -> None:
    deep = source(HIDDEN_DEPTH[name] + "\n")
    assert deepest(deep, parse_ast(deep))[0] > DEPTH_LIMIT


@pytest.mark.parametrize("name", FLAT)
def test_what_libcst_keeps_flat_is_not_deep(name: str) -> None:
    flat = source(FLAT[name] + "\n")
    assert deepest(flat, parse_ast(flat))[0] < DEPTH_LIMIT


@pytest.mark.parametrize("name", HIDDEN_DEPTH)
def test_what_is_deep_and_can_be_read_is_read(name: str) -> None:
    assert read_safely(source("import torch\n" + HIDDEN_DEPTH[name] + "\n")) is not None


def test_hopeless_depth_is_not_tried() -> None:
    with pytest.raises(SourceError, match=r"nested too deeply at line 2$"):
        read_safely(source("import torch\nx = " + "a and " * HOPELESS_DEPTH + "a\n"))


@pytest.mark.parametrize(
    ("text", "matters"),
    [
        ("import torch\n", True),
        ("from pkg.base import Base\nclass A(Base): pass\n", True),
        ("import pkg\nclass A(pkg.Base): pass\n", True),
        ("from pkg.base import *\nclass A(Base): pass\n", True),
        ("def f():\n    from pkg import Base\n    class A(Base): pass\n", True),
        ("class A(dict): pass\n", False),
        ("class A: pass\nclass B(A): pass\n", False),
        ("from pkg import f\nf()\n", False),
        ("def f(x, y):\n    return x.expand_as(y)\n", True),
    ],
)
def test_a_file_matters_if_it_says_torch_or_inherits_from_elsewhere(text: str, matters: bool) -> None:
    assert may_matter(source(text), parse_ast(source(text))) is matters


def test_syntax_that_this_python_does_not_know_is_left_to_libcst(tmp_path: Path) -> None:
    newer = source("import torch\ntype Alias[T] = list[T]\n")
    assert read_safely(newer) is not None
