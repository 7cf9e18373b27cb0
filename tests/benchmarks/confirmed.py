"""How many expected findings of case files are confirmed with no hint, and how many near misses; prints two lines.

    python -m tests.benchmarks.confirmed tests/benchmarks/cases/state [--python PYTHON]

The expected findings are those that `check` finds; a claim is made up for each line that a case calls a near miss, as
in tests/confirm. docs/confirm.md holds the figures.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

import click

from torchlint.confirm import Limits, Orders, confirm

_TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(_TESTS), str(_TESTS / "confirm")]

# The tests of confirm import each other by these names, from the folders that were just put on the path.
import test_confirm_cases as state  # noqa: E402
import test_line_cases as lines  # noqa: E402
from case_files import Case, cases_in  # noqa: E402
from found import found_in  # noqa: E402

from torchlint.findings import Finding  # noqa: E402


def claims_of(case: Case, folder: Path) -> list[Finding]:
    """The claims about the near misses of a case. TL104 is about a class and about a function."""
    of_state = [one for one in state.near_misses(case, folder) if one.code not in lines.SAYS or one.code == "TL104"]
    return [*of_state, *lines.near_misses(case, folder)]


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--python", type=click.Path(exists=True, path_type=Path), default=Path(sys.executable))
def main(folders: tuple[Path, ...], python: Path) -> None:
    """Confirm the expected findings and the near misses of the case files below FOLDERS."""
    cases = cases_in(*folders)
    expected = {(case.path.name, *mark) for case in cases for mark in case.expected}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in cases:
            (folder / case.path.name).write_text(case.program, encoding="utf-8")
        found = [one for one in found_in(folder) if one.code in {*state.CODES, *lines.SAYS}]
        claims = [claim for case in cases for claim in claims_of(case, folder)]
        orders = Orders(python, device="sim", limits=Limits(seconds=60.0), jobs=2)
        judged = confirm([*found, *claims], orders, lambda done, total: None).findings
    verdicts: dict[bool, dict[tuple[str, int, str], str]] = {False: {}, True: {}}
    for one in judged:
        place = (Path(one.span.path).name, one.span.line, one.code)
        is_near_miss = one.key.startswith("near miss")
        if is_near_miss or place in expected:
            verdicts[is_near_miss][place] = one.verdict.value if one.verdict else ""
    click.echo(
        f"expected: {dict(Counter(verdicts[False].values()))}\nnear misses: {dict(Counter(verdicts[True].values()))}"
    )


if __name__ == "__main__":
    main()
