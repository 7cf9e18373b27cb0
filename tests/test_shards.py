"""The shards of a run and their merged log: what one run over all files gives."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import CLEAN, ENCODER, HAZARD, Command, Project

from torchlint.report import sarif
from torchlint.shards import Shard, ShardError, parse_shard

# Two stores of which each class below overrides one: neither the base nor one shard shows both.
BASE = """\
import torch
from torch import nn


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.{name} = None  # torchlint: ignore[TL102] nothing here
        self.one()
        self.two()

    def one(self):
        self.{name} = torch.zeros(3){comment}

    def two(self):
        self.{name} = torch.zeros(3){comment}
"""
DERIVED = """\
from {base} import Base


class Derived(Base):
    def {overridden}(self):
        return None

    def forward(self, x):
        return x + self.{name}
"""
USE = """\
import torch
from {encoder} import Encoder


def build(target):
    return Encoder(3).to(target)
"""


def _in_shard(number: int, name: str) -> str:
    """A module name that begins with `name` and is in that half of a run."""
    root = Path("/repository")
    names = (f"{name}{letter}" for letter in "abcdefghijklmnop")
    return next(one for one in names if Shard(number, 2).holds(root / f"{one}.py", root))


LOUD, HUSHED, ENCODER_FILE = _in_shard(1, "loud"), _in_shard(1, "hushed"), _in_shard(1, "encoder")
FILES = {
    f"{LOUD}.py": BASE.format(name="loud", comment=""),
    f"{_in_shard(1, 'first')}.py": DERIVED.format(base=LOUD, name="loud", overridden="two"),
    f"{_in_shard(2, 'second')}.py": DERIVED.format(base=LOUD, name="loud", overridden="one"),
    f"{HUSHED}.py": BASE.format(name="hushed", comment="  # torchlint: ignore[TL101, TL103] moved by hand"),
    f"{_in_shard(2, 'silent')}.py": DERIVED.format(base=HUSHED, name="hushed", overridden="one"),
    # What the checked files do with a class matters to it, whoever checks them.
    f"{ENCODER_FILE}.py": ENCODER,
    f"{_in_shard(2, 'use')}.py": USE.format(encoder=ENCODER_FILE),
    "clean.py": CLEAN,
    "broken.py": "def (:\n",
    "of_broken.py": HAZARD.replace("from torch import nn", "from broken import nn"),
    "package/__init__.py": "",
    "package/deep.py": HAZARD.replace("Scale", "Deep"),
}


def _whole(torchlint: Command, *arguments: str) -> Any:
    done = torchlint("check", "--no-cache", "--show-notes", "--output-format", "sarif", *arguments)
    return json.loads(done.out)


def _merged(torchlint: Command, count: int, *arguments: str) -> Any:
    for number in range(1, count + 1):
        shard = ("--shard", f"{number}/{count}", "--output", f"sarif:{number}.sarif")
        torchlint("check", "--no-cache", "--show-notes", *shard, *arguments)
    return json.loads(torchlint("merge", *(f"{number}.sarif" for number in range(1, count + 1))).out)


def _in_any_order(log: Any) -> Any:
    """The notifications of a run have no place, so their order is not that of a merged log."""
    notifications = log["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    notifications.sort(key=lambda one: one["message"]["text"])
    return log


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("arguments", [(), ("--sarif-include-suppressed",)])
def test_merged_shards_are_the_log_of_the_whole_run(
    count: int, arguments: tuple[str, ...], project: Project, torchlint: Command
) -> None:
    project(FILES)
    whole = _in_any_order(_whole(torchlint, *arguments))
    assert len(whole["runs"][0]["results"]) == 8 + len(arguments)
    assert _in_any_order(_merged(torchlint, count, *arguments)) == whole


def _holder(name: str, count: int, folder: Path) -> Shard:
    (holder,) = (
        shard for shard in (Shard(n, count) for n in range(1, count + 1)) if shard.holds(folder / name, folder)
    )
    return holder


def test_a_comment_that_another_shard_uses_is_not_called_unused(project: Project, torchlint: Command) -> None:
    project(FILES)
    done = torchlint("check", "--no-cache", "--show-notes", "--shard", "1/2", "--output-format", "concise")
    assert f"{HUSHED}.py:16:39: note TL001" in done.out
    assert "`ignore` silences TL101, TL103," in done.out  # all that this shard can know
    merged = json.dumps(_merged(torchlint, 2))
    assert merged.count("silences TL101, TL103,") == 1  # of the store that nobody uses
    assert merged.count("`ignore` silences TL103,") == 1


def test_a_file_keeps_its_shard_when_others_come(tmp_path: Path) -> None:
    names = [tmp_path / "src" / f"file{number}.py" for number in range(400)]
    shards = [[name for name in names if Shard(number, 4).holds(name, tmp_path)] for number in range(1, 5)]
    assert sorted(name for shard in shards for name in shard) == sorted(names)
    assert all(70 <= len(shard) <= 130 for shard in shards)


def test_a_file_has_the_same_shard_wherever_the_repository_lies() -> None:
    places = [Path("/here"), Path("/somewhere/else")]
    assert len({_holder("src/model.py", 5, place) for place in places}) == 1


def test_a_shard_says_which_it_is(project: Project, torchlint: Command) -> None:
    folder = project({"hazard.py": HAZARD})
    shard = _holder("hazard.py", 2, folder)
    other = Shard(3 - shard.number, 2)
    assert torchlint("check", "--shard", str(shard)).out.endswith(
        f"Checked shard {shard}, 1 file with 1 module: 1 finding (1 warning).\n"
    )
    done = torchlint("check", "--shard", str(other))
    assert (done.code, done.out) == (0, f"Checked shard {other}, 0 files with 0 modules: 0 findings.\n")


@pytest.mark.parametrize("text", ["", "2", "0/2", "3/2", "-1/2", "1/2/3", "a/b", "1/0", "\N{ARABIC-INDIC DIGIT ONE}/2"])
def test_a_text_that_is_no_shard_is_one_sentence(text: str) -> None:
    with pytest.raises(ShardError, match=f"^`{text}` is no shard: write I/N, the I-th of N parts, such as 2/4$"):
        parse_shard(text)


def test_a_wrong_shard_ends_the_command(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    done = torchlint("check", "--shard", "3/2")
    assert (done.code, done.out) == (2, "")
    assert done.err == "torchlint: `3/2` is no shard: write I/N, the I-th of N parts, such as 2/4\n"


def test_the_cache_of_a_shard_serves_the_whole_run(project: Project, torchlint: Command) -> None:
    project(FILES)
    for number in (1, 2):
        torchlint("check", "--shard", f"{number}/2")
    again = torchlint("check", "--show-notes", "--output-format", "sarif")
    assert json.loads(again.out) == _whole(torchlint)


# Merging


@pytest.fixture
def shards(project: Project, torchlint: Command) -> Path:
    """A folder with the logs of two shards."""
    folder = project(FILES)
    for number in (1, 2):
        torchlint("check", "--no-cache", "--shard", f"{number}/2", "--output", f"sarif:{number}.sarif")
    return folder


def _edit(file: Path, edit: Callable[[Any], object]) -> None:
    log = json.loads(file.read_bytes())
    edit(log["runs"][0])
    file.write_text(json.dumps(log), encoding="utf-8")


def test_merge_exits_as_check_does(shards: Path, torchlint: Command) -> None:
    assert torchlint("check", "--no-cache").code == 2  # broken.py
    assert torchlint("merge", "1.sarif", "2.sarif").code == 2
    (shards / "broken.py").unlink()
    for number in (1, 2):
        torchlint("check", "--no-cache", "--shard", f"{number}/2", "--output", f"sarif:{number}.sarif")
    assert torchlint("merge", "1.sarif", "2.sarif").code == 1
    assert torchlint("merge", "1.sarif", "2.sarif", "--exit-zero").code == 0
    assert torchlint("merge", "1.sarif", "2.sarif", "--fail-on", "error").code == 0


def test_a_merged_log_is_written_whole_to_its_file(shards: Path, torchlint: Command) -> None:
    out = torchlint("merge", "1.sarif", "2.sarif").out
    done = torchlint("merge", "1.sarif", "2.sarif", "--output-file", "all.sarif")
    assert (done.out, done.err) == ("", "")
    assert (shards / "all.sarif").read_text(encoding="utf-8") == out
    done = torchlint("merge", "1.sarif", "2.sarif", "--output-file", "no/all.sarif")
    assert (done.code, done.err) == (2, "torchlint: cannot write no/all.sarif: no such file or directory\n")


def test_logs_of_different_folders_merge_too(project: Project, torchlint: Command) -> None:
    project({"a/hazard.py": HAZARD, "b/hazard.py": HAZARD})
    for name in ("a", "b"):
        torchlint("check", "--no-cache", name, "--output", f"sarif:{name}.sarif")
    whole = json.loads(torchlint("check", "--no-cache", "--output-format", "sarif").out)
    assert json.loads(torchlint("merge", "a.sarif", "b.sarif", "a.sarif").out) == whole


def test_a_missing_shard_is_an_error(shards: Path, torchlint: Command) -> None:
    done = torchlint("merge", "2.sarif")
    assert (done.code, done.out) == (2, "")
    assert done.err == "torchlint: cannot merge: the log of shard 1/2 is missing\n"


def test_a_shard_that_is_there_twice_is_an_error(shards: Path, torchlint: Command) -> None:
    done = torchlint("merge", "1.sarif", "2.sarif", "1.sarif")
    assert (done.code, done.err) == (2, "torchlint: cannot merge: 1.sarif and 1.sarif are both shard 1/2\n")


def test_shards_of_different_runs_are_an_error(shards: Path, torchlint: Command) -> None:
    torchlint("check", "--no-cache", "--shard", "1/3", "--output", "sarif:3.sarif")
    done = torchlint("merge", "1.sarif", "2.sarif", "3.sarif")
    assert (done.code, done.err) == (2, "torchlint: cannot merge shards of 2 and of 3: check them anew\n")


def test_logs_of_different_versions_are_an_error(shards: Path, torchlint: Command) -> None:
    version = json.loads((shards / "1.sarif").read_bytes())["runs"][0]["tool"]["driver"]["version"]
    _edit(shards / "2.sarif", lambda run: run["tool"]["driver"].update(version="9.9.9"))
    done = torchlint("merge", "1.sarif", "2.sarif")
    assert done.code == 2
    assert done.err == (
        f"torchlint: cannot merge 1.sarif of torchlint {version} with 2.sarif of 9.9.9; "
        "check all shards with one version\n"
    )


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"runs": []}',
        b'{"runs": [{"tool": {"driver": {"name": "ruff", "version": "1"}}, "results": []}]}',
        b'{"runs": [{"tool": {"driver": {"name": "torchlint", "version": "1"}}, "results": [{}]}]}',
        b'{"runs": [{"tool": {"driver": {"name": "torchlint", "version": "1"}}, "results": 3}]}',
    ],
)
def test_what_is_no_log_of_ours_is_one_sentence(content: bytes, tmp_path: Path, torchlint: Command) -> None:
    file = tmp_path / "other.sarif"
    file.write_bytes(content)
    done = torchlint("merge", str(file))
    assert (done.code, done.out) == (2, "")
    assert done.err == f"torchlint: cannot merge {file}: it is no SARIF log that torchlint wrote\n"


def test_a_log_that_is_not_there_is_one_sentence(torchlint: Command) -> None:
    done = torchlint("merge", "missing.sarif")
    assert (done.code, done.err) == (2, "torchlint: cannot merge missing.sarif: no such file or directory\n")


def test_above_what_code_scanning_shows_the_gravest_come_first(
    shards: Path, torchlint: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The whole run is crowded where no shard is.
    monkeypatch.setattr(sarif, "SHOWN_RESULTS", 3)
    monkeypatch.setattr("torchlint.report.merge.SHOWN_RESULTS", 3)
    whole = json.loads(torchlint("check", "--no-cache", "--output-format", "sarif").out)
    merged = json.loads(torchlint("merge", "1.sarif", "2.sarif").out)
    assert "Code scanning shows 3 of the" in json.dumps(whole)
    assert _in_any_order(merged) == _in_any_order(whole)
