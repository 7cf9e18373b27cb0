"""The command: its report in every format, its settings, and the scripts that repeat what it saw."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import CLEAN, HAZARD, Command, Project

from torchlint.confirm.plan import Claim, Job, jobs_for
from torchlint.findings import Confidence, Finding, Severity
from torchlint.source import Span

pytest.importorskip("torch")

TWO = (
    HAZARD
    + """

class Reset(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = torch.zeros(3)
        raise RuntimeError("no licence")

    def forward(self, x):
        return x + self.offset
"""
)
FILES = ("concise", "json", "sarif")
NO_CACHE = ("--no-cache", "--timeout", "120", "--device", "sim")


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One run over a file with a finding that is confirmed and one that is not, in all formats."""
    folder = tmp_path_factory.mktemp("two")
    (folder / "two.py").write_text(TWO, encoding="utf-8")
    outputs = [part for name in FILES for part in ("--output", f"{name}:{folder / name}")]
    command = [sys.executable, "-m", "torchlint", "confirm", "--isolated", *NO_CACHE, *outputs, "two.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=240)
    assert done.returncode == 1, done.stderr
    files = {name: (folder / name).read_text(encoding="utf-8") for name in FILES}
    return {"full": done.stdout, "err": done.stderr, **files}


def test_text_shows_the_evidence_and_the_confirmed_first(reports: dict[str, str]) -> None:
    verdicts = [line for line in reports["full"].splitlines() if line.startswith(("  confirmed: ", "  inconclusive: "))]
    assert verdicts[0].startswith('  confirmed: Scale(); .to("cuda"); forward with x=')
    assert "since self.offset stayed behind" in verdicts[0]
    assert verdicts[1] == (
        "  inconclusive: no arguments were found that build the class: RuntimeError: no licence (line 18)"
    )


def test_one_line_says_where_it_ran_and_counts_the_verdicts(reports: dict[str, str]) -> None:
    (line,) = (line for line in reports["err"].splitlines() if line.startswith("note: ran 2 classes in "))
    assert "on a simulated cuda:0" in line
    assert "guard against accidents and not against malice" in line
    assert line.endswith(": 1 confirmed, 0 refuted, 1 inconclusive")


def test_concise_text_has_the_verdict_at_the_end(reports: dict[str, str]) -> None:
    assert [line.rpartition(" ")[2] for line in reports["concise"].splitlines()] == ["(confirmed)", "(inconclusive)"]


def test_json_has_verdict_and_evidence(reports: dict[str, str]) -> None:
    found = {one["line"]: one for one in json.loads(reports["json"])["findings"]}
    assert (found[8]["verdict"], found[17]["verdict"]) == ("confirmed", "inconclusive")
    assert found[8]["evidence"].endswith("(seed 0)")


def test_sarif_has_verdict_clause_and_rank(reports: dict[str, str]) -> None:
    first, second = json.loads(reports["sarif"])["runs"][0]["results"]
    assert first["properties"]["verdict"] == "confirmed"
    assert "self.offset stayed behind" in first["properties"]["evidence"]
    assert "omits it. Confirmed by running it." in first["message"]["text"]
    assert "running the class" not in second["message"]["text"]
    assert first["rank"] > second["rank"]


def test_check_runs_nothing(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    found = json.loads(torchlint("check", "--output-format", "json").out)["findings"]
    assert [(one["verdict"], one["evidence"]) for one in found] == [(None, None)]


def test_nothing_to_run_starts_no_process(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN})
    done = torchlint("confirm", "--python", sys.executable)
    assert (done.code, "note: ran" in done.err) == (0, False)


def test_standard_input_cannot_be_run(project: Project, torchlint: Command) -> None:
    project({})
    assert "standard input is none" in torchlint("confirm", "-").err


def test_check_can_confirm_too(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD, "torchlint.toml": '[confirm]\ndevice = "cpu"\ntimeout = 90\n'})
    done = torchlint("check", "--confirm", "--python", sys.executable, "--output-format", "json")
    assert [one["verdict"] for one in json.loads(done.out)["findings"]] == ["confirmed"]


def test_other_class_is_not_run(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    done = torchlint("confirm", "--class", "Other", "--output-format", "json")
    assert json.loads(done.out)["findings"][0]["evidence"] == "its class was not run"


def test_file_with_relative_imports_is_a_part_of_its_folder(project: Project, torchlint: Command) -> None:
    files = {"lib/parts.py": "SIZE = 3\n", "lib/hazard.py": f"from .parts import SIZE\n{HAZARD}"}
    project({**files, "torchlint.toml": '[confirm]\ndevice = "cpu"\ntimeout = 90\n'})
    done = torchlint("confirm", "--python", sys.executable, "--output-format", "json")
    assert [one["verdict"] for one in json.loads(done.out)["findings"]] == ["confirmed"]


# Settings

HINTED = HAZARD.replace("def __init__(self):", "def __init__(self, key):\n        assert key == 'open'").replace(
    "return x + self.offset", "return x + self.offset[: x.shape[7]]"
)
SETTINGS = """
[confirm]
device = "cpu"
timeout = 90
[confirm.classes.Scale]
init = { key = "open" }
inputs = { x = [1, 1, 1, 1, 1, 1, 1, 3] }
"""


def test_hints_say_how_a_class_is_built_and_called(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HINTED, "torchlint.toml": SETTINGS})
    done = torchlint("confirm", "--python", sys.executable, "--output-format", "json")
    (finding,) = json.loads(done.out)["findings"]
    assert finding["verdict"] == "confirmed"
    assert finding["evidence"].startswith("Scale(key='open'); .to(torch.bfloat16); forward with x=1x1x1x1x1x1x1x3")
    assert "on the CPU alone" in done.err


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ('device = "tpu"', "must be one of auto, cpu, cuda, mps, sim"),
        ("timeout = 0", "write a number from 1 on"),
        ("speed = 1", "unknown key `speed`"),
        ('classes.Scale.factory = "make()"', 'write "package.module:function"'),
        ("classes.Scale.inits = {}", "unknown key `inits` of `Scale`; the nearest is `init`"),
        ("classes.Scale.init = 3", "write a table"),
    ],
)
def test_wrong_settings_are_named(project: Project, torchlint: Command, table: str, complaint: str) -> None:
    project({"clean.py": CLEAN, "torchlint.toml": f"[confirm]\n{table}\n"})
    done = torchlint("check")
    assert done.code == 2
    assert complaint in done.err


def test_settings_are_shown(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN, "torchlint.toml": SETTINGS})
    out = torchlint("check", "--show-settings").out
    assert '[confirm]\ndevice = "cpu"\ntimeout = 90\nmemory = 4096\n' in out
    assert 'classes."Scale" = {"init" = {"key" = "open"}, "inputs" = {"x" = [1, 1, 1, 1, 1, 1, 1, 3]}}' in out


# The plan

AGAIN = {f"{mode} again{where}" for mode in ("train", "eval") for where in ("", " in a parent")}


def finding(symbol: str, path: Path, message: str = "", code: str = "TL101") -> Finding:
    span = Span(str(path), 3, 1, 4, 2)
    return Finding(code, "", Severity.NOTE, Confidence.LOW, message, span, f"{code}:{symbol}", symbol)


def test_findings_of_one_class_are_one_job(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").touch()
    path = tmp_path / "pkg" / "layers.py"
    (job,) = jobs_for(
        [finding("Outer.Inner.a", path), finding("Outer.Inner.b", path), finding("f", path, code="TL304")]
    )
    assert (job.roots, job.module, job.qualname) == ((str(tmp_path),), "pkg.layers", "Outer.Inner")
    assert [(one.member, one.line, one.last_line) for one in job.claims] == [("a", 3, 4), ("b", 3, 4)]


@pytest.mark.parametrize(
    ("message", "histories"),
    [
        (
            "stays as it was after load_state_dict(); train(True) renews it",
            {"load", "load in a parent", "load by assignment"},
        ),
        (
            "nothing undoes or redoes the merge after train(True)",
            {*AGAIN, "eval again after a fused step"},
        ),
        ("the old value outlives an x of another shape", {"resize"}),
        ("the old value outlives the next instance", set()),
    ],
)
def test_events_are_those_that_the_finding_names(message: str, histories: set[str]) -> None:
    found = set(Claim("", "TL104", "x", 1, 1, message).histories)
    assert found == (histories | {"rebuilds"} if histories else set())


def test_job_has_the_dotted_name_of_its_class() -> None:
    assert Job("/p/m.py", ("/p",), "m", "Scale", (), ()).name == "m.Scale"


# Scripts

BROKEN = {
    "TL101:broken.Scale.offset": "self.offset = torch.zeros(3)",
    "TL105:broken.Held.parts": "self.parts = [nn.Linear(3, 3)]",
    "TL108:broken.Still.train": "nn.Module.train(self, mode)",
    "TL103:broken.Folded.folded": "self.folded = None if mode else self.weight * 2",
    "TL102:broken.Carrying.memory": "self.memory = x.mean() * self.weight + self.memory",
}
MENDED = {
    "TL101:broken.Scale.offset": 'self.register_buffer("offset", torch.zeros(3))',
    "TL105:broken.Held.parts": "self.parts = nn.ModuleList([nn.Linear(3, 3)])",
    "TL108:broken.Still.train": "return nn.Module.train(self, mode)",
    "TL103:broken.Folded.folded": "self.folded = None",
    "TL102:broken.Carrying.memory": "self.memory = (x.mean() * self.weight).detach() + self.memory",
}
PROGRAM = """\
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = torch.zeros(3)

    def forward(self, x):
        return x + self.offset


class Held(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [nn.Linear(3, 3)]

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


class Still(nn.Module):
    def train(self, mode=True):
        nn.Module.train(self, mode)

    def forward(self, x):
        return x


class Folded(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.folded = None

    def train(self, mode=True):
        super().train(mode)
        self.folded = None if mode else self.weight * 2
        return self

    def forward(self, x):
        return x * (self.weight * 2 if self.folded is None else self.folded)


class Carrying(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.memory = 0.0

    def forward(self, x):
        self.memory = x.mean() * self.weight + self.memory
        return x * self.memory
"""


def call(*command: Any, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, cwd=folder, timeout=240)


@pytest.mark.parametrize("key", BROKEN)
def test_script_repeats_the_evidence_and_fails_on_the_mended_class(key: str, project: Project) -> None:
    folder = project({"broken.py": PROGRAM})
    command = (sys.executable, "-m", "torchlint", "confirm", "--isolated", *NO_CACHE, "--replay", key, "broken.py")
    done = call(*command, folder=folder)
    assert done.returncode == 0, done.stderr
    assert "torchlint" not in done.stdout.partition('"""\n')[2].partition('"""\n')[2]
    (folder / "again.py").write_text(done.stdout, encoding="utf-8")
    assert call(sys.executable, "again.py", folder=folder).returncode == 0
    assert PROGRAM.count(BROKEN[key]) == 1
    (folder / "broken.py").write_text(PROGRAM.replace(BROKEN[key], MENDED[key]), encoding="utf-8")
    assert call(sys.executable, "again.py", folder=folder).returncode == 1


def test_key_that_is_none_is_named(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    done = torchlint("confirm", "--replay", "TL101:nowhere")
    assert (done.code, done.out) == (2, "")
    assert "no finding has the key TL101:nowhere" in done.err
