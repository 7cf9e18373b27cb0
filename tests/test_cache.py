"""The cache: what is judged again after a change, and what becomes of a folder that is damaged, foreign or shared."""

from __future__ import annotations

import marshal
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import CLEAN, ENCODER, HAZARD, Command, Done, Project

from torchlint import discover, environment, imported
from torchlint.cache.ledger import Ledger
from torchlint.cache.stamps import SETTLED_NANOSECONDS
from torchlint.cache.store import DIGEST_BYTES, JUDGES, READERS, clean, identity, prune, save, usual_folder
from torchlint.engine import Request, check
from torchlint.rules import codes
from torchlint.rules import load as load_rules

BASE = """\
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = torch.zeros(3)

    def forward(self, x):
        return x


def unrelated(x):
    return x
"""
DERIVED = """\
from base import Base


class Derived(Base):
    def forward(self, x):
        return x + self.offset
"""
OTHER = HAZARD.replace("Scale", "Other")
FILES = {"base.py": BASE, "derived.py": DERIVED, "other.py": OTHER}

Rejudged = Callable[[], list[str]]


def _forget_folders() -> None:
    """Drop what this process remembers of folders; a run of the command starts without."""
    for module in (discover, environment, imported):
        for one in vars(module).values():
            if hasattr(one, "cache_clear"):
                one.cache_clear()


@pytest.fixture
def rejudged(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rejudged]:
    """Check the working directory, compare with a run without a cache, and name the files that were judged again."""
    recalled: list[str] = []
    recall = Ledger.recall

    def noted(ledger: Ledger) -> object:
        found = recall(ledger)
        recalled.extend(found)
        return found

    monkeypatch.setattr(Ledger, "recall", noted)

    def run() -> list[str]:
        recalled.clear()
        _forget_folders()
        report = check(Request((".",)), lambda *_: None)
        fresh = check(Request((".",), cache=False), lambda *_: None)
        assert (report.findings, report.suppressed, report.notifications, report.modules) == (
            fresh.findings,
            fresh.suppressed,
            fresh.notifications,
            fresh.modules,
        )
        checked = [str(path) for path in Path.cwd().rglob("*.py")]
        return sorted(Path(path).name for path in set(checked) - set(recalled))

    yield run
    _forget_folders()


def _replace(file: str, old: str, new: str) -> None:
    text = Path(file).read_text()
    assert old in text
    Path(file).write_text(text.replace(old, new))


def test_nothing_is_judged_again_while_nothing_changes(project: Project, rejudged: Rejudged) -> None:
    project(FILES)
    assert rejudged() == ["base.py", "derived.py", "other.py"]
    assert rejudged() == []


FURTHER = DERIVED.replace("Derived", "Further").replace("base import Base", "derived import Derived as Base")


def test_a_changed_base_is_judged_again_with_what_derives_from_it_and_nothing_else(
    project: Project, rejudged: Rejudged
) -> None:
    project({**FILES, "further.py": FURTHER})
    rejudged()
    _replace("base.py", "torch.zeros(3)", "torch.ones(3)")
    assert rejudged() == ["base.py", "derived.py", "further.py"]


USER = """\
from helper import scale
import torch


def f(x):
    return scale(torch.zeros(3)) + x
"""
HELPER = """\
def scale(x):
    return x * 2


def last(x):
    return x
"""


def test_a_change_below_what_was_used_of_a_file_concerns_that_file_only(project: Project, rejudged: Rejudged) -> None:
    project({"user.py": USER, "helper.py": HELPER, "other.py": OTHER})
    rejudged()
    _replace("helper.py", "    return x\n", "    return x + 1\n")
    assert rejudged() == ["helper.py"]
    _replace("helper.py", "x * 2", "x * 3")
    assert rejudged() == ["helper.py", "user.py"]


def test_a_file_that_an_import_looked_for_in_vain_is_a_change(project: Project, rejudged: Rejudged) -> None:
    project({"derived.py": DERIVED, "other.py": OTHER})
    rejudged()
    assert rejudged() == []
    project({"base.py": BASE})
    assert rejudged() == ["base.py", "derived.py"]


def test_a_file_that_goes_is_a_change(project: Project, rejudged: Rejudged) -> None:
    project(FILES)
    rejudged()
    Path("base.py").unlink()
    assert rejudged() == ["derived.py"]


def test_a_package_that_ceases_to_be_one_is_a_change(project: Project, rejudged: Rejudged) -> None:
    project({"pkg/__init__.py": "", "pkg/base.py": BASE, "pkg/derived.py": DERIVED.replace("from base", "from .base")})
    rejudged()
    project({"pkg/base/__init__.py": "Base = object\n"})
    assert "derived.py" in rejudged()


USE = """\
import torch
from encoder import Encoder


def build(target):
    return Encoder(3)
"""


def test_a_conversion_anywhere_among_the_checked_files_is_a_change(project: Project, rejudged: Rejudged) -> None:
    project({"encoder.py": ENCODER, "other.py": OTHER, "use.py": USE})
    rejudged()
    assert rejudged() == []
    _replace("use.py", "Encoder(3)", "Encoder(3).to(target)")
    assert rejudged() == ["encoder.py", "use.py"]
    codes = {finding.code for finding in check(Request((".",)), lambda *_: None).findings}
    assert "TL119" in codes


SIMILARITY = """\
import torch


def similarity(queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    return queries.float() @ keys.float().t()
"""
RETRIEVER = """\
import torch
from torch import nn

from similarity import similarity


class Retriever(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Linear(8, 8)

    def forward(self, queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return similarity(self.encoder(queries), self.encoder(keys))
"""


def test_a_caller_that_changes_and_still_holds_the_words_is_a_change(project: Project, rejudged: Rejudged) -> None:
    project({"similarity.py": SIMILARITY, "retriever.py": RETRIEVER, "other.py": OTHER})
    rejudged()
    assert "TL403" in {finding.code for finding in check(Request((".",)), lambda *_: None).findings}
    _replace("retriever.py", 'with torch.autocast("cpu", dtype=torch.bfloat16):', "if True:  # no autocast")
    assert rejudged() == ["retriever.py", "similarity.py"]
    assert "TL403" not in {finding.code for finding in check(Request((".",)), lambda *_: None).findings}


OWNER = """\
from torch import nn


class Owner(nn.Module):
    def _apply(self, fn):
        super()._apply(fn)
        self.scale.offset = fn(self.scale.offset)
        return self
"""


def test_an_owner_that_appears_and_moves_tensors_of_others_is_a_change(project: Project, rejudged: Rejudged) -> None:
    project({"scale.py": HAZARD, "plain.py": "import torch\n\n\ndef f(x):\n    return torch.sin(x)\n"})
    rejudged()
    project({"owner.py": OWNER})
    assert rejudged() == ["owner.py", "scale.py"]


def test_a_suppression_and_the_lack_of_one_are_seen(project: Project, rejudged: Rejudged, torchlint: Command) -> None:
    project({"derived.py": DERIVED, "base.py": BASE})
    rejudged()
    assert torchlint("check").code == 1
    _replace("base.py", "torch.zeros(3)", "torch.zeros(3)  # torchlint: ignore[TL101] moved by hand")
    rejudged()
    assert torchlint("check").code == 0
    assert rejudged() == []
    assert torchlint("check").code == 0


def test_settings_that_choose_rules_count_and_others_do_not(project: Project, rejudged: Rejudged) -> None:
    folder = project(FILES)
    rejudged()
    (folder / "torchlint.toml").write_text('show-notes = true\nmin-confidence = "low"\n[severity]\nTL101 = "note"\n')
    assert rejudged() == []
    (folder / "torchlint.toml").write_text('ignore = ["TL101"]\n')
    assert rejudged() == ["base.py", "derived.py", "other.py"]
    (folder / "torchlint.toml").write_text("")
    assert rejudged() == []


def test_files_that_have_settled_are_not_read_again(project: Project, torchlint: Command) -> None:
    folder = project(FILES)
    torchlint("check")
    time.sleep(SETTLED_NANOSECONDS / 1e9 + 0.1)
    first = torchlint("check")
    # The times of a file tell that it is the same; what they say is only believed once it is no longer fresh.
    state = (folder / "base.py").stat()
    with (folder / "base.py").open("r+") as stream:
        stream.write("X")
    os.utime(folder / "base.py", ns=(state.st_atime_ns, state.st_mtime_ns))
    assert torchlint("check") != first


def test_the_text_of_a_conversion_is_recognised_for_each_method_that_the_model_asks_for() -> None:
    from torchlint.knowledge.conversions import CONVERTING_TEXT
    from torchlint.model.unregistered.remembered import CONVERTING

    assert all(CONVERTING_TEXT.search(f"model.{name}(x)".encode()) for name in CONVERTING)
    assert CONVERTING_TEXT.search(b"model . \\\n  cuda()")
    assert CONVERTING_TEXT.search(b"total.tolist() + model.tokens") is None


def test_the_codes_are_known_without_importing_a_rule() -> None:
    assert codes() == tuple(load_rules())


PROJECTS = sorted(folder for folder in (Path(__file__).parent / "projects").iterdir() if any(folder.glob("*.py")))


@pytest.mark.parametrize("example", PROJECTS, ids=lambda folder: folder.name)
def test_every_file_of_a_project_that_moves_or_goes_leaves_what_a_fresh_run_finds(
    example: Path, project: Project, rejudged: Rejudged
) -> None:
    files = {str(file.relative_to(example)): file.read_text() for file in sorted(example.rglob("*.py"))}
    project(files)
    rejudged()
    for name, text in files.items():
        Path(name).write_text(f"# one line more\n{text}")
        assert Path(name).name in rejudged()
    for name, text in files.items():
        Path(name).unlink()
        rejudged()
        Path(name).write_text(text)
        rejudged()


# The folder


def _entries() -> list[Path]:
    return [file for file in usual_folder().rglob("*") if file.is_file() and len(file.name) > DIGEST_BYTES]


def test_a_damaged_entry_counts_as_absent_and_is_one_line(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    first = torchlint("check")
    assert len(_entries()) == 2
    for entry in _entries():
        entry.write_bytes(entry.read_bytes()[:-7] + b"damaged")
    second = torchlint("check")
    assert (second.code, second.out) == (first.code, first.out)
    assert second.err.count("\n") == first.err.count("\n") + 1
    assert "is damaged; all files are judged anew" in second.err
    assert torchlint("check") == first


def test_an_entry_of_another_format_counts_as_absent(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    first = torchlint("check")
    (entry,) = (usual_folder() / "results").iterdir()
    save(entry, marshal.dumps(("another",)), usual_folder())
    assert torchlint("check").out == first.out


def test_a_cache_of_ones_own_keeps_itself_out_of_the_repository(project: Project, torchlint: Command) -> None:
    folder = project({"hazard.py": HAZARD})
    first = torchlint("check", "--cache-dir", ".torchlint_cache")
    assert (folder / ".torchlint_cache" / ".gitignore").read_text() == "*\n"
    assert _entries() == []
    assert torchlint("check", "--cache-dir", ".torchlint_cache") == first
    assert torchlint("clean", "--cache-dir", ".torchlint_cache").code == 0
    assert not (folder / ".torchlint_cache").exists()
    assert torchlint("clean", "--cache-dir", ".torchlint_cache").out.startswith("there is no cache in ")


@pytest.mark.parametrize("command", ["check", "clean"])
def test_a_folder_of_others_is_neither_used_nor_removed(command: str, project: Project, torchlint: Command) -> None:
    folder = project({"hazard.py": HAZARD, "mine/notes.txt": "mine"})
    done = torchlint(command, "--cache-dir", "mine")
    assert done.code == 2
    assert f"cannot use {folder / 'mine'} as the cache: it holds files that are not torchlint's" in done.err
    assert [path.name for path in (folder / "mine").iterdir()] == ["notes.txt"]


def test_clean_removes_the_usual_folder(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    torchlint("check")
    assert torchlint("clean").out == f"removed {usual_folder()}\n"
    assert not usual_folder().exists()
    assert not clean(usual_folder())


def test_the_oldest_entries_go_when_the_folder_is_full(tmp_path: Path) -> None:
    for number in range(8):
        entry = tmp_path / "results" / f"entry{number}"
        save(entry, b"x" * (1000 - DIGEST_BYTES), tmp_path)
        os.utime(entry, (number, number))
    prune(tmp_path, limit_bytes=6000)
    # Two too many, and a quarter of the limit is made free.
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == ["entry4", "entry5", "entry6", "entry7"]
    save(tmp_path / "results" / "late", b"x" * 9000, tmp_path)
    prune(tmp_path, limit_bytes=6000)
    assert len(list((tmp_path / "results").iterdir())) == 5, "looked at once a day"


def _running(folder: Path) -> subprocess.Popen[str]:
    surroundings = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-m", "torchlint", "check", "--output-format", "concise", "-q"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, stdout=pipe, stderr=pipe, text=True, env=surroundings)


def test_runs_at_the_same_time_find_the_same_and_leave_a_cache_that_holds(
    project: Project, torchlint: Command, rejudged: Rejudged
) -> None:
    folder = project({f"part{number}.py": HAZARD for number in range(6)})
    runs = [_running(folder) for _ in range(3)]
    outs = {(*run.communicate(timeout=100), run.returncode) for run in runs}
    assert len(outs) == 1
    assert rejudged() == []


def test_runs_over_different_files_keep_the_results_of_each_other(project: Project, rejudged: Rejudged) -> None:
    project(FILES)
    request = Request(("other.py",)), Request(("derived.py", "base.py"))
    for one in request:
        check(one, lambda *_: None)
    assert "other.py" not in rejudged()


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_run_that_is_killed_leaves_a_cache_that_holds(project: Project, torchlint: Command) -> None:
    folder = project({f"part{number}.py": HAZARD for number in range(12)})
    for delay in (0.2, 0.5, 0.8):
        run = _running(folder)
        time.sleep(delay)
        run.send_signal(signal.SIGKILL)
        run.communicate()
    done: Done = torchlint("check", "-q")
    assert done == torchlint("check", "-q", "--no-cache")
    assert done.err == ""
    assert CLEAN != HAZARD


@pytest.mark.parametrize("name", ["reader.py", "project.py", "evaluate.py", "torch_tables.py"])
def test_what_is_kept_of_a_file_depends_on_the_code_that_reads(name: str) -> None:
    assert name.encode() in identity(READERS)


@pytest.mark.parametrize("name", ["tl101_unregistered_tensor.py", "engine.py", "judging.py", "book.py", "TL101.md"])
def test_what_is_kept_of_a_judgement_depends_on_the_code_that_judges(name: str) -> None:
    assert name.encode() in identity(JUDGES)
