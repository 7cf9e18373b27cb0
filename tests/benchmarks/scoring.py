"""Findings against what a reader expects: found, missed, false."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.benchmarks.tool import Result
from tests.case_files import EXPECTED_AS_NOTE


class Site(NamedTuple):
    """A place and a rule. path: absolute. line: 1-based."""

    path: str
    line: int
    code: str


@dataclass(frozen=True)
class Expectations:
    """What a reader says of some places.

    expected: findings belong here. neutral: a finding here is neither right nor wrong. wrong: a finding here is false;
    None: a finding at any other place is. stand_ins: the rules that may report an expected site in place of its own.
    slack_lines: how far from its site a finding may lie.
    """

    expected: frozenset[Site]
    neutral: frozenset[Site]
    wrong: frozenset[Site] | None
    stand_ins: Mapping[Site, frozenset[str]] = field(default_factory=dict)
    slack_lines: int = 0


@dataclass(frozen=True)
class Score:
    """The sites that were found and missed, and the findings that are false, or at neutral sites (weak)."""

    found: frozenset[Site]
    missed: frozenset[Site]
    false: frozenset[Site]
    weak: frozenset[Site]


def score(results: Iterable[Result], expectations: Expectations) -> Score:
    """Compare; each finding pays for one expected site. A note is never false, and rarely pays (EXPECTED_AS_NOTE)."""
    results = list(results)
    unpaid = {_site(one) for one in results if not one.is_note or one.code in EXPECTED_AS_NOTE}
    notes = {_site(one) for one in results if one.is_note}
    found = set()
    for site in sorted(expectations.expected):
        payment = _payment(site, unpaid, expectations)
        if payment is not None:
            unpaid.discard(payment)
            found.add(site)
    rest = unpaid - notes
    false = {site for site in rest if _is_false(site, expectations)}
    weak = {site for site in rest if _nearest(site, expectations.neutral, expectations.slack_lines)}
    return Score(frozenset(found), expectations.expected - found, frozenset(false), frozenset(weak))


def table(score: Score) -> str:
    """The score as a Markdown table, a row for each rule and one for all."""
    groups = (score.found, score.missed, score.false, score.weak)
    counts = [Counter(site.code for site in sites) for sites in groups]
    codes = sorted({code for count in counts for code in count})
    rows = [(code, *(count[code] for count in counts)) for code in codes]
    rows.append(("all", *(sum(count.values()) for count in counts)))
    head = "| rule | found | missed | false | weak | precision | recall |\n|---|---:|---:|---:|---:|---:|---:|\n"
    return head + "\n".join(_row(*row) for row in rows)


def _row(code: str, found: int, missed: int, false: int, weak: int) -> str:
    return f"| {code} | {found} | {missed} | {false} | {weak} | {_share(found, false)} | {_share(found, missed)} |"


def _share(part: int, rest: int) -> str:
    return f"{part / (part + rest):.3f}" if part + rest else "-"


def _site(result: Result) -> Site:
    return Site(result.path, result.line, result.code)


def _payment(site: Site, unpaid: set[Site], expectations: Expectations) -> Site | None:
    """The finding that answers `site`: of its own rule, else of a stand-in; the nearest one."""
    for code in (site.code, *sorted(expectations.stand_ins.get(site, ()))):
        nearest = _nearest(site._replace(code=code), unpaid, expectations.slack_lines)
        if nearest is not None:
            return nearest
    return None


def _is_false(site: Site, expectations: Expectations) -> bool:
    slack = expectations.slack_lines
    if _nearest(site, expectations.expected | expectations.neutral, slack):
        return False
    return expectations.wrong is None or _nearest(site, expectations.wrong, slack) is not None


def _nearest(site: Site, sites: Iterable[Site], slack_lines: int) -> Site | None:
    """The site of the same file and rule that is nearest, at most `slack_lines` away."""
    around = sorted(range(-slack_lines, slack_lines + 1), key=abs)
    return next((near for delta in around if (near := site._replace(line=site.line + delta)) in sites), None)
