"""`torchlint graph`: a class as the model sees it, as text for people and as JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from torchlint import __version__
from torchlint.findings import Notification
from torchlint.report.contents import shown
from torchlint.report.text import Palette, printable
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.modules.answers import Answer
    from torchlint.model.modules.attributes import AttributePortrait, Held
    from torchlint.model.modules.portrait import Portrait
    from torchlint.model.modules.sightings import Sighting

TEXT_COLUMNS = 110
NAME_COLUMNS = 24
INDENT = " " * 6
BETWEEN = "; "

_TITLES = {
    "parameter": "Parameters",
    "buffer": "Buffers",
    "module": "Modules",
    "registered": "Registered by a method of a base",
    "tensor": "Plain attributes that hold tensors",
    "container": "Plain containers",
    "unknown": "Plain attributes of which it is not known what they hold",
    "plain": "Other plain attributes",
    "property": "Properties",
}
_STATE = ("tensor", "parameter", "buffer", "module")
_MODES = {True: "in training", False: "in evaluation"}


@dataclass(frozen=True)
class Graph:
    """A portrait and the full dotted name of its class.

    notes: what could not be read on the way. folder: the working directory, which paths are shown from.
    """

    portrait: Portrait
    dotted: str
    notes: tuple[Notification, ...]
    folder: Path

    def shown(self, span: Span) -> str:
        """file:line, as people read it."""
        return f"{printable(shown(span.path, self.folder))}:{span.line}"


def write_text(graph: Graph, stream: TextIO, palette: Palette) -> None:
    """Write the graph for people. A place in the file of the class is ":88", in another one "base.py:88"."""
    for line in _Text(graph, palette).lines():
        stream.write(line + "\n")


class _Text:
    """Lays out one graph; knows the colours."""

    def __init__(self, graph: Graph, palette: Palette) -> None:
        self._graph = graph
        self._portrait = graph.portrait
        self._palette = palette
        self._files = _short_names(_paths(graph.portrait))

    def lines(self) -> Iterator[str]:
        """All lines, without their ends."""
        yield from self._heading()
        yield from self._bases()
        groups = dict.fromkeys(one.group.value for one in self._portrait.attributes)
        for group in groups:
            yield from self._group(group, [one for one in self._portrait.attributes if one.group.value == group])
        yield from self._overrides()
        yield from self._gaps()
        yield from self._file_names()

    def _heading(self) -> Iterator[str]:
        portrait = self._portrait
        yield f"{self._strong(self._graph.dotted)}  {self._graph.shown(portrait.span)}"
        verdict = portrait.verdict.value
        because = f"by {portrait.because}" if verdict == "yes" else portrait.because
        yield f"nn.Module: {self._strong(verdict)} ({because})"

    def _bases(self) -> Iterator[str]:
        yield from self._title("Bases, in method resolution order")
        rows = [(base.qualname, self._graph.shown(base.span)) for base in self._portrait.bases]
        rows += [
            (
                base.name.removeprefix("builtins.") or "(no plain name)",
                f"{base.known.value}, base of {base.of.qualname}",
            )
            for base in self._portrait.outside_bases
        ]
        yield from _table(rows)

    def _group(self, group: str, attributes: list[AttributePortrait]) -> Iterator[str]:
        yield from self._title(_TITLES[group])
        width = min(NAME_COLUMNS, max(len(one.name) for one in attributes))
        for one in attributes:
            name = printable(one.name).ljust(width)
            kept = f", {one.persistence.value}" if one.persistence else ""
            facts = [
                f"{printable(described(one.held))}{kept}",
                *(f"{label} {text}" for label, text in self._facts(one)),
            ]
            first, *others = _packed(facts, len(name) + 4)
            yield f"  {self._strong(name)}  {first}"
            yield from others

    def _facts(self, one: AttributePortrait) -> Iterator[tuple[str, str]]:
        """Label and text of what happens to an attribute; what never happens is left out, unless it may be a fault."""
        born = [self._places(one.born)] if one.born else []
        born += [f"in {one.born_in}"] if one.born_in else []
        yield "born", ", ".join(born) or "after construction"
        for label, found in (("written", one.written), ("changed", one.changed), ("deleted", one.deleted)):
            if found:
                yield label, self._places(found)
        if one.is_assigned_outside:
            yield "written", "perhaps from outside, as methods of this file assign the name on other objects"
        yield "read", self._places(one.read) if one.read else "nowhere"
        for label, answers in (("moved by", one.answers.moved_by), ("loaded by", one.answers.loaded_by)):
            if _is_left_alone(one) or [answer.by for answer in answers] not in ([], ["torch"]):
                yield label, self._answers(answers) or "nothing"
        for label, answers in (
            ("renewed in train()", one.answers.trained_by),
            ("renewed in eval()", one.answers.evaluated_by),
        ):
            if answers:
                yield label, self._answers(answers)

    def _answers(self, answers: tuple[Answer, ...]) -> str:
        return ", ".join(
            (self._places(one.at) or one.by) + (f" through self.{one.through}" if one.through else "")
            for one in answers
        )

    def _places(self, sightings: tuple[Sighting, ...]) -> str:
        """Each method once with the lines in it: "forward :12 :14, Base.reset base.py:20 :22"."""
        by_method: dict[tuple[str, str], list[str]] = {}
        for one in sightings:
            lines = by_method.setdefault((self._method(one), one.span.path), [])
            line = f":{one.span.line}{_condition(one)}"
            lines += [line] if line not in lines else []
        return ", ".join(
            f"{method} {self._files.get(path, '')}{' '.join(lines)}" for (method, path), lines in by_method.items()
        )

    def _method(self, one: Sighting) -> str:
        """The method as one names it from inside the class."""
        if not one.method:
            return "class body"
        return printable(one.method.removeprefix(f"{self._portrait.qualname}."))

    def _overrides(self) -> Iterator[str]:
        overrides, hooks = self._portrait.overrides, self._portrait.hooks
        if overrides or hooks:
            yield from self._title("Overrides and hooks that matter to state")
            rows = [(f"{one.of}.{one.name}", self._graph.shown(one.span)) for one in overrides]
            rows += [(f"{one.call}()", f"{self._graph.shown(one.at.span)} in {self._method(one.at)}") for one in hooks]
            yield from _table(rows)

    def _gaps(self) -> Iterator[str]:
        gaps = [(one.text, one.span) for one in self._portrait.gaps]
        gaps += [(note.text, None) for note in self._graph.notes]
        yield from self._title("Not known")
        for text, span in gaps:
            place = f" ({self._graph.shown(span)})" if span else ""
            yield textwrap.fill(
                printable(text) + place,
                TEXT_COLUMNS,
                initial_indent="  ",
                subsequent_indent="    ",
                break_on_hyphens=False,
            )
        if not gaps:
            yield "  nothing that we know of"

    def _file_names(self) -> Iterator[str]:
        """What the short names of files stand for, where the bases do not say it."""
        told = {base.span.path for base in self._portrait.bases}
        rows = [(name, shown(path, self._graph.folder)) for path, name in self._files.items() if path not in told]
        rows = [row for row in rows if row[0] != row[1]]
        if rows:
            yield from self._title("Files")
            yield from _table(rows)

    def _title(self, text: str) -> Iterator[str]:
        yield ""
        yield f"{self._palette.faint}{text}{self._palette.reset}"

    def _strong(self, text: str) -> str:
        return f"{self._palette.strong}{text}{self._palette.reset}"


def described(held: Held) -> str:
    """What an attribute holds, in a few words."""
    kind = "not known" if held.kind == "unknown" else held.kind
    numbers = [held.dtype] if held.dtype else []
    numbers += [f"{held.ndim} dimension{'' if held.ndim == 1 else 's'}"] if held.ndim is not None else []
    numbers += [f"on {held.device}"] if held.device else []
    what = " ".join([kind, ", ".join(numbers)]).rstrip()
    parts = [f"{what} {held.constant}" if held.constant is not None else what]
    parts += [f"of {held.element}s"] if held.element not in (None, "unknown") else []
    parts += ["that keeps tensors"] if held.holds_tensors else []
    parts += [f"made by {held.made_by.replace('operator.', 'the operator ')}"] if held.made_by else []
    parts += ["given by the caller"] if held.is_given else []
    parts += ["when built, not known after later writes"] if held.is_later_unknown else []
    return ", ".join(parts)


def _condition(one: Sighting) -> str:
    parts = [f"tests self.{', self.'.join(one.decided_by)}"] if one.decided_by else []
    parts += [_MODES[one.in_mode]] if one.in_mode is not None else []
    return f" ({', '.join(parts)})" if parts else ""


def _is_left_alone(one: AttributePortrait) -> bool:
    """True for tensors that torch does not know of: that nothing moves them is worth saying."""
    return one.group.value == "tensor" or (one.group.value == "container" and one.held.element in _STATE)


def _paths(portrait: Portrait) -> list[str]:
    """The files that the places of attributes lie in, other than that of the class."""
    found = (
        one.span.path
        for attribute in portrait.attributes
        for group in (attribute.born, attribute.written, attribute.changed, attribute.deleted, attribute.read)
        for one in group
    )
    answers = (
        one.span.path
        for attribute in portrait.attributes
        for group in (
            attribute.answers.moved_by,
            attribute.answers.loaded_by,
            attribute.answers.trained_by,
            attribute.answers.evaluated_by,
        )
        for answer in group
        for one in answer.at
    )
    return [path for path in dict.fromkeys((*found, *answers)) if path != portrait.span.path]


def _short_names(paths: list[str]) -> dict[str, str]:
    """The last parts of each path, as many as tell it from the others."""
    names: dict[str, str] = {}
    for path in paths:
        parts = Path(path).parts
        tails = ["/".join(parts[-count:]) for count in range(1, len(parts) + 1)]
        others = [other for other in paths if other != path]
        names[path] = next(
            (tail for tail in tails if not any(f"/{Path(other).as_posix()}".endswith(f"/{tail}") for other in others)),
            path,
        )
    return names


def _table(rows: list[tuple[str, str]]) -> Iterator[str]:
    width = max(len(first) for first, _ in rows)
    yield from (f"  {printable(first):{width}}  {printable(second)}" for first, second in rows)


def _packed(facts: list[str], indent: int) -> Iterator[str]:
    """The facts in lines of TEXT_COLUMNS, as many on a line as fit; one that fits on no line is wrapped.

    indent: the columns that are taken on the first line. The other lines come with their indentation.
    """
    line, is_first = facts[0], True
    for fact in facts[1:]:
        start = indent if is_first else len(INDENT)
        if start + len(line) + len(BETWEEN) + len(fact) > TEXT_COLUMNS:
            yield from (line,) if is_first else _wrapped(line)
            line, is_first = fact, False
        else:
            line += BETWEEN + fact
    yield from (line,) if is_first else _wrapped(line)


def _wrapped(line: str) -> Iterator[str]:
    yield from textwrap.wrap(
        line,
        TEXT_COLUMNS,
        initial_indent=INDENT,
        subsequent_indent=INDENT + "  ",
        break_on_hyphens=False,
        break_long_words=False,
    )


def write_json(graph: Graph, stream: TextIO) -> None:
    """Write the graph for programs; docs/graph.md describes the keys. None means "not known" or "does not apply"."""
    json.dump(_Json(graph).document(), stream, indent=2)
    stream.write("\n")


class _Json:
    """Turns one graph into plain values."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def document(self) -> dict[str, Any]:
        """The whole document."""
        portrait = self._graph.portrait
        return {
            "version": __version__,
            "class": self._graph.dotted,
            "qualname": portrait.qualname,
            **self._place(portrait.span),
            "module": {"verdict": portrait.verdict.value, "because": portrait.because},
            "bases": [{"qualname": base.qualname, **self._place(base.span)} for base in portrait.bases],
            "outside_bases": [
                {
                    "name": base.name or None,
                    "known": base.known.name.lower(),
                    "of": base.of.qualname,
                    **self._place(base.of.span),
                }
                for base in portrait.outside_bases
            ],
            "attributes": [self._attribute(one) for one in portrait.attributes],
            "overrides": [{"name": one.name, "of": one.of, **self._place(one.span)} for one in portrait.overrides],
            "hooks": [{"call": one.call, **self._sighting(one.at)} for one in portrait.hooks],
            "not_known": [
                *({"text": gap.text, **self._place(gap.span)} for gap in portrait.gaps),
                *(
                    {"text": note.text, "path": note.path and shown(note.path, self._graph.folder), "line": note.line}
                    for note in self._graph.notes
                ),
            ],
        }

    def _attribute(self, one: AttributePortrait) -> dict[str, Any]:
        return {
            "name": one.name,
            "group": one.group.value,
            "holds": self._held(one.held),
            "persistence": one.persistence.name.lower() if one.persistence else None,
            "born": self._sightings(one.born),
            "born_in": one.born_in or None,
            "written": self._sightings(one.written),
            "changed": self._sightings(one.changed),
            "deleted": self._sightings(one.deleted),
            "read": self._sightings(one.read),
            "assigned_outside": one.is_assigned_outside,
            "moved_by": self._answers(one.answers.moved_by),
            "loaded_by": self._answers(one.answers.loaded_by),
            "trained_by": self._answers(one.answers.trained_by),
            "evaluated_by": self._answers(one.answers.evaluated_by),
        }

    def _held(self, held: Held) -> dict[str, Any]:
        return {
            "kind": held.kind,
            "dtype": held.dtype,
            "ndim": held.ndim,
            "device": held.device,
            "made_by": held.made_by,
            "element": held.element,
            "constant": held.constant,
            "keeps_tensors": held.holds_tensors,
            "given": held.is_given,
            "later_unknown": held.is_later_unknown,
        }

    def _answers(self, answers: tuple[Answer, ...]) -> list[dict[str, Any]]:
        return [{"by": one.by, "at": self._sightings(one.at), "through": one.through or None} for one in answers]

    def _sightings(self, sightings: tuple[Sighting, ...]) -> list[dict[str, Any]]:
        return [self._sighting(one) for one in sightings]

    def _sighting(self, one: Sighting) -> dict[str, Any]:
        return {
            "method": one.method or None,
            **self._place(one.span),
            "decided_by": list(one.decided_by),
            "mode": {True: "train", False: "eval", None: None}[one.in_mode],
        }

    def _place(self, span: Span | None) -> dict[str, Any]:
        if span is None:
            return {"path": None, "line": None}
        return {"path": shown(span.path, self._graph.folder), "line": span.line}
