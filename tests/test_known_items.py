"""The items of a dict that a function makes are read as what was put there, as long as nothing else can have changed
them."""

from __future__ import annotations

import pytest

from torchlint.model.frames import last_name
from torchlint.model.terms import Argument, Call, Choice, Constant, Subscript, Term
from torchlint.reading.gate import read_safely
from torchlint.source import SourceFile

PATH = "/items/program.py"


def result(body: str) -> str:
    """What a function with that body returns, in words: the name of a call, an argument, or "item" for what is open."""
    text = "import torch\n\ndef main(x, y, key):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    facts = read_safely(SourceFile(PATH, text.encode()))
    assert facts is not None
    (returned,) = facts.functions["main"].returned
    return _words(returned.value)


def _words(term: Term) -> str:
    if isinstance(term, Call):
        return last_name(term)
    if isinstance(term, Argument):
        return term.name
    if isinstance(term, Constant):
        return repr(term.value)
    if isinstance(term, Choice):
        return " or ".join(map(_words, term.options))
    assert isinstance(term, Subscript), type(term)
    return "item"


@pytest.mark.parametrize("made", ["{}", "dict()", "{'b': y}"])
def test_an_item_is_what_was_put_there(made: str) -> None:
    assert result(f"out = {made}\nout['a'] = x.half()\nout['c'] = y\nreturn out['a']") == "half"


def test_an_item_put_there_again_is_the_new_one() -> None:
    assert result("out = {}\nout['a'] = x.half()\nout['a'] = out['a'].sum()\nreturn out['a']") == "sum"


def test_where_branches_meet_it_is_one_of_both() -> None:
    body = "out = {}\nif key:\n    out['a'] = x\nelse:\n    out['a'] = y\nreturn out['a']"
    assert result(body) == "y or x"


def test_constants_of_several_types_are_several_keys() -> None:
    assert result("out = {}\nout[1] = x\nout['1'] = y\nreturn out[1]") == "x"


@pytest.mark.parametrize(
    "between",
    ["out.update(y)", "fill(out)", "out[key] = y", "del out['a']", "out.pop('a')", "for one in y:\n    out[one] = y"],
)
def test_what_may_have_been_changed_is_open(between: str) -> None:
    assert result(f"out = {{}}\nout['a'] = x\n{between}\nreturn out['a']") == "item"


def test_an_earlier_round_of_a_loop_may_have_changed_it() -> None:
    assert result("out = {}\nout['a'] = x\nfor one in y:\n    z = out['a']\n    out['a'] = y\nreturn z") == "item"


def test_an_argument_is_no_dict_of_the_function() -> None:
    assert result("x['a'] = y\nreturn x['a']") == "item"
