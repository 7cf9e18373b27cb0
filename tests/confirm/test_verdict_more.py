"""Verdicts of the rules that have an experiment of their own: what confirms, what refutes, and what says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from torchlint.confirm.case import Judgement
from torchlint.confirm.plan import Claim, Job
from torchlint.confirm.supervisor import Answer
from torchlint.confirm.verdict import judge
from torchlint.findings import Verdict

Facts = Mapping[str, Any]
LINE = 7
CONFIRMED, REFUTED, INCONCLUSIVE = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.INCONCLUSIVE
BUILT = ({"stage": "import"}, {"stage": "construct"}, {"stage": "constructed", "text": "Scale()", "seed": 0})
RAN = ({"stage": "forward"}, {"stage": "ran", "text": "x=2x3", "repeatable": True})
LINES = {"stage": "lines", "built": [LINE], "trained": [LINE], "ran": [LINE]}
NO_FORWARD = {"stage": "no forward", "error": "NotImplementedError: Scale has no forward()", "line": 0}


def judged(
    code: str,
    history: str,
    facts: Facts | None,
    *,
    member: str = "table",
    text: str = "",
    before: tuple[Facts, ...] = (*BUILT, *RAN, LINES),
) -> Judgement:
    """The judgement of one claim for which the child told the facts of one history."""
    claim = Claim("key", code, member, LINE, LINE, text)
    job = Job("/p/m.py", ("/p",), "m", "Scale", (claim,), claim.histories)
    told = () if facts is None else ({"stage": "facts", "name": history, "facts": facts},)
    return judge(Answer(job, tuple(dict(one) for one in (*before, *told)), "", 0.1), "sim")["key"]


# TL107, TL109


def registered(*found: tuple[int, str], hidden: tuple[str, ...] = ()) -> Facts:
    return {"raised": "", "registered": [list(one) for one in found], "hidden": list(hidden)}


DOTTED = "register_buffer() raises KeyError: the name 'run.mean' has a dot, which state_dict() keeps for paths"
TAKEN = "register_buffer() raises KeyError: the object has an attribute 'table' by then"
NESTED = "register_buffer() raises KeyError where the model has children: the names come with dots, as in layer.weight"
HIDDEN = "self.table never gives the module that the assignment registers: the value of the class hides it"


@pytest.mark.parametrize(
    ("text", "facts", "verdict"),
    [
        (TAKEN, registered((LINE, "table")), REFUTED),
        (TAKEN, registered((LINE, "other")), INCONCLUSIVE),
        (TAKEN, registered((LINE + 1, "table")), INCONCLUSIVE),
        (DOTTED, registered((LINE, "run.mean")), REFUTED),
        (NESTED, registered((LINE, "weight")), INCONCLUSIVE),
        (HIDDEN, registered((LINE, "table"), hidden=("self.table",)), CONFIRMED),
        (HIDDEN, registered((LINE, "table")), INCONCLUSIVE),
    ],
)
def test_name_that_was_registered_at_the_line(text: str, facts: Facts, verdict: Verdict) -> None:
    assert judged("TL107", "registrations", facts, text=text).verdict is verdict


def test_module_that_was_assigned_at_the_line_refutes_an_early_assignment() -> None:
    assert judged("TL109", "registrations", registered((LINE, "table"))).verdict is REFUTED
    assert judged("TL109", "registrations", registered()).verdict is INCONCLUSIVE


# TL112


def test_table_that_alone_keeps_the_module_alive_is_confirmed() -> None:
    text = "lru_cache on the method table() keeps every module that it was called on alive, with the tensors"
    assert judged("TL112", "freed", {"raised": "", "kept by": ["self.table"]}, text=text).verdict is CONFIRMED
    assert judged("TL112", "freed", {"raised": "", "kept by": ["self.other"]}, text=text).verdict is INCONCLUSIVE
    assert judged("TL112", "freed", {"raised": "", "kept by": ["self.table"]}).verdict is INCONCLUSIVE


# TL113


@pytest.mark.parametrize("path", ["LEVELS", "self.LEVELS", "Constants.LEVELS", "LEVELS['edge']"])
def test_tensor_of_a_file_or_class_is_found_under_its_name(path: str) -> None:
    facts = {"left": [path], "there": [], "raised": "", "finished": True, "read": [path], "clashes": [], "dtypes": []}
    claim = Claim("key", "TL113", "LEVELS", LINE)
    job = Job("/p/m.py", ("/p",), "m", "Scale", (claim,), claim.histories)
    state = {"held": {path: "global"}, "unregistered parameters": [], "same": {}, "read": [path], "none": []}
    told = [{"stage": "facts", "name": name, "facts": one} for name, one in (("state", state), ("move", facts))]
    records = tuple(dict(one) for one in (*BUILT, *RAN, LINES, *told))
    assert judge(Answer(job, records, "", 0.1), "sim")["key"].verdict is CONFIRMED


# TL118


def woken(**more: Any) -> Facts:
    usual = {"raised": "", "is trained": True, "called": [], "asleep": ["self.body.1"], "awake": ["self.body.1"]}
    return {**usual, "kinds": {"self.body.1": "BatchNorm2d"}, "trained": True, "trainer": False, **more}


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, CONFIRMED),
        ({"awake": []}, REFUTED),
        ({"asleep": [], "awake": []}, INCONCLUSIVE),
        ({"asleep": ["self.head"], "awake": ["self.head"]}, INCONCLUSIVE),
        ({"trained": False}, INCONCLUSIVE),
        ({"is trained": False}, INCONCLUSIVE),
        ({"trainer": True}, INCONCLUSIVE),
    ],
)
def test_sleeping_part(change: dict[str, Any], verdict: Verdict) -> None:
    text = "__init__() puts self.body into eval mode once: the next train() of the module puts it back"
    assert judged("TL118", "wake", woken(**change), member="body", text=text).verdict is verdict


def test_forward_that_never_ran_may_put_the_part_to_sleep_again() -> None:
    unknown = {**NO_FORWARD, "error": "TypeError: no x"}
    found = judged("TL118", "wake", woken(), member="body", before=(*BUILT, unknown, LINES))
    assert found.verdict is INCONCLUSIVE
    found = judged("TL118", "wake", woken(), member="body", before=(*BUILT, NO_FORWARD, LINES))
    assert found.verdict is CONFIRMED


def test_parts_that_are_chosen_by_their_class_are_found_without_a_name() -> None:
    text = "__init__() puts what is chosen by its class into eval mode once"
    assert judged("TL118", "wake", woken(), member="__init__", text=text).verdict is CONFIRMED


# TL120, TL122


def resumed(**more: Any) -> Facts:
    usual = {"raised": "", "trained": True, "refused": "", "refused before": "", "unexpected": []}
    lists = {"changed": ["table"], "restored": [], "anew": [], "by eval": [], "by training": []}
    return {**usual, **lists, "matter": {"table": "by 0.4 in evaluation"}, **more}


REFUSED = {"unexpected": ["part.table"], "refused": "RuntimeError: Unexpected key(s) in state_dict"}


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        (REFUSED, CONFIRMED),
        ({**REFUSED, "unexpected": ["other"]}, INCONCLUSIVE),
        ({**REFUSED, "refused before": "RuntimeError: Unexpected key"}, INCONCLUSIVE),
        ({**REFUSED, "refused": ""}, INCONCLUSIVE),
        ({"restored": ["table"]}, REFUTED),
        ({"changed": []}, INCONCLUSIVE),
    ],
)
def test_buffer_that_is_filled_late(change: dict[str, Any], verdict: Verdict) -> None:
    assert judged("TL120", "resume", resumed(**change)).verdict is verdict


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, CONFIRMED),
        ({"restored": ["table"]}, REFUTED),
        ({"matter": {}}, INCONCLUSIVE),
        ({"changed": []}, INCONCLUSIVE),
        ({"by eval": ["table"]}, INCONCLUSIVE),
        ({"by training": ["table"]}, INCONCLUSIVE),
        ({"by training": ["table"], "matter": {"table": "by 0.4 in training"}}, CONFIRMED),
    ],
)
def test_value_that_is_not_saved(change: dict[str, Any], verdict: Verdict) -> None:
    assert judged("TL122", "resume", resumed(**change)).verdict is verdict


# TL121


def once(**more: Any) -> Facts:
    return {"raised": "", "error": "", "overwritten": [], "written": ["self.table"], "trained": True, **more}


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({"error": "RuntimeError: modified by an inplace operation", "overwritten": ["self.table"]}, CONFIRMED),
        ({"error": "RuntimeError: modified by an inplace operation", "overwritten": ["self.other"]}, INCONCLUSIVE),
        ({}, REFUTED),
        ({"written": []}, INCONCLUSIVE),
        ({"trained": False}, INCONCLUSIVE),
    ],
)
def test_buffer_that_is_written_after_it_was_saved(change: dict[str, Any], verdict: Verdict) -> None:
    assert judged("TL121", "once", once(**change)).verdict is verdict


@pytest.mark.parametrize("code", ["TL118", "TL120", "TL121", "TL122"])
def test_history_that_was_not_run_is_inconclusive(code: str) -> None:
    assert judged(code, "none", None).verdict is INCONCLUSIVE
