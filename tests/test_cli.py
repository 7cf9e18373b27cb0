"""The command as a user meets it: options, formats, exit codes, and what it says."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import CLEAN, HAZARD, HAZARD_LINE, Command, Project

BROKEN = "import torch\ndef f(:\n"
HEADLINE = re.compile(
    r"^(?P<path>[^:]+):(?P<line>\d+):(?P<column>\d+): warning TL101\[unregistered-tensor\] \S.*$", re.M
)
PADDING = f"# {'padding' * 100}\n" * 800


# Exit codes


def test_clean_files_exit_0(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN})
    assert torchlint("check").code == 0


def test_findings_exit_1(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    assert torchlint("check").code == 1


def test_exit_zero_turns_1_into_0(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    assert torchlint("check", "--exit-zero").code == 0


def test_a_file_that_cannot_be_analysed_wins_over_findings_and_exit_zero(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD, "broken.py": BROKEN})
    done = torchlint("check", "--exit-zero")
    assert done.code == 2
    assert HEADLINE.search(done.out)


def test_a_missing_path_exits_2_and_the_others_are_checked(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    done = torchlint("check", "hazard.py", "nowhere.py")
    assert done.code == 2
    assert HEADLINE.search(done.out)
    assert done.err == "error: cannot find nowhere.py: there is no such file or folder\n"


def test_an_unknown_option_exits_2(torchlint: Command) -> None:
    assert torchlint("check", "--colour").code == 2


def test_fail_on_a_graver_severity_exits_0(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    assert torchlint("check", "--fail-on", "error").code == 0
    assert torchlint("check", "--fail-on", "warning").code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs a FIFO and signals")
def test_an_interrupted_run_exits_130_without_a_traceback(project: Project) -> None:
    pipe = project({}) / "pipe.py"
    os.mkfifo(pipe)
    # A shell starts background jobs with the signal ignored, and children inherit that.
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); import torchlint.__main__"
    program = f"{start} as program; program.main()"
    command = [sys.executable, "-c", program, "check", "pipe.py"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        # Opening the other end waits until the command reads, so the signal meets it at work.
        with pipe.open("w"):
            time.sleep(0.2)
            running.send_signal(signal.SIGINT)
            _, err = running.communicate(timeout=60)
    finally:
        running.kill()
    assert (running.returncode, err.lstrip()) == (130, "torchlint: interrupted\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_standard_output_that_cannot_be_written_is_a_failure_in_a_sentence(project: Project) -> None:
    folder = project({"hazard.py": HAZARD})
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "torchlint", "check", "hazard.py"],
            stdout=full, stderr=subprocess.PIPE, text=True, cwd=folder, check=False,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        2,
        "torchlint: cannot write standard output: no space left on device\n",
    )


def test_show_files_of_a_missing_path_fails(project: Project, torchlint: Command) -> None:
    project({})
    done = torchlint("check", "--show-files", "nope")
    assert (done.code, done.out, done.err) == (
        2,
        "",
        "torchlint: cannot find nope: there is no such file or folder\n",
    )


def test_two_attributes_of_one_statement_are_two_findings_with_two_keys(project: Project, torchlint: Command) -> None:
    chained = HAZARD.replace("self.offset = ", "self.offset = self.other = ")
    chained = chained.replace("x + self.offset", "self.other + x + self.offset")
    project({"hazard.py": chained})
    findings = json.loads(torchlint("check", "--output-format", "json").out)["findings"]
    assert [finding["key"] for finding in findings] == ["TL101:hazard.Scale.offset", "TL101:hazard.Scale.other"]


# What is said


def test_concise_is_one_line_for_each_finding(project: Project, torchlint: Command) -> None:
    project({"pkg/hazard.py": HAZARD})
    done = torchlint("check", "--output-format", "concise")
    headline = HEADLINE.match(done.out)
    assert headline is not None
    assert (headline["path"], int(headline["line"]), int(headline["column"])) == ("pkg/hazard.py", HAZARD_LINE, 9)
    assert len(done.out.splitlines()) == 2


def test_full_shows_the_code_the_places_and_the_help(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    lines = torchlint("check").out.splitlines()
    assert "  8 |         self.offset = torch.zeros(3)" in lines
    assert " 11 |         return x + self.offset" in lines
    assert any(re.fullmatch(r" +\| +\^+ .*read.*", line) for line in lines)
    assert "  help: torchlint rule TL101" in lines


def test_the_last_line_says_what_was_done(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD, "clean.py": CLEAN, "broken.py": BROKEN})
    last = torchlint("check").out.splitlines()[-1]
    assert last == "Checked 3 files with 2 modules: 1 finding (1 warning), 1 file skipped."


def test_quiet_keeps_findings_and_errors_only(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD, "broken.py": BROKEN})
    done = torchlint("check", "--quiet", "--output-format", "concise")
    assert len(done.out.splitlines()) == 1
    assert len(done.err.splitlines()) == 1


def test_statistics_count_the_findings_of_each_rule(project: Project, torchlint: Command) -> None:
    project({"one.py": HAZARD, "two.py": HAZARD})
    assert "    2 TL101 unregistered-tensor" in torchlint("check", "--statistics").out.splitlines()


def test_nothing_to_check_is_said_and_exits_0(project: Project, torchlint: Command) -> None:
    project({"README.md": "no code"})
    done = torchlint("check")
    assert (done.code, done.err) == (0, "note: there are no Python files to check\n")


@pytest.mark.parametrize(
    ("choice", "variable", "coloured"),
    [
        ("always", "NO_COLOR", True),
        ("never", "FORCE_COLOR", False),
        ("auto", "FORCE_COLOR", True),
        ("auto", "NO_COLOR", False),
    ],
)
def test_colour_is_chosen_by_option_then_by_variable(
    choice: str, variable: str, coloured: bool, project: Project, torchlint: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    project({"hazard.py": HAZARD})
    monkeypatch.setenv(variable, "1")
    assert ("\x1b[" in torchlint("check", "--color", choice).out) is coloured


def test_escape_sequences_in_the_source_do_not_reach_the_terminal(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD.replace("zeros(3)", "zeros(3)  # \x1b]0;title\x07")})
    assert "\x1b" not in torchlint("check").out


# Formats and files


def test_json_has_the_documented_fields(project: Project, torchlint: Command) -> None:
    project({"pkg/__init__.py": "", "pkg/hazard.py": HAZARD, "broken.py": BROKEN})
    done = torchlint("check", "--output-format", "json")
    document = json.loads(done.out)
    (finding,) = document["findings"]
    assert set(document) == {"version", "findings", "notifications"}
    assert list(finding) == [
        *("code", "name", "severity", "confidence", "message", "path", "line", "column", "end_line", "end_column"),
        *("key", "related", "fix", "verdict", "evidence"),
    ]
    assert (finding["path"], finding["line"]) == ("pkg/hazard.py", HAZARD_LINE)
    assert finding["key"] == "TL101:pkg.hazard.Scale.offset"
    assert document["notifications"][0]["path"] == "broken.py"


def test_a_format_for_programs_leaves_standard_output_to_it(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    done = torchlint("check", "--output-format", "sarif")
    assert json.loads(done.out)["version"] == "2.1.0"
    assert done.err.startswith("Checked 1 file")


def test_output_file_gets_the_format_and_the_terminal_gets_text(project: Project, torchlint: Command) -> None:
    folder = project({"hazard.py": HAZARD})
    done = torchlint("check", "--output-format", "sarif", "--output-file", "report.sarif")
    assert HEADLINE.search(done.out)
    assert json.loads((folder / "report.sarif").read_text())["version"] == "2.1.0"


def test_output_is_repeatable(project: Project, torchlint: Command) -> None:
    folder = project({"hazard.py": HAZARD})
    torchlint("check", "--output", "json:report.json", "--output", "concise:report.txt")
    assert len(json.loads((folder / "report.json").read_text())["findings"]) == 1
    assert HEADLINE.match((folder / "report.txt").read_text())


@pytest.mark.parametrize("value", ["report.json", "xml:report.xml", "json:"])
def test_an_output_without_format_and_file_exits_2(value: str, project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN})
    done = torchlint("check", "--output", value)
    assert done.code == 2
    assert f"`{value}` must be FORMAT:FILE" in done.err


def test_an_output_in_a_missing_folder_exits_2_before_the_run(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    done = torchlint("check", "--output", "json:nowhere/report.json")
    assert done.code == 2
    assert "there is no folder nowhere" in done.err
    assert done.out == ""


def test_a_regular_output_is_replaced_and_keeps_its_permissions(project: Project, torchlint: Command) -> None:
    folder = project({"clean.py": CLEAN, "report.json": "old"})
    report = folder / "report.json"
    report.chmod(0o640)
    before = report.stat()
    torchlint("check", "--output", "json:report.json")
    after = report.stat()
    assert before.st_ino != after.st_ino
    assert stat.S_IMODE(after.st_mode) == 0o640


def test_an_output_behind_a_link_keeps_the_link(project: Project, torchlint: Command) -> None:
    folder = project({"clean.py": CLEAN, "real.json": "old"})
    (folder / "report.json").symlink_to("real.json")
    torchlint("check", "--output", "json:report.json")
    assert (folder / "report.json").is_symlink()
    assert json.loads((folder / "real.json").read_text())["findings"] == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs /dev/null and FIFOs")
def test_devices_and_pipes_are_written_in_place(project: Project, torchlint: Command) -> None:
    pipe = project({"clean.py": CLEAN}) / "pipe"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()))
    reader.start()
    torchlint("check", "--output", "json:/dev/null", "--output", "json:pipe")
    reader.join(timeout=10)
    assert json.loads(received[0])["findings"] == []
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


# Selection


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (["--select", "TL101"], 1),
        (["--select", "TL1"], 1),
        (["--select", "tl101,TL2"], 1),
        (["--select", "TL2"], 0),
        (["--ignore", "TL1"], 0),
        (["--select", "TL101", "--ignore", "TL1"], 1),
        (["--select", "TL2", "--extend-select", "TL101"], 1),
        (["--per-file-ignores", "pkg/*:TL101"], 0),
        (["--per-file-ignores", "other/*:TL1,pkg/:TL2,TL101"], 0),
        (["--per-file-ignores", "other/*:TL101"], 1),
        (["--min-confidence", "high"], 1),
    ],
)
def test_selection(options: list[str], count: int, project: Project, torchlint: Command) -> None:
    project({"pkg/hazard.py": HAZARD})
    done = torchlint("check", "--output-format", "json", *options)
    assert [finding["code"] for finding in json.loads(done.out)["findings"]] == ["TL101"] * count


def test_a_selector_of_no_rule_exits_2_and_names_the_nearest(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN})
    done = torchlint("check", "--select", "TL4O1")
    assert done.code == 2
    assert done.err == "torchlint: no rule has the code `TL4O1`; the nearest is `TL401`\n"


@pytest.mark.parametrize("options", [["--show-notes"], ["--select", "ALL"], ["--extend-select", "TL001"]])
def test_notes_are_shown_on_demand(options: list[str], project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN.replace("zeros(3))", "zeros(3))  # torchlint: ignore[TL101]")})
    assert "TL001" not in torchlint("check").out
    assert "note TL001[unused-suppression]" in torchlint("check", *options).out


def test_a_prefix_shows_no_notes(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN.replace("zeros(3))", "zeros(3))  # torchlint: ignore[TL101]")})
    assert "TL001" not in torchlint("check", "--select", "TL0,TL1").out


# Which files


def test_standard_input_is_checked_under_its_name(project: Project, torchlint_process: Command) -> None:
    project({"hazard.py": CLEAN})
    done = torchlint_process("check", "-", "--stdin-filename", "hazard.py", stdin=HAZARD)
    assert done.code == 1
    assert f"hazard.py:{HAZARD_LINE}:9" in done.out
    assert "  8 |         self.offset = torch.zeros(3)" in done.out


def test_standard_input_without_a_name(project: Project, torchlint_process: Command) -> None:
    project({})
    assert torchlint_process("check", "-", stdin=HAZARD).out.startswith(f"<stdin>:{HAZARD_LINE}:9")


def test_standard_input_cannot_be_mixed_with_paths(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN})
    assert torchlint("check", "-", "clean.py").code == 2


def test_force_exclude_leaves_out_what_is_named(project: Project, torchlint: Command) -> None:
    project({"build/hazard.py": HAZARD})
    assert torchlint("check", "build/hazard.py").code == 1
    assert torchlint("check", "--force-exclude", "build/hazard.py").code == 0


def test_show_files_lists_and_checks_nothing(project: Project, torchlint: Command) -> None:
    folder = project({"hazard.py": HAZARD, "build/other.py": HAZARD})
    done = torchlint("check", "--show-files")
    assert (done.code, done.out) == (0, f"{folder / 'hazard.py'}\n")


def test_a_base_class_in_a_file_that_was_not_named_is_followed_but_not_reported(
    project: Project, torchlint: Command
) -> None:
    project(
        {
            "pkg/__init__.py": "",
            "pkg/base.py": HAZARD.replace("Scale", "Base"),
            "pkg/derived.py": HAZARD.replace("from torch import nn", "from pkg.base import Base").replace(
                "nn.Module", "Base"
            ),
        }
    )
    done = torchlint("check", "pkg/derived.py", "--output-format", "json")
    assert [finding["path"] for finding in json.loads(done.out)["findings"]] == ["pkg/derived.py"]


# Many files, and the cache


def test_several_processes_find_the_same_as_one(project: Project, torchlint: Command) -> None:
    project({"a.py": HAZARD + PADDING, "b.py": CLEAN + PADDING, "c.py": HAZARD, "broken.py": BROKEN})
    alone = torchlint("check", "--no-cache", "--jobs", "1")
    assert torchlint("check", "--no-cache", "--jobs", "2") == alone


def test_a_cached_run_says_the_same_and_a_change_is_seen(project: Project, torchlint: Command) -> None:
    folder = project({"hazard.py": HAZARD})
    first = torchlint("check")
    assert torchlint("check") == first
    (folder / "hazard.py").write_text(CLEAN)
    assert torchlint("check").code == 0


def test_no_cache_leaves_nothing_behind(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    torchlint("check", "--no-cache")
    assert _cache_entries() == []


def test_a_cache_that_cannot_be_written_is_no_trouble(
    project: Project, torchlint: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project({"hazard.py": HAZARD})
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "hazard.py"))
    assert torchlint("check").code == 1


def _cache_entries() -> list[Path]:
    return [file for file in Path(os.environ["XDG_CACHE_HOME"]).rglob("*") if file.is_file()]


# The other commands


@pytest.mark.parametrize("command", ["rule", "explain"])
def test_a_rule_is_explained(command: str, torchlint: Command) -> None:
    done = torchlint(command, "tl101")
    assert done.code == 0
    assert done.out.startswith("TL101 unregistered-tensor")


def test_all_rules_are_explained(torchlint: Command) -> None:
    done = torchlint("rule", "--all")
    assert "TL001 unused-suppression" in done.out
    assert "TL101 unregistered-tensor" in done.out


def test_an_unknown_rule_names_the_nearest(torchlint: Command) -> None:
    done = torchlint("rule", "TL491")
    assert done.code == 2
    assert "TL401" in done.err


def test_rule_needs_a_code_or_all(torchlint: Command) -> None:
    assert torchlint("rule").code == 2
    assert torchlint("rule", "TL101", "--all").code == 2


def test_version(torchlint: Command) -> None:
    assert re.fullmatch(r"torchlint \d+\.\d+\.\d+\n", torchlint("--version").out)
