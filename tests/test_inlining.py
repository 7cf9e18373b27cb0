"""A function with its helpers written out does what it did, in its own terms."""

from __future__ import annotations

import pytest

from torchlint.model.events import Evaluated, RegionKind, Return, Write
from torchlint.model.facts import Function
from torchlint.model.flow.inlining import written_out
from torchlint.model.frames import last_name
from torchlint.model.project import Project
from torchlint.model.terms import Argument, Attribute, Call, Choice, Constant, Operation, Term
from torchlint.reading.gate import read_safely
from torchlint.source import SourceFile

PATH = "/inlining/program.py"
HEAD = "import torch\nfrom torch import nn\n\n"


def written(text: str, name: str = "main", owner: str | None = None) -> Function | None:
    """The function of that name with its helpers written out."""
    facts = read_safely(SourceFile(PATH, (HEAD + text).encode()))
    assert facts is not None
    project = Project({PATH: facts})
    if owner is None:
        return written_out(project.evaluator.frame(facts.functions[name], None))
    view = project.view_of(PATH, owner)
    assert view is not None
    method = view.method(name)
    assert method is not None
    return written_out(view.frame(method))


def said(function: Function | None) -> list[str]:
    """The last names of what it calls, in order."""
    assert function is not None
    return [last_name(call) for call in function.calls]


def result(function: Function | None) -> Term:
    """What it returns."""
    assert function is not None
    (one,) = function.returned
    return one.value


def text_of(term: Term) -> str:
    """A term in words."""
    if isinstance(term, Argument):
        return term.name
    if isinstance(term, Constant):
        return repr(term.value)
    if isinstance(term, Attribute):
        return f"{text_of(term.base)}.{term.name}"
    if isinstance(term, Call):
        inputs = [text_of(one) for one in term.inputs]
        callee = text_of(term.callee) if isinstance(term.callee, Attribute) else last_name(term)
        return f"{callee}({', '.join(inputs)})"
    if isinstance(term, Operation):
        return f" {term.operator} ".join(map(text_of, term.parts))
    if isinstance(term, Choice):
        return " or ".join(map(text_of, term.options))
    return type(term).__name__


def test_the_result_of_a_helper_stands_in_the_place_of_its_call() -> None:
    text = "def made(x, n=2):\n    return x.float() * n\ndef main(y):\n    return made(y.abs()).sum()\n"
    function = written(text)
    assert said(function) == ["abs", "float", "sum"]
    assert text_of(result(function)) == "y.abs().float() * 2.sum()"


def test_helpers_of_helpers_are_written_out_too() -> None:
    text = "def one(x):\n    return x.half()\ndef two(a):\n    b = one(a)\n    return b\n"
    text += "def main(y):\n    return two(a=y)\n"
    assert text_of(result(written(text))) == "y.half()"


def test_what_a_helper_does_happens_inside_of_what_is_around_its_call() -> None:
    text = (
        "def step(net, x, ready):\n    if ready:\n        net(x)\n"
        "def main(net, x, flag):\n    with torch.no_grad():\n        step(net, x, flag)\n"
    )
    function = written(text)
    assert function is not None
    event = next(
        event
        for event in function.events
        if isinstance(event, Evaluated) and isinstance(event.term, Call) and isinstance(event.term.callee, Argument)
    )
    assert [region.kind for region in event.regions] == [RegionKind.GUARD, RegionKind.WITH]
    assert text_of(event.regions[0].subject) == "flag"


def test_several_returns_are_a_choice_and_none_is_none() -> None:
    text = "def pick(x):\n    if x:\n        return x.sum()\n    return x.mean()\ndef main(y):\n    return pick(y)\n"
    assert text_of(result(written(text))) == "y.sum() or y.mean()"
    text = "def show(x):\n    x.abs()\ndef main(y):\n    return show(y)\n"
    assert text_of(result(written(text))) == "None"


def test_the_object_is_the_same_in_a_method_of_its_own() -> None:
    text = (
        "class Net(nn.Module):\n    def start(self, x):\n        self.first = x\n        return self.first\n"
        "    def forward(self, y):\n        return self.start(y.abs())\n"
    )
    function = written(text, "forward", "Net")
    assert function is not None
    (write,) = [event for event in function.events if isinstance(event, Write)]
    assert (text_of(write.base), write.attribute, text_of(write.value)) == ("self", "first", "y.abs()")
    assert not any(isinstance(event, Return) for event in function.events[:-1])


def test_a_nested_function_sees_the_values_around_it() -> None:
    text = "def main(y):\n    z = y.abs()\n    def run(k):\n        return z + k\n    return run(1)\n"
    assert text_of(result(written(text))) == "y.abs() + 1"


@pytest.mark.parametrize(
    ("test", "flag", "names"),
    [
        ("flag", "True", ["sum"]),
        ("not flag", "True", ["mean"]),
        ("flag is None", "None", ["sum"]),
        ("flag == 'val'", "'train'", ["mean"]),
        ("flag and x", "False", ["mean"]),
        ("flag or x", "x", ["sum", "mean"]),
    ],
)
def test_a_branch_that_the_arguments_rule_out_is_left_out(test: str, flag: str, names: list[str]) -> None:
    branch = f"    if {test}:\n        x.sum()\n    else:\n        x.mean()\n"
    assert said(written(f"def pick(x, flag):\n{branch}def main(x):\n    pick(x, {flag})\n")) == names


@pytest.mark.parametrize(
    "helper",
    [
        "def helper(x):\n    yield x",
        "@torch.no_grad()\ndef helper(x):\n    return x",
        "def helper(*x):\n    return x",
        "def helper(x):\n    return helper(x)",
        "def helper(x):\n    return lambda: x",
        "def helper(x):\n    if len(x.shape) == 1:\n        x = None\n    return x",
    ],
)
def test_a_helper_that_cannot_stand_elsewhere_is_not_written_out(helper: str) -> None:
    function = written(f"{helper}\ndef main(y):\n    return helper(y)\n")
    assert function is None or "helper" in said(function)


def test_a_call_that_leaves_a_parameter_open_is_not_written_out() -> None:
    assert written("def helper(x, y):\n    return x\ndef main(z):\n    return helper(*z)\n") is None
    assert written("def helper(x, y):\n    return x\ndef main(z):\n    return helper(z)\n") is None


def test_the_function_as_written_is_known() -> None:
    function = written("def helper(x):\n    return x\ndef main(y):\n    return helper(y)\n")
    assert function is not None
    assert function.definition is function.written_from
    assert [type(event) for event in function.definition.events] == [Evaluated, Return]


def test_a_function_without_helpers_is_not_written_out() -> None:
    assert written("def main(y):\n    return y.sum()\n") is None


def test_a_function_that_calls_itself_is_written_out_once() -> None:
    text = "def down(x):\n    x.abs()\n    return down(x)\ndef main(y):\n    return down(y)\n"
    assert said(written(text)) == ["abs", "down"]


def test_two_runs_of_a_helper_make_two_objects() -> None:
    text = "def made():\n    return torch.zeros(3)\ndef main():\n    return made(), made()\n"
    first, second = result(written(text)).parts  # type: ignore[attr-defined]
    assert first is not second


def test_two_runs_of_a_helper_are_two_regions() -> None:
    text = "def run(net):\n    with torch.no_grad():\n        net.eval()\ndef main(net):\n    run(net)\n    run(net)\n"
    function = written(text)
    assert function is not None
    regions = [event.regions[0] for event in function.events if event.regions]
    assert len({id(region) for region in regions}) == 2


def test_helpers_of_helpers_are_not_written_out_to_the_end_where_they_are_too_many() -> None:
    levels = [f"def level{at}(x):\n" + f"    level{at - 1}(x)\n" * 40 for at in range(1, 4)]
    text = "def level0(x):\n" + "    x.sum()\n" * 40 + "".join(levels) + "def main(x):\n    level3(x)\n"
    assert written(text) is None


@pytest.mark.parametrize("body", ["raise NotImplementedError", "raise NotImplementedError('later')", "pass"])
def test_a_method_that_is_left_to_subclasses_is_not_written_out(body: str) -> None:
    text = (
        f"class Net(nn.Module):\n    def encode(self, x):\n        {body}\n"
        "    def forward(self, y):\n        return self.encode(y).abs()\n"
    )
    assert written(text, "forward", "Net") is None
