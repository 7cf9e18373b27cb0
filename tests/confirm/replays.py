"""What the tests of `--replay` share: the script for a finding about a line of a program, and how it ends."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from torchlint.confirm import Limits, Orders, replay
from torchlint.findings import Confidence, Finding, Severity
from torchlint.source import Span


@dataclass(frozen=True)
class Fault:
    """A finding about the line that has `broken` in it; with `mended` in its place there is no fault.

    at: what the line of the finding has in it, where that is another line.
    """

    code: str
    symbol: str
    message: str
    broken: str
    mended: str
    at: str = ""

    def line(self, program: str) -> int:
        """The line of the finding, 1-based."""
        text = self.at or self.broken.partition("\n")[0]
        return next(number for number, one in enumerate(program.splitlines(), 1) if text in one)


def script_for(fault: Fault, program: str, folder: Path) -> Path:
    """The script for the fault, printed by the tool; the program stands beside it, as broken.py."""
    path = folder / "broken.py"
    path.write_text(program, encoding="utf-8")
    line = fault.line(program)
    span = Span(str(path), line, 1, line, 2)
    found = Finding(fault.code, "", Severity.NOTE, Confidence.LOW, fault.message, span, "key", fault.symbol)
    orders = Orders(Path(sys.executable), device="sim", limits=Limits(seconds=120.0))
    script = folder / "again.py"
    script.write_text(replay([found], "key", orders), encoding="utf-8")
    return script


def exit_code(script: Path) -> int:
    """How the script ends when it runs alone; it ends with a sentence, not with an error of its own."""
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=240)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode


def exit_codes(fault: Fault, program: str, folder: Path) -> tuple[int, int]:
    """How the script ends beside the program, and beside the same with the fault mended."""
    script = script_for(fault, program, folder)
    assert "torchlint" not in script.read_text(encoding="utf-8").split('"""\n', 2)[2]
    before = exit_code(script)
    assert program.count(fault.broken) == 1
    (folder / "broken.py").write_text(program.replace(fault.broken, fault.mended), encoding="utf-8")
    return before, exit_code(script)
