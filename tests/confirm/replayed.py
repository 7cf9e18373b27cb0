"""How many confirmed findings about a line can be written as scripts of `--replay`, and how many of those see it again.

    python tests/confirm/replayed.py tests/cases/dtype [--scripts FOLDER] [--only TEXT]

Each script runs alone in a process with torch. Prints a line for each finding, then the figures of docs/confirm.md.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

# The folder of the tests was just put on the path.
from case_files import cases_in  # noqa: E402
from found import found_in  # noqa: E402

from torchlint.confirm import Limits  # noqa: E402
from torchlint.confirm.lines import judge_lines, line_jobs  # noqa: E402
from torchlint.confirm.replay_lines import script_for_line  # noqa: E402
from torchlint.confirm.supervisor import Supervisor  # noqa: E402
from torchlint.findings import Finding, Verdict  # noqa: E402

_SECONDS = 240


def name_of(finding: Finding) -> str:
    """A name for the script of a finding: the rule, the file, the line, the column."""
    span = finding.span
    return f"{finding.code}_{Path(span.path).stem}_{span.line}_{span.column}"


def scripts_of(folder: Path, only: str) -> Iterator[tuple[str, str, str | None]]:
    """Each confirmed finding about a line of a folder: its name, its evidence, and its script if there is one."""
    findings = {one.key: one for one in found_in(folder) if only in name_of(one)}
    with Supervisor(Path(sys.executable), "sim", 0, Limits(seconds=120.0)) as supervisor:
        for answer in supervisor.run(line_jobs(findings.values())):
            for key, judgement in judge_lines(answer, "sim").items():
                if judgement.verdict is Verdict.CONFIRMED:
                    yield name_of(findings[key]), judgement.evidence, script_for_line(answer, judgement, key)


def outcome_of(script: Path) -> str:
    """ "seen again", "not seen again", or how the script failed."""
    command = [sys.executable, str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_SECONDS, cwd=script.parent)
    if done.returncode == 1 and "Traceback" in done.stderr:
        return f"failed: {done.stderr.strip().splitlines()[-1]}"
    return {0: "seen again", 1: "not seen again"}.get(done.returncode, f"ended with {done.returncode}")


@click.command()
@click.argument("cases", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--scripts", type=click.Path(file_okay=False, path_type=Path), help="Where to leave the scripts.")
@click.option("--only", default="", help="Those whose name has this in it alone.")
def main(cases: tuple[Path, ...], scripts: Path | None, only: str) -> None:
    """Write and run the scripts for the confirmed findings about a line of the case files below CASES."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = (scripts or Path(name)).resolve()
        (folder / "cases").mkdir(parents=True, exist_ok=True)
        for case in cases_in(*cases):
            (folder / "cases" / case.path.name).write_text(case.program, encoding="utf-8")
        for finding, evidence, script in scripts_of(folder / "cases", only):
            path = folder / f"{finding}.py"
            path.write_text(script or "", encoding="utf-8")
            outcome = outcome_of(path) if script else "no script"
            counts[outcome.partition(":")[0]] += 1
            click.echo(f"{outcome}: {finding}: {evidence}")
    written = sum(counts.values()) - counts["no script"]
    click.echo(f"{written} of {sum(counts.values())} can be written; {counts['seen again']} of them see it again")


if __name__ == "__main__":
    main()
