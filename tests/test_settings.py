"""Settings: where they come from, what they mean, and what is said about those we do not know."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import HAZARD, Command, Project

from torchlint.findings import Confidence, Severity
from torchlint.settings import Overrides, Settings, SettingsError, SettingsOf, load_settings, per_file_ignores

CODES = ("TL001", "TL101", "TL102", "TL201")


def count(done_out: str) -> int:
    return len(json.loads(done_out)["findings"])


@pytest.mark.parametrize(
    ("settings", "enabled"),
    [
        (Settings(), {"TL001", "TL101", "TL102", "TL201"}),
        (Settings(select=("TL1",)), {"TL101", "TL102"}),
        (Settings(select=("TL1",), ignore=("TL102",)), {"TL101"}),
        (Settings(select=("TL102",), ignore=("TL1",)), {"TL102"}),
        (Settings(ignore=("ALL",)), set()),
        (Settings(ignore=("ALL",), extend_select=("TL2",)), {"TL201"}),
        (Settings(select=("TL101",), ignore=("TL101",)), set()),
    ],
)
def test_the_longest_selector_decides(settings: Settings, enabled: set[str]) -> None:
    assert {code for code in CODES if settings.enables(code)} == enabled


def test_low_confidence_is_shown_on_demand_only() -> None:
    shown = [
        settings.shows("TL101", Severity.ERROR, Confidence.LOW)
        for settings in (
            Settings(),
            Settings(min_confidence=Confidence.LOW),
            Settings(select=("ALL",)),
            Settings(select=("TL101",)),
            Settings(select=("ALL",), min_confidence=Confidence.HIGH),
        )
    ]
    assert shown == [False, True, True, False, False]


def test_a_chosen_severity_leaves_milder_messages_mild() -> None:
    settings = Settings(severity={"TL101": Severity.ERROR})
    assert settings.severity_of("TL101", Severity.WARNING, Severity.WARNING) is Severity.ERROR
    assert settings.severity_of("TL101", Severity.WARNING, Severity.NOTE) is Severity.NOTE


def test_a_chosen_severity_makes_graver_messages_mild() -> None:
    settings = Settings(severity={"TL103": Severity.NOTE})
    assert settings.severity_of("TL103", Severity.ERROR, Severity.WARNING) is Severity.NOTE


def test_select_on_the_command_line_starts_afresh() -> None:
    configured = Settings(select=("TL1",), ignore=("TL201",))
    assert Overrides(select=("TL201",)).over(configured).enables("TL201")
    assert not Overrides(select=("TL201",)).over(configured).enables("TL101")


def test_extend_select_on_the_command_line_lifts_the_same_ignore() -> None:
    assert Overrides(extend_select=("TL201",)).over(Settings(ignore=("TL201",))).enables("TL201")


def test_per_file_ignores_are_read_as_pairs(tmp_path: Path) -> None:
    pairs = per_file_ignores(["a/*:TL1,TL2,b.py:TL101"], tmp_path, CODES)
    assert [(patterns.globs, codes) for patterns, codes in pairs] == [
        (("a/*",), ("TL1", "TL2")),
        (("b.py",), ("TL101",)),
    ]


def test_the_nearest_file_holds_for_each_file(project: Project, torchlint: Command) -> None:
    project(
        {
            "pyproject.toml": '[tool.torchlint]\nignore = ["TL101"]\n',
            "hazard.py": HAZARD,
            "part/torchlint.toml": 'select = ["TL101"]\n',
            "part/deep/hazard.py": HAZARD,
        }
    )
    findings = json.loads(torchlint("check", "--output-format", "json").out)["findings"]
    assert [finding["path"] for finding in findings] == ["part/deep/hazard.py"]


def test_a_pyproject_without_our_table_is_passed_over(project: Project, torchlint: Command) -> None:
    project(
        {
            "torchlint.toml": 'ignore = ["TL101"]\n',
            "part/pyproject.toml": '[project]\nname = "part"\n',
            "part/hazard.py": HAZARD,
        }
    )
    assert torchlint("check").code == 0


def test_torchlint_toml_wins_over_pyproject_beside_it(project: Project, torchlint: Command) -> None:
    project(
        {
            "torchlint.toml": 'ignore = ["TL101"]\n',
            "pyproject.toml": '[tool.torchlint]\nselect = ["TL101"]\n',
            "hazard.py": HAZARD,
        }
    )
    assert torchlint("check").code == 0


def test_config_holds_for_all_and_isolated_for_none(project: Project, torchlint: Command) -> None:
    project({"torchlint.toml": 'ignore = ["TL101"]\n', "other.toml": 'select = ["TL1"]\n', "hazard.py": HAZARD})
    assert torchlint("check", "--config", "other.toml").code == 1
    assert torchlint("check", "--isolated").code == 1


def test_per_file_ignores_severity_and_exclude_come_from_the_file(project: Project, torchlint: Command) -> None:
    project(
        {
            "torchlint.toml": 'extend-exclude = ["old/"]\n[severity]\nTL101 = "error"\n'
            '[per-file-ignores]\n"tests/*" = ["TL1"]\n',
            "hazard.py": HAZARD,
            "tests/hazard.py": HAZARD,
            "old/hazard.py": HAZARD,
        }
    )
    findings = json.loads(torchlint("check", "--output-format", "json").out)["findings"]
    assert [(finding["path"], finding["severity"]) for finding in findings] == [("hazard.py", "error")]


def test_show_settings_names_the_file(project: Project, torchlint: Command) -> None:
    folder = project({"torchlint.toml": 'ignore = ["TL101"]\n', "hazard.py": HAZARD})
    out = torchlint("check", "--show-settings").out
    assert f"# from {folder / 'torchlint.toml'}" in out
    assert 'ignore = ["TL101"]' in out


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('selct = ["TL1"]', "unknown key `selct`; the nearest is `select`"),
        ('select = "TL1"', 'select: write a list of texts, such as ["a", "b"]'),
        ('ignore = ["TL102", "TL2O1"]', "ignore: no rule has the code `TL2O1`; the nearest is `TL201`"),
        ('[severity]\nTL101 = "fatal"', "severity: `fatal` must be one of error, warning, note"),
        ("show-notes = 1", "show-notes: write true or false"),
        ("per-file-ignores = []", "per-file-ignores: write a table"),
        ("python = 3", 'python: write a path, such as ".venv"'),
        ('python = "/nowhere"', "python: there is no file or folder /nowhere"),
        ('src = "src"', 'src: write a list of texts, such as ["a", "b"]'),
    ],
)
def test_a_setting_that_is_not_known_is_explained(text: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "torchlint.toml"
    file.write_text(text)
    with pytest.raises(SettingsError) as error:
        load_settings(file, CODES)
    assert str(error.value) == f"cannot use {file}: {complaint}"


def test_a_broken_file_is_reported_once_and_the_defaults_hold(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.torchlint\n")
    settings_of = SettingsOf(Overrides(), CODES)
    assert settings_of(tmp_path / "a.py") == settings_of(tmp_path / "part" / "b.py") == Settings()
    (problem,) = settings_of.problems
    assert problem.fatal
    assert problem.text.startswith(f"cannot read {tmp_path / 'pyproject.toml'}: it is not valid TOML: ")
    assert "at line 1, column 16" in problem.text


def test_a_missing_config_is_a_usage_error(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    done = torchlint("check", "--config", "nowhere.toml")
    assert done.code == 2
    assert "nowhere.toml: no such file or directory" in done.err


def test_a_pyproject_whose_tool_is_no_table_is_passed_over(project: Project, torchlint: Command) -> None:
    project({"pyproject.toml": "tool = 3\n", "empty.py": ""})
    assert torchlint("check").code == 0


def test_python_and_src_are_paths_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "env/lib/python3.11/site-packages").mkdir(parents=True)
    file = tmp_path / "torchlint.toml"
    file.write_text('python = "env"\nsrc = ["lib", "../shared"]\n')
    settings = load_settings(file, CODES)
    assert settings is not None
    assert settings.python == tmp_path / "env"
    assert settings.src == (tmp_path / "lib", tmp_path.parent / "shared")


def test_python_on_the_command_line_wins() -> None:
    configured = Settings(python=Path("/configured"))
    assert Overrides(python=Path("/given")).over(configured).python == Path("/given")
    assert Overrides().over(configured).python == Path("/configured")


def test_show_settings_shows_python_and_src(project: Project, torchlint: Command) -> None:
    folder = project({"torchlint.toml": 'src = ["lib"]\n', "env/pyvenv.cfg": "", "hazard.py": HAZARD})
    out = torchlint("check", "--show-settings").out
    assert "# python: the active environment" in out
    assert f'src = ["{folder / "lib"}"]' in out
    assert f'python = "{folder / "env"}"' in torchlint("check", "--show-settings", "--python", "env").out


@pytest.mark.parametrize(
    ("python", "complaint"),
    [
        ("nowhere", "there is no file or folder"),
        ("~nobody/env", "there is no file"),
        ("lib", "is no Python environment"),
    ],
)
def test_a_python_that_is_no_environment_is_a_usage_error(
    python: str, complaint: str, project: Project, torchlint: Command
) -> None:
    project({"lib/model.py": HAZARD})
    done = torchlint("check", "--python", python)
    assert done.code == 2
    assert "Invalid value for '--python'" in done.err
    assert complaint in done.err


def test_a_setting_python_that_is_gone_is_reported_and_the_defaults_hold(project: Project, torchlint: Command) -> None:
    project({"torchlint.toml": 'python = ".venv"\n', "model.py": "import torch\n"})
    done = torchlint("check")
    assert done.code == 2
    assert "python: there is no file or folder" in done.err
    assert "the default settings were used" in done.err
