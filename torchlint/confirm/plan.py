"""From findings to jobs: which class to build for which findings, and what to do with it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from torchlint.confirm.readers import is_function, reader_of
from torchlint.findings import Finding

# What happens to a cache, by the words in which a finding says so.
_EVENTS: Mapping[str, tuple[str, ...]] = {
    "load_state_dict()": ("load", "load in a parent", "load by assignment"),
    "train(True)": (
        "eval again",
        "eval again in a parent",
        "train again",
        "train again in a parent",
        "eval again after a fused step",
    ),
    ".half()": ("half when used", "half when used in a parent", "half after a second eval"),
    ".to()": ("move when used", "move when used in a parent"),
    "another shape": ("resize",),
}
_MOVED = ("state", "move", "half", "move in a parent", "half in a parent")
# What is done to a module to prove or refute a finding of each rule.
HISTORIES: Mapping[str, tuple[str, ...]] = {
    "TL101": _MOVED,
    "TL102": ("state", "twice", "rebuilds", "move when used", "half when used"),
    "TL103": (),
    "TL104": (),
    "TL105": _MOVED,
    "TL106": ("state", "reload"),
    "TL107": ("registrations",),
    "TL108": ("protocol",),
    "TL109": ("registrations",),
    "TL112": (),
    "TL113": _MOVED,
    "TL114": ("state", "state elsewhere"),
    "TL115": ("state", "registrations"),
    "TL118": ("wake",),
    "TL120": ("resume",),
    "TL121": ("once",),
    "TL122": ("resume",),
}
# What other methods than forward, or other arguments of the constructor, may show.
_IN_OTHER_WAYS = frozenset("TL101 TL102 TL103 TL104 TL105 TL106 TL112 TL113 TL120 TL122".split())
_OF_CACHES = ("TL103", "TL104", "TL112")
_NAME = re.compile(r"the name '([^']+)'")
_ATTRIBUTE = re.compile(r"self\.([\w.]+\w)")
_KEEPS_ALIVE = re.compile(r"every module (that )?it was called on")
_OUTLIVED = re.compile(
    r"(?:stays as it was|stay as they were|undoes or redoes the merge) after ([^;]+)|the old value outlives ([^;]+)"
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a finding says of a class. member: the attribute or method that it names. line, last_line: where.

    text: its message, which names the events that a cache outlives.
    """

    key: str
    code: str
    member: str
    line: int
    last_line: int = 0
    text: str = ""

    @property
    def histories(self) -> tuple[str, ...]:
        """What is done to the class for this claim: of a cache, the events that the finding names."""
        if self.code not in _OF_CACHES:
            return HISTORIES.get(self.code, ())
        outlived = " ".join(part for found in _OUTLIVED.findall(self.text) for part in found)
        events = tuple(name for words, names in _EVENTS.items() if words in outlived for name in names)
        alive = ("freed",) if _KEEPS_ALIVE.search(self.text) else ()
        return (*(("rebuilds",) if events else ()), *events, *alive)


@dataclass(frozen=True, slots=True)
class Job:
    """One class to build. roots: what goes before sys.path. module: the dotted name to import; qualname: what there.

    histories: in the order in which they run. hint: what the settings say of how it is built and called.
    is_of_lines: True where `qualname` is a class or function that holds lines to look at. is_again: True where the
    usual way to build and call it showed nothing of the claims, and others are tried. has_run: False where no way to
    call it was found then.
    """

    path: str
    roots: tuple[str, ...]
    module: str
    qualname: str
    claims: tuple[Claim, ...]
    histories: tuple[str, ...]
    hint: Mapping[str, Any] = field(default_factory=dict)
    is_of_lines: bool = False
    is_again: bool = False
    has_run: bool = True

    @property
    def name(self) -> str:
        """The dotted name of the class, from the top of its package."""
        return f"{self.module}.{self.qualname}"


def jobs_for(findings: Iterable[Finding]) -> tuple[Job, ...]:
    """A job for each class that has findings which running it can prove; in the order of the findings."""
    claims: dict[tuple[str, str], list[Claim]] = {}
    for finding in findings:
        owner = _owner_of(finding)
        if finding.code in HISTORIES and owner:
            claims.setdefault((finding.span.path, owner), []).append(_claim(finding))
    return tuple(_job(path, owner, tuple(some)) for (path, owner), some in claims.items())


def again(job: Job, open_keys: Container[str], stages: Container[str]) -> Job | None:
    """A job that tries other ways for the claims with these keys; None where there are no other ways for any.

    stages: those that the first attempt told of.
    """
    claims = tuple(claim for claim in job.claims if claim.key in open_keys and claim.code in _IN_OTHER_WAYS)
    if not claims or job.is_of_lines or job.is_again or "constructed" not in stages:
        return None
    wanted = {name for claim in claims for name in claim.histories}
    histories = tuple(name for name in job.histories if name in wanted)
    return replace(job, claims=claims, histories=histories, is_again=True, has_run="ran" in stages)


def _owner_of(finding: Finding) -> str:
    """The class to build: that of the symbol, or one that reads what stands at the top of the file; "" for none."""
    owner = finding.symbol.removesuffix(f".{_member_of(finding)}")
    owner = "" if owner == finding.symbol or is_of_function(finding) else owner
    return reader_of(Path(finding.span.path), finding.symbol) if finding.code == "TL113" else owner


def is_of_function(finding: Finding) -> bool:
    """True for a cache that no class keeps, but a function at the top of its file."""
    return finding.code == "TL104" and is_function(Path(finding.span.path), finding.symbol.partition(".")[0])


def _member_of(finding: Finding) -> str:
    """The end of the symbol; where the finding is about a name with dots, or what a part holds, all of that."""
    named = _NAME.search(finding.message) if finding.code == "TL107" else _ATTRIBUTE.match(finding.message)
    if named is not None and finding.symbol.endswith(f".{named[1]}"):
        return named[1]
    return finding.symbol.rpartition(".")[2]


def is_named(name: str, short: str) -> bool:
    """True where `short` is the dotted end of a class's name: "Scale", "layers.Scale" of "pkg.layers.Scale"."""
    return f".{name}".endswith(f".{short}")


def _claim(finding: Finding) -> Claim:
    span = finding.span
    return Claim(finding.key, finding.code, _member_of(finding), span.line, span.end_line, finding.message)


def _job(path: str, owner: str, claims: tuple[Claim, ...]) -> Job:
    wanted = dict.fromkeys(name for claim in claims for name in claim.histories)
    return job_at(path, owner, claims, tuple(wanted))


def job_at(
    path: str, qualname: str, claims: tuple[Claim, ...], histories: tuple[str, ...], *, is_of_lines: bool = False
) -> Job:
    """A job of the file at `path`, which is imported as a part of the package that it lies in."""
    root, module = _imported_as(Path(path))
    return Job(path, (str(root),), module, qualname, claims, histories, is_of_lines=is_of_lines)


def _imported_as(path: Path) -> tuple[Path, str]:
    """The folder from which a file is imported, and its dotted name there."""
    top = path.parent
    while (top / "__init__.py").exists() and top.parent != top:
        top = top.parent
    parts = path.relative_to(top).with_suffix("").parts
    return top, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
