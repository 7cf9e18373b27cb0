"""All rules on every sample: they find what the marks say, also after changes that keep what a program does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from metamorphosis import BASES_FILE, CHANGES, Changed, Divided, move_bases
from samples import PAGES, Found, Mark, Sample, findings, fixtures, judged, page_blocks, projects, wanted

FIXTURES = fixtures()
PROJECTS = projects()
# A block for a rule about comments needs the comments read, which the tests of suppression do.
BLOCKS = [block for block in page_blocks() if not block.name.startswith("TL0")]
# A layer that a class of its own file builds is judged more mildly; who else builds it is not asked.
ASK_THE_FILE = {"TL108/inner_layer.py"}
DIVIDED = [
    (sample, divided)
    for sample in FIXTURES
    if sample.name not in ASK_THE_FILE
    for divided in map(move_bases, sample.files.values())
    if divided is not None
]
SAMPLES = [*FIXTURES, *PROJECTS, *BLOCKS]


def name_of(sample: Sample) -> str:
    return sample.name


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_rules_find_what_the_marks_say(sample: Sample) -> None:
    open_places = {mark.place for mark in sample.marks if mark.is_todo}
    found = {one for one in findings(sample) if one[:3] not in open_places}
    expected = wanted(sample.marks)
    assert (listed(found - expected), listed(expected - found)) == ("", ""), "(not marked, not found)"


@pytest.mark.parametrize(
    ("sample", "mark"),
    [
        pytest.param(sample, mark, id=f"{sample.name}:{mark.line}", marks=pytest.mark.xfail(reason=mark.reason))
        for sample in SAMPLES
        for mark in sample.marks
        if mark.is_todo
    ],
)
def test_todo_is_done(sample: Sample, mark: Mark) -> None:
    words = {one.word for one in findings(sample) if one[:3] == mark.place}
    assert words == ({mark.word} if mark.word != "ok" else set())


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("sample", [*FIXTURES, *PROJECTS], ids=name_of)
def test_findings_survive_a_change_that_keeps_what_a_program_does(
    sample: Sample, change: Callable[[str], Changed]
) -> None:
    changed = {file: change(text) for file, text in sample.files.items()}
    after = findings(Sample(sample.name, {file: one.text for file, one in changed.items()}))
    moved = {one._replace(line=changed[one.file].line_of[one.line]) for one in findings(sample)}
    assert (listed(after - moved), listed(moved - after)) == ("", ""), "(new, lost)"


@pytest.mark.parametrize(("sample", "divided"), DIVIDED, ids=[sample.name for sample, _ in DIVIDED])
def test_findings_follow_a_base_class_into_another_file(sample: Sample, divided: Divided) -> None:
    (file,) = sample.files
    after = findings(Sample(sample.name, {file: divided.text, BASES_FILE: divided.bases}))
    moved = {one._replace(file=BASES_FILE) if one.line in divided.moved else one for one in findings(sample)}
    assert (listed(after - moved), listed(moved - after)) == ("", ""), "(new, lost)"


@pytest.mark.parametrize("code", sorted({sample.name.partition("/")[0] for sample in FIXTURES}))
def test_rule_has_as_many_near_misses_as_hits(code: str) -> None:
    words = Counter(mark.word for sample in FIXTURES for mark in sample.marks if mark.code == code)
    assert words["ok"] >= words["expect"] + words["note"] > 0


@pytest.mark.parametrize("sample", FIXTURES, ids=name_of)
def test_fixture_begins_with_its_idea(sample: Sample) -> None:
    (text,) = sample.files.values()
    assert text.startswith('"""')
    assert text.splitlines()[0].rstrip('"').endswith(".")


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_todo_gives_its_reason(sample: Sample) -> None:
    assert all(mark.reason for mark in sample.marks if mark.is_todo)


@pytest.mark.parametrize("code", sorted(code for code in PAGES if not code.startswith("TL0")))
def test_every_variant_of_a_message_is_said_of_some_fixture(code: str) -> None:
    samples = [sample for sample in FIXTURES if sample.name.startswith(code)]
    said = {hit.when for sample in samples for _, found, hit in judged(sample) if found == code}
    assert said == set(PAGES[code].messages)


@pytest.mark.parametrize("sample", SAMPLES, ids=name_of)
def test_message_is_one_sentence_without_a_full_stop(sample: Sample) -> None:
    for _, code, hit in judged(sample):
        message = PAGES[code].message(hit)
        assert not re.search(r"[{}\[\]\n]|  |\.$", message), message


@pytest.mark.parametrize(
    ("name", "attribute", "words"),
    [
        (
            "public_methods_only",
            "PublicMethods.table",
            "after .to()/.half() and load_state_dict(); train(True) renews it",
        ),
        ("public_methods_only", "ApplyOnly.table", "after load_state_dict(); .to()/.half() and train(True) renew it"),
        (
            "keys_of_the_cache",
            "LazyKeyedById.snapped",
            "stays as it was after .to()/.half(), load_state_dict() and train(True)",
        ),
        (
            "keys_of_the_cache",
            "KeyedByVersion.snapped",
            "after .to()/.half(); load_state_dict() and train(True) renew it",
        ),
        ("mode_without_cache", "Cached.cached", "it also keeps the autograd graph of the call that stored it"),
        (
            "constant_grid",
            "ByEval.grid",
            "a plain tensor that a mode change stores: it stays as it was after .to()/.half()",
        ),
    ],
)
def test_message_of_a_stale_cache_names_what_remains(name: str, attribute: str, words: str) -> None:
    (sample,) = (one for one in FIXTURES if one.name == f"TL103/{name}.py")
    messages = [PAGES[code].message(hit) for _, code, hit in judged(sample) if hit.symbol == attribute]
    assert [words in message for message in messages] == [True], messages


@pytest.mark.parametrize(
    ("symbol", "words"),
    [
        ("Bare.train", "train() takes no mode: eval() or a parent's train(mode) passes one and raises TypeError"),
        ("BareBesideEval.train", "train() takes no mode: a parent's train(mode) passes one and raises TypeError"),
        ("Silent.train", "train(), and eval() through it, return None"),
        ("SilentBesideEval.train", "train() returns None"),
        ("Pinned.cuda", "whatever calls cuda() on the module finds a value that cannot be called"),
    ],
)
def test_message_of_a_broken_override_names_who_meets_it(symbol: str, words: str) -> None:
    (sample,) = (one for one in FIXTURES if one.name == "TL108/eval_of_its_own.py")
    (message,) = (PAGES[code].message(hit) for _, code, hit in judged(sample) if hit.symbol == symbol)
    assert message.startswith(words) or message.endswith(words)


@pytest.mark.parametrize(
    ("symbol", "words"),
    [
        ("Counted.masks", "self.masks is kept by self.used alone, but depends on the device"),
        ("Flagged.table", "self.table is kept by self.built alone, but depends on the device"),
    ],
)
def test_message_of_an_incomplete_key_names_the_attributes_that_decide(symbol: str, words: str) -> None:
    (sample,) = (one for one in FIXTURES if one.name == "TL104/decided_by_a_count_or_a_flag.py")
    messages = [PAGES[code].message(hit) for _, code, hit in judged(sample) if (code, hit.symbol) == ("TL104", symbol)]
    assert [message.startswith(words) for message in messages] == [True], messages


def listed(found: Iterable[Found]) -> str:
    """The findings as one would mark them, a line each."""
    return "\n".join(f"{one.file}:{one.line}  # {one.word}: {one.code}" for one in sorted(found))
