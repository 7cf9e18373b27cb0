"""A rule page: what is read from it, and the sentence for each way to break its form."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from torchlint import rules
from torchlint.findings import Confidence, Hit, Safety, Severity, hit
from torchlint.pages import Page, PageError, check_pages, load_page, load_pages, parse_page, plain, render
from torchlint.source import Span

PAGE = """\
# TL112 cached-method

```toml
confidence = "medium"
fix = "review"
confirm = "The second call returns the tensor of the first device."
since = "0.1.0"

[[message]]
when = "default"
severity = "warning"
text = "{decorator} keeps the tensor that {method}() returns: after .to() it is the wrong one"

[[message]]
when = "learned"
severity = "error"
text = "{decorator} keeps what {method}() makes of {{weights}}"
```

**TL112 cached-method.** A method that `functools.cache` remembers and
that returns a [tensor](https://pytorch.org).

More about it.

## Why it matters
The first answer is kept, so every later call after a move to another device
gets a tensor of the older device, which fails.

## Bad
```python
class Table(nn.Module):
    @cache  # expect: TL112
    def angles(self):
        ## not a heading
        return torch.zeros(1)
```

Also:
```python
x = 1
```

## Good
```python
y = 1
```

## Stays silent when
- the method returns an int, a tuple of ints or a bool, whatever the decorator is
  called and whoever wrote it, here or there
- it is static
"""


@pytest.fixture
def page() -> Page:
    return parse_page(Path("rules/TL112.md"), PAGE)


def hit_with(when: str = "default", **words: str) -> Hit:
    return hit(Span("a.py", 1, 1, 1, 2), "Table.angles", when=when, **words)


# ---- reading


def test_a_page_gives_its_metadata(page):
    assert (page.code, page.name, page.confidence) == ("TL112", "cached-method", Confidence.MEDIUM)
    assert (page.fix, page.since) == (Safety.REVIEW, "0.1.0")
    assert page.confirm == "The second call returns the tensor of the first device."


def test_fix_none_means_no_edit():
    assert parse_page(Path("rules/TL112.md"), PAGE.replace('fix = "review"', 'fix = "none"')).fix is None


def test_the_summary_is_the_first_paragraph_as_plain_text(page):
    assert page.summary == "A method that functools.cache remembers and that returns a tensor."


def test_examples_are_the_python_blocks_of_their_section(page):
    assert page.bad[0].startswith("class Table")
    assert "## not a heading" in page.bad[0]
    assert page.bad[1:] == ("x = 1\n",)
    assert page.good == ("y = 1\n",)


def test_a_page_is_as_grave_as_its_gravest_message(page):
    assert page.severity is Severity.ERROR


def test_the_body_has_no_metadata(page):
    assert page.body.startswith("**TL112 cached-method.**")
    assert page.markdown == PAGE


def test_plain_text_has_no_marks():
    assert plain("**A** `b` [c](https://d)") == "A b c"


# ---- what is said of a hit


def test_a_message_is_filled_with_the_words_of_the_hit(page):
    said = page.message(hit_with(decorator="lru_cache", method="angles"))
    assert said == "lru_cache keeps the tensor that angles() returns: after .to() it is the wrong one"


def test_a_hit_names_the_variant_of_the_message(page):
    learned = hit_with("learned", decorator="cache", method="angles")
    assert page.message(learned) == "cache keeps what angles() makes of {weights}"
    assert page.severity_of(learned) is Severity.ERROR
    assert page.severity_of(hit_with()) is Severity.WARNING


def test_braces_in_a_word_are_text(page):
    assert page.message(hit_with(decorator="{x}", method="m")).startswith("{x} keeps")


def test_a_word_may_serve_another_variant_only():
    text = PAGE.replace("makes of {{weights}}", "makes of {weight}")
    page = parse_page(Path("rules/TL112.md"), text)
    assert page.message(hit_with(decorator="cache", method="m", weight="w")).startswith("cache keeps the tensor")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            {"cache": "lru_cache", "method": "m"},
            "rules/TL112.md: the message uses {decorator} but cached_method yields cache=; rename one of them",
        ),
        (
            {"method": "m"},
            "rules/TL112.md: the message uses {decorator} but cached_method does not yield it; add it to the hit",
        ),
        (
            {"method": "m", "decorator": "d", "cache": "c"},
            "rules/TL112.md: cached_method yields cache= but no message uses it; drop one of them",
        ),
    ],
)
def test_words_and_placeholders_must_agree(page, words, sentence):
    with pytest.raises(PageError) as caught:
        page.message(hit_with(**words))
    assert str(caught.value) == sentence


def test_a_variant_that_the_page_lacks_is_named(page):
    with pytest.raises(PageError, match=r'rules/TL112\.md has no \[\[message\]\] with when = "frozen", which cached_'):
        page.severity_of(hit_with("frozen"))


# ---- form


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("# TL112 cached-method", "# TL113 cached-method", "the first line must be `# TL112 rule-name`, not `# TL113"),
        ("# TL112 cached-method", "# TL112 Cached Method", "the first line must be"),
        ("```toml", "```yaml", "a ```toml block with the metadata must follow the title"),
        ('since = "0.1.0"', "since = ", "the metadata block is not TOML: "),
        ('since = "0.1.0"', "", 'the metadata must say since = "..."'),
        (
            'since = "0.1.0"',
            'version = "0.1.0"',
            "unknown key `version` in the metadata; the keys are confidence, fix,",
        ),
        ('confidence = "medium"', 'confidence = "sure"', 'confidence = "sure" must be one of high, medium, low'),
        ('fix = "review"', 'fix = "maybe"', 'fix = "maybe" must be one of safe, review, none'),
        ('severity = "error"', 'severity = "fatal"', 'severity = "fatal" must be one of error, warning, note'),
        ('severity = "error"', 'severity = "error"\nlevel = 1', "unknown key `level` in the metadata"),
        ('when = "learned"', 'when = "default"', 'two messages have when = "default"; rename one of them'),
        ("[[message]]", "[[other]]", "unknown key `other` in the metadata"),
        ("{{weights}}", "{weights", "has a lone brace; write {{ or }}"),
        ("{{weights}}", "{weights!r}", "{weights} in a message must be a plain word such as {attribute}"),
        ("{{weights}}", "{}", "{} in a message must be a plain word such as {attribute}"),
        ("**TL112 cached-method.**", "**TL112 cache.**", "a paragraph that starts with `**TL112 cached-method.**`"),
        ("A method that", "A method that " * 80, "1000 are allowed"),
        ("## Why it matters", "## Why", "the section `## Why it matters` is missing or empty"),
        ("```python\ny = 1\n```", "Nothing.", "the section `## Good` needs a ```python block"),
    ],
)
def test_what_breaks_the_form_is_said_in_one_sentence(old, new, sentence):
    assert old in PAGE
    with pytest.raises(PageError) as caught:
        parse_page(Path("rules/TL112.md"), PAGE.replace(old, new))
    assert str(caught.value).startswith("rules/TL112.md: ")
    assert sentence in str(caught.value)


def test_a_page_without_messages_is_refused():
    metadata, _, rest = PAGE.partition("[[message]]")
    text = metadata + "```\n" + rest.partition("```\n")[2]
    with pytest.raises(PageError, match=r"must have at least one \[\[message\]\]"):
        parse_page(Path("rules/TL112.md"), text)


# ---- loading


def folder_with(folder: Path, **pages: str) -> Path:
    for code, text in pages.items():
        (folder / f"{code}.md").write_text(text, encoding="utf-8")
    return folder


def test_pages_are_loaded_in_the_order_of_their_codes(tmp_path):
    other = PAGE.replace("TL112", "TL101")
    assert list(load_pages(folder_with(tmp_path, TL112=PAGE, TL101=other))) == ["TL101", "TL112"]


def test_the_caller_owns_what_is_loaded(tmp_path):
    load_pages(folder_with(tmp_path, TL112=PAGE)).clear()
    assert list(load_pages(tmp_path)) == ["TL112"]


def test_a_page_is_found_by_its_code_in_any_case(tmp_path):
    assert load_page("tl112", folder_with(tmp_path, TL112=PAGE)).name == "cached-method"


def test_an_unknown_code_names_the_nearest(tmp_path):
    with pytest.raises(PageError, match="there is no rule TL121; the nearest are TL112"):
        load_page("TL121", folder_with(tmp_path, TL112=PAGE))


def test_a_code_like_none_lists_the_rules(tmp_path):
    with pytest.raises(PageError, match="there is no rule E501; the rules are TL112"):
        load_page("E501", folder_with(tmp_path, TL112=PAGE))


def test_a_folder_without_pages_is_an_error(tmp_path):
    with pytest.raises(PageError, match="there are no rule pages in"):
        load_pages(tmp_path)


def test_a_page_that_is_not_utf8_is_an_error(tmp_path):
    (tmp_path / "TL112.md").write_bytes(b"# TL112 \xff")
    with pytest.raises(PageError, match=r"cannot read .*TL112\.md: byte 8 is not valid UTF-8"):
        load_pages(tmp_path)


def test_line_ends_of_windows_make_no_difference(tmp_path):
    (tmp_path / "TL112.md").write_bytes(PAGE.replace("\n", "\r\n").encode())
    assert load_page("TL112", tmp_path).markdown == PAGE


# ---- pages and rules


@dataclass(frozen=True)
class Rule:
    """What check_pages asks of a rule."""

    code: str
    judge: Callable[..., object]


def rule_from(module: str, code: str = "TL112") -> Rule:
    def cached_method(subject: object) -> Iterator[Hit]:
        yield from ()

    cached_method.__module__ = module
    return Rule(code, cached_method)


def test_a_page_and_its_rule_agree(page):
    check_pages({"TL112": rule_from("torchlint.rules.tl112_cached_method")}, {"TL112": page})


def test_the_pages_and_rules_of_torchlint_agree():
    check_pages(rules.load(), load_pages())


def test_a_rule_without_a_page_is_named_with_the_page_to_write():
    with pytest.raises(PageError, match=r"torchlint/rules/tl112_cached_method\.py has no page; write rules/TL112\.md"):
        check_pages({"TL112": rule_from("torchlint.rules.tl112_cached_method")}, {})


def test_a_page_without_a_rule_is_named_with_the_file_to_write(page):
    with pytest.raises(PageError, match=r"TL112\.md has no rule; write torchlint/rules/tl112_cached_method\.py or"):
        check_pages({}, {"TL112": page})


def test_page_and_rule_file_must_have_one_name(page):
    with pytest.raises(PageError) as caught:
        check_pages({"TL112": rule_from("torchlint.rules.tl112_method_cache")}, {"TL112": page})
    assert str(caught.value) == (
        "rules/TL112.md is called cached-method but its rule is in torchlint/rules/tl112_method_cache.py; "
        "rename one of them"
    )


# ---- on a terminal


def test_a_page_on_a_terminal(page):
    assert render(page).splitlines() == [
        "TL112 cached-method",
        "===================",
        "severity: warning or error; confidence: medium; fix: review; since: 0.1.0",
        "",
        "A method that functools.cache remembers and that returns a tensor.",
        "",
        "More about it.",
        "",
        "Why it matters",
        "--------------",
        "The first answer is kept, so every later call after a move to another device gets a",
        "tensor of the older device, which fails.",
        "",
        "Bad",
        "---",
        "    class Table(nn.Module):",
        "        @cache  # expect: TL112",
        "        def angles(self):",
        "            ## not a heading",
        "            return torch.zeros(1)",
        "",
        "Also:",
        "    x = 1",
        "",
        "Good",
        "----",
        "    y = 1",
        "",
        "Stays silent when",
        "-----------------",
        "- the method returns an int, a tuple of ints or a bool, whatever the decorator is called",
        "  and whoever wrote it, here or there",
        "- it is static",
    ]


def test_reading_pages_imports_no_toml_parser_before_a_page_is_asked_for():
    code = "import sys, torchlint.pages; sys.exit(bool({'tomllib', 'tomli', 'difflib'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
