"""What the tests of the command share: a project in a temporary folder, and the command run in it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

HAZARD = """\
import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = torch.zeros(3)

    def forward(self, x):
        return x + self.offset
"""
HAZARD_LINE = 8
CLEAN = HAZARD.replace("self.offset = torch.zeros(3)", 'self.register_buffer("offset", torch.zeros(3))')

# It remembers the device of its construction, which matters where somebody converts it.
ENCODER = """\
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, dim: int, device="cpu"):
        super().__init__()
        self.device = device
        self.layer = nn.Linear(dim, dim)

    def forward(self, x):
        return self.layer(x.to(self.device))
"""


@dataclass(frozen=True)
class Done:
    """A finished run of the command."""

    code: int
    out: str
    err: str


Command = Callable[..., Done]
Project = Callable[[dict[str, str]], Path]


@pytest.fixture(autouse=True)
def _own_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No cache, colour or terminal of the person who runs the tests."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Write files (text by path) into a repository, which becomes the working directory."""

    def write(files: dict[str, str]) -> Path:
        (tmp_path / ".git").mkdir(exist_ok=True)
        for name, text in files.items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        return tmp_path

    return write


@pytest.fixture
def torchlint(capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command in this process."""
    from torchlint.cli import run

    def command(*arguments: str) -> Done:
        capsys.readouterr()
        code = run(list(arguments))
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return command


@pytest.fixture
def torchlint_process() -> Command:
    """Run the command in a process of its own, which must end within two minutes."""

    def command(*arguments: str, stdin: str = "") -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "torchlint", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return command
