"""A rule page: the metadata, the sentences and the examples of one rule, read from one Markdown file."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Protocol, TypeVar

from torchlint.findings import Confidence, Hit, Safety, Severity
from torchlint.source import CommandError

SECTIONS = ("Why it matters", "Bad", "Good", "Stays silent when")
SUMMARY_LIMIT_CHARACTERS = 1000
RENDER_WIDTH_COLUMNS = 88

_TITLE = re.compile(r"# (TL\d{3}) ([a-z][a-z0-9]*(?:-[a-z0-9]+)*)")
_METADATA = re.compile(r"\s*```toml\n(.*?)\n?```\n", re.DOTALL)
_PYTHON_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_PLACEHOLDER = re.compile(r"[a-z_]+")
_LIST_ITEM = re.compile(r"([-*]|\d+\.) +")
_METADATA_KEYS = ("confidence", "fix", "confirm", "since", "message")
_MESSAGE_KEYS = ("when", "severity", "text")

Choice = TypeVar("Choice", bound=Enum)


class PageError(CommandError):
    """A rule page that is missing, malformed or at odds with its rule; the text is a sentence that names the files."""


class _FormError(Exception):
    """What breaks the form of a page; the sentence still lacks the name of the file."""


class RuleLike(Protocol):
    """What check_pages asks of a rule: its code, and the function that judges (its module is the rule file)."""

    @property
    def code(self) -> str: ...

    @property
    def judge(self) -> Callable[..., object]: ...


@dataclass(frozen=True, slots=True)
class Message:
    """One variant of what a rule says; `text` has {placeholders} for the words of a hit."""

    severity: Severity
    text: str

    @property
    def placeholders(self) -> frozenset[str]:
        """The names between braces in `text`."""
        return frozenset(name for _, name, _, _ in Formatter().parse(self.text) if name is not None)


@dataclass(frozen=True)
class Page:
    """One rule as its page describes it.

    path: the Markdown file. messages: by variant (`when` of a hit). fix: None where the rule proposes no edit.
    confirm: how a run of the class shows the fault, in one sentence. since: the first version that has the rule.
    paragraph: the first paragraph as Markdown, on one line, without its bold title. sections: Markdown by heading.
    body: the page below the metadata block. markdown: the whole file.
    """

    path: Path
    code: str
    name: str
    confidence: Confidence
    messages: Mapping[str, Message]
    fix: Safety | None
    confirm: str
    since: str
    paragraph: str
    sections: Mapping[str, str]
    body: str
    markdown: str

    @property
    def bad(self) -> tuple[str, ...]:
        """The python blocks that the rule reports."""
        return _python_blocks(self.sections["Bad"])

    @property
    def good(self) -> tuple[str, ...]:
        """The python blocks that show the remedy."""
        return _python_blocks(self.sections["Good"])

    @property
    def summary(self) -> str:
        """The first paragraph as plain text on one line."""
        return plain(self.paragraph)

    @property
    def severity(self) -> Severity:
        """The gravest severity of the messages."""
        return max((message.severity for message in self.messages.values()), key=lambda severity: severity.rank)

    @property
    def bold_title(self) -> str:
        """How the first paragraph begins."""
        return f"**{self.code} {self.name}.**"

    @property
    def label(self) -> str:
        """The file as messages name it: "rules/TL101.md"."""
        return _label(self.path)

    def severity_of(self, hit: Hit) -> Severity:
        """The severity of the variant that `hit` names. Raises PageError when the page has no such variant."""
        return self._variant(hit).severity

    def message(self, hit: Hit) -> str:
        """The sentence for `hit`. Raises PageError when placeholders and words differ."""
        variant = self._variant(hit)
        missing = variant.placeholders - hit.words.keys()
        unused = hit.words.keys() - self._placeholders()
        if missing or unused:
            raise PageError(self._disagreement(missing, unused))
        return variant.text.format_map(hit.words)

    def _variant(self, hit: Hit) -> Message:
        if hit.when not in self.messages:
            raise PageError(
                f'{self.label} has no [[message]] with when = "{hit.when}", which {self._rule} yields; add it'
            )
        return self.messages[hit.when]

    # A word may serve another variant only; a rule need not know which variant uses which.
    def _placeholders(self) -> frozenset[str]:
        return frozenset().union(*(message.placeholders for message in self.messages.values()))

    def _disagreement(self, missing: frozenset[str], unused: set[str]) -> str:
        uses = ", ".join(f"{{{name}}}" for name in sorted(missing))
        yields = ", ".join(f"{name}=" for name in sorted(unused))
        if missing and unused:
            return f"{self.label}: the message uses {uses} but {self._rule} yields {yields}; rename one of them"
        if missing:
            return f"{self.label}: the message uses {uses} but {self._rule} does not yield it; add it to the hit"
        return f"{self.label}: {self._rule} yields {yields} but no message uses it; drop one of them"

    @property
    def _rule(self) -> str:
        return self.name.replace("-", "_")


def load_pages(folder: Path | None = None) -> dict[str, Page]:
    """Every page of `folder` by code, in order; None means the pages that ship with torchlint.

    A page is read once in a process. Raises PageError for a page that breaks the form, or when there is no page at all.
    """
    return dict(_pages_of(folder or _shipped_folder()))


def load_page(code: str, folder: Path | None = None) -> Page:
    """The page of one rule; `code` in any case. Raises PageError that names the nearest codes when there is none."""
    pages = load_pages(folder)
    if code.upper() in pages:
        return pages[code.upper()]
    raise PageError(f"there is no rule {code}; {_nearest(code.upper(), pages)}")


def check_pages(rules: Mapping[str, RuleLike], pages: Mapping[str, Page]) -> None:
    """Raise PageError, naming both files, unless each rule has its page, each page its rule, and both the same name."""
    for rule in rules.values():
        file = _rule_file(rule)
        if rule.code not in pages:
            raise PageError(f"{file} has no page; write rules/{rule.code}.md")
        page = pages[rule.code]
        if Path(file).stem != _rule_stem(page):
            raise PageError(f"{page.label} is called {page.name} but its rule is in {file}; rename one of them")
    for page in pages.values():
        if page.code not in rules:
            raise PageError(f"{page.label} has no rule; write torchlint/rules/{_rule_stem(page)}.py or delete the page")


def parse_page(path: Path, markdown: str) -> Page:
    """The page that `markdown` holds; `path` names it. Raises PageError for the first thing that breaks the form."""
    try:
        return _parse(path, markdown)
    except _FormError as error:
        raise PageError(f"{_label(path)}: {error}") from error


def _parse(path: Path, markdown: str) -> Page:
    title, _, rest = markdown.partition("\n")
    named = _TITLE.fullmatch(title.rstrip())
    if named is None or named[1] != path.stem:
        raise _FormError(f"the first line must be `# {path.stem} rule-name`, not `{title}`")
    block = _METADATA.match(rest)
    if block is None:
        raise _FormError("a ```toml block with the metadata must follow the title")
    code, name = named.groups()
    metadata = _parse_metadata(block[1])
    body = rest[block.end() :].strip() + "\n"
    sections = _parse_sections(body)
    _refuse_incomplete(sections)
    return Page(
        path=path,
        code=code,
        name=name,
        confidence=_choice(metadata, "confidence", Confidence),
        messages=_parse_messages(metadata.get("message")),
        fix=_parse_fix(metadata),
        confirm=_text(metadata, "confirm"),
        since=_text(metadata, "since"),
        paragraph=_parse_paragraph(sections[""], f"**{code} {name}.**"),
        sections=sections,
        body=body,
        markdown=markdown,
    )


def plain(markdown: str) -> str:
    """`markdown` (one paragraph) without bold marks, code marks and link targets."""
    return _LINK.sub(r"\1", markdown).replace("**", "").replace("`", "")


def render(page: Page) -> str:
    """The page as plain text for a terminal, at most RENDER_WIDTH_COLUMNS wide except in code, without colour."""
    title = f"{page.code} {page.name}"
    fix = page.fix.value if page.fix else "none"
    facts = f"severity: {_severities(page)}; confidence: {page.confidence.value}; fix: {fix}; since: {page.since}"
    return (
        "\n".join([title, "=" * len(title), facts, "", *_render_lines(page.body.replace(page.bold_title, "").lstrip())])
        + "\n"
    )


@cache
def _pages_of(folder: Path) -> Mapping[str, Page]:
    paths = sorted(folder.glob("TL*.md"))
    if not paths:
        raise PageError(f"there are no rule pages in {folder}; install torchlint again")
    return {path.stem: parse_page(path, _read(path)) for path in paths}


def _shipped_folder() -> Path:
    package = Path(__file__).parent
    shipped = package / "_pages"
    return shipped if shipped.is_dir() else package.parent / "rules"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise PageError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise PageError(f"cannot read {path}: byte {error.start} is not valid UTF-8") from error


def _label(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _rule_file(rule: RuleLike) -> str:
    return rule.judge.__module__.replace(".", "/") + ".py"


def _rule_stem(page: Page) -> str:
    return f"{page.code.lower()}_{page.name.replace('-', '_')}"


def _nearest(code: str, pages: Mapping[str, Page]) -> str:
    import difflib

    near = difflib.get_close_matches(code, pages, n=3, cutoff=0.7)
    return f"the nearest are {', '.join(near)}" if near else f"the rules are {', '.join(pages)}"


def _parse_metadata(block: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        metadata: dict[str, Any] = tomllib.loads(block)
    except tomllib.TOMLDecodeError as error:
        raise _FormError(f"the metadata block is not TOML: {error}") from error
    _refuse_unknown(metadata, _METADATA_KEYS)
    return metadata


def _parse_messages(tables: object) -> dict[str, Message]:
    if not isinstance(tables, list) or not tables:
        raise _FormError("the metadata must have at least one [[message]]")
    messages: dict[str, Message] = {}
    for table in tables:
        _refuse_unknown(table, _MESSAGE_KEYS)
        when = _text(table, "when")
        if when in messages:
            raise _FormError(f'two messages have when = "{when}"; rename one of them')
        text = _template(_text(table, "text"))
        messages[when] = Message(_choice(table, "severity", Severity), text)
    return messages


def _template(text: str) -> str:
    try:
        fields = [(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(text) if name is not None]
    except ValueError as error:
        raise _FormError(f"the message `{text}` has a lone brace; write {{{{ or }}}}") from error
    for name, spec, conversion in fields:
        if spec or conversion or not _PLACEHOLDER.fullmatch(name):
            raise _FormError(f"{{{name}}} in a message must be a plain word such as {{attribute}}")
    return text


def _parse_fix(metadata: Mapping[str, Any]) -> Safety | None:
    return None if metadata.get("fix") == "none" else _choice(metadata, "fix", Safety, "none")


def _parse_paragraph(text: str, title: str) -> str:
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    if not paragraph.startswith(title) or paragraph == title:
        raise _FormError(f"a paragraph that starts with `{title}` must follow the metadata")
    if len(paragraph) > SUMMARY_LIMIT_CHARACTERS:
        raise _FormError(f"the first paragraph has {len(paragraph)} characters; {SUMMARY_LIMIT_CHARACTERS} are allowed")
    return paragraph.removeprefix(title).strip()


def _parse_sections(body: str) -> dict[str, str]:
    """The Markdown under each `## ` heading, by heading; what precedes the first one is under ""."""
    sections: dict[str, list[str]] = {"": []}
    heading = ""
    for line, is_code in _lines(body):
        if line.startswith("## ") and not is_code:
            heading = line.removeprefix("## ").strip()
            sections[heading] = []
        else:
            sections[heading].append(line)
    return {heading: "\n".join(lines).strip() for heading, lines in sections.items()}


def _refuse_incomplete(sections: Mapping[str, str]) -> None:
    for heading in SECTIONS:
        if not sections.get(heading):
            raise _FormError(f"the section `## {heading}` is missing or empty")
    for heading in ("Bad", "Good"):
        if not _python_blocks(sections[heading]):
            raise _FormError(f"the section `## {heading}` needs a ```python block")


def _lines(markdown: str) -> Iterator[tuple[str, bool]]:
    """Each line of `markdown`, and whether it belongs to a fenced block (the fences included)."""
    is_code = False
    for line in markdown.splitlines():
        is_fence = line.startswith("```")
        yield line, is_code or is_fence
        is_code ^= is_fence


def _python_blocks(markdown: str) -> tuple[str, ...]:
    return tuple(_PYTHON_BLOCK.findall(markdown))


def _refuse_unknown(table: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            raise _FormError(f"unknown key `{key}` in the metadata; the keys are {', '.join(known)}")


def _text(table: Mapping[str, Any], key: str) -> str:
    text = table.get(key)
    if not isinstance(text, str) or not text:
        raise _FormError(f'the metadata must say {key} = "..."')
    return text


def _choice(table: Mapping[str, Any], key: str, choices: type[Choice], *others: str) -> Choice:
    values = {choice.value: choice for choice in choices}
    text = _text(table, key)
    if text not in values:
        raise _FormError(f'{key} = "{text}" must be one of {", ".join([*values, *others])}')
    return values[text]


def _severities(page: Page) -> str:
    variants = {message.severity.value: None for message in page.messages.values()}
    return " or ".join(variants)


def _render_lines(markdown: str) -> Iterator[str]:
    """The lines of `markdown` for a terminal: headings underlined, code indented by four, prose filled."""
    prose: list[str] = []
    for line, is_code in _lines(markdown):
        if is_code or not line or line.startswith("## ") or _LIST_ITEM.match(line):
            yield from _fill(prose)
            prose = []
        if line.startswith("```"):
            continue
        if is_code:
            yield f"    {line}".rstrip()
        elif line.startswith("## "):
            yield from (line[3:], "-" * len(line[3:]))
        elif line:
            prose.append(line.strip())
        else:
            yield ""
    yield from _fill(prose)


def _fill(prose: list[str]) -> list[str]:
    import textwrap

    text = plain(" ".join(prose))
    marker = _LIST_ITEM.match(text)
    indent = " " * len(marker[0]) if marker else ""
    return textwrap.wrap(text, RENDER_WIDTH_COLUMNS, subsequent_indent=indent, break_on_hyphens=False)
