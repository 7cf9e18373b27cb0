"""From records to verdicts: what confirms, what refutes, and what says nothing. No torch is needed here."""

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
OUTLIVES = {
    "TL103": "self.table is computed from parameters or buffers and stays as it was after load_state_dict()",
    "TL104": "self.table is kept by the shape of x alone, but depends on the dtype too: the old value outlives .half()",
}
BUILT = ({"stage": "import"}, {"stage": "construct"}, {"stage": "constructed", "text": "Scale(dim=3)", "seed": 0})
RAN = ({"stage": "forward"}, {"stage": "ran", "text": "x=2x3", "repeatable": True})
LINES = {"stage": "lines", "built": [LINE], "trained": [LINE], "ran": [LINE]}


def judged(
    code: str,
    facts: Mapping[str, Facts],
    *,
    member: str = "table",
    text: str | None = None,
    before: tuple[Facts, ...] = (*BUILT, *RAN, LINES),
    after: tuple[Facts, ...] = (),
    ended: str = "",
    device: str = "sim",
) -> Judgement:
    """The judgement of one claim of the class Scale, for which the child told `facts` by history."""
    claim = Claim("key", code, member, LINE, LINE, OUTLIVES.get(code, "") if text is None else text)
    job = Job("/p/m.py", ("/p",), "m", "Scale", (claim,), claim.histories)
    told = tuple({"stage": "facts", "name": name, "facts": some} for name, some in facts.items())
    records = tuple(dict(record) for record in (*before, *told, *after))
    return judge(Answer(job, records, ended, 0.1), device)["key"]


def held(paths: Mapping[str, str], **more: Any) -> Facts:
    """The facts of the history `state`."""
    usual = {"unregistered parameters": [], "only Parameters of the module": [], "none": [], "same": {}, "read": []}
    return {**usual, "held": dict(paths), **more}


def converted(*, left: tuple[str, ...] = (), there: tuple[str, ...] = (), **more: Any) -> Facts:
    """The facts of a conversion after which forward ran to its end."""
    usual = {"raised": "", "finished": True, "read": [], "clashes": [], "dtypes": ["torch.bfloat16"]}
    return {**usual, "left": list(left), "there": list(there), **more}


def clash(what: str, *names: str, **more: Any) -> dict[str, Any]:
    return {
        "what": what,
        "operation": "add",
        "names": list(names),
        "line": 9,
        "error": "E: devices",
        "by_hand": [],
        **more,
    }


PLAIN = held({"self.table": "attribute"})
LEFT = converted(left=("self.table",))
MOVED = converted(there=("self.table",))
ALL_MOVED = dict.fromkeys(("move", "half", "move in a parent", "half in a parent"), MOVED)
RAISES = converted(left=("self.table",), raised="E: devices", clashes=[clash("raised", "self.table")], finished=False)


# A class that could not be built or called


def test_file_that_cannot_be_imported_is_inconclusive() -> None:
    failed = {"stage": "failed", "error": "ModuleNotFoundError: No module named 'einops'", "line": 3}
    found = judged("TL101", {}, before=({"stage": "import"}, failed))
    assert found.verdict is INCONCLUSIVE
    assert found.evidence == ("the file could not be imported: ModuleNotFoundError: No module named 'einops' (line 3)")


@pytest.mark.parametrize(
    ("code", "error", "line", "verdict"),
    [
        ("TL107", "KeyError: \"attribute 'table' already exists\"", LINE, CONFIRMED),
        ("TL107", "KeyError: \"attribute 'table' already exists\"", LINE + 1, INCONCLUSIVE),
        ("TL107", "TypeError: zeros() needs a size", LINE, INCONCLUSIVE),
        ("TL109", "AttributeError: cannot assign module before Module.__init__() call", LINE, CONFIRMED),
        ("TL109", "AttributeError: 'Config' object has no attribute 'dim'", LINE, INCONCLUSIVE),
        ("TL101", "KeyError: \"attribute 'table' already exists\"", LINE, INCONCLUSIVE),
    ],
)
def test_constructor_that_raises_confirms_only_the_fault_of_the_rule(
    code: str, error: str, line: int, verdict: Verdict
) -> None:
    failed = {"stage": "failed", "error": error, "line": line}
    assert judged(code, {}, before=(*BUILT[:2], failed)).verdict is verdict


def test_error_of_the_import_at_the_line_confirms_nothing() -> None:
    failed = {"stage": "failed", "error": "KeyError: 'x already exists'", "line": LINE}
    assert judged("TL107", {}, before=({"stage": "import"}, failed)).verdict is INCONCLUSIVE


@pytest.mark.parametrize("code", ["TL107", "TL109"])
def test_class_that_can_be_built_alone_does_not_refute_that_it_raises(code: str) -> None:
    assert judged(code, {}).verdict is INCONCLUSIVE


def test_field_of_a_dataclass_has_no_line_and_is_known_by_its_name() -> None:
    text = "table is a field of a dataclass: the generated constructor assigns it before __post_init__ can call"
    error = "AttributeError: cannot assign module before Module.__init__() call"
    failed = {"stage": "failed", "error": error, "line": 0, "assigned": "table"}
    assert judged("TL109", {}, before=(*BUILT[:2], failed), text=text).verdict is CONFIRMED
    other = {**failed, "assigned": "other"}
    assert judged("TL109", {}, before=(*BUILT[:2], other), text=text).verdict is INCONCLUSIVE


def test_child_that_was_stopped_says_where() -> None:
    found = judged("TL101", {}, before=BUILT[:2], ended="killed by SIGSEGV")
    assert found.evidence == "stopped at construct: killed by SIGSEGV"


def test_child_that_told_nothing_is_inconclusive() -> None:
    assert judged("TL101", {}, before=(), ended="timeout").evidence == "stopped at start: timeout"


def test_refutation_waits_for_all_histories() -> None:
    facts = {"state": held({"self.table": "buffer"}), "move": MOVED}
    found = judged("TL101", facts, ended="timeout")
    assert found.verdict is INCONCLUSIVE
    assert found.evidence.endswith("timeout")


def test_missing_forward_is_the_reason_of_what_is_not_known() -> None:
    none = {"stage": "no forward", "error": "TypeError: no x", "line": 0}
    found = judged("TL102", {"state": PLAIN}, before=(*BUILT, none, LINES))
    assert found.verdict is INCONCLUSIVE
    assert "no inputs were found on which forward runs: TypeError: no x" in found.evidence


# TL101, TL105


def test_tensor_that_makes_forward_raise_is_confirmed_with_line_and_name() -> None:
    found = judged("TL101", {"state": PLAIN, "move": RAISES})
    assert found.verdict is CONFIRMED
    assert found.evidence == (
        'Scale(dim=3); .to("cuda"); forward with x=2x3 [simulated device]: add at line 9 raises, '
        "since self.table stayed behind: E: devices (seed 0)"
    )


@pytest.mark.parametrize("other", ["self.tables", "self.child.table", "self.table_of", "table", "self.other"])
def test_clash_of_another_name_confirms_nothing(other: str) -> None:
    raises = converted(left=(other,), raised="E: devices", clashes=[clash("raised", other)])
    assert judged("TL101", {"state": PLAIN, "move": raises}).verdict is not CONFIRMED


@pytest.mark.parametrize("below", ["self.table[0]", "self.table['a'].weight", "self.table.<closure high>"])
def test_what_lies_below_the_attribute_is_its_own(below: str) -> None:
    raises = converted(left=(below,), raised="E: devices", clashes=[clash("raised", below)])
    assert judged("TL101", {"state": PLAIN, "move": raises}).verdict is CONFIRMED


def test_private_name_is_found_under_that_of_its_class() -> None:
    raises = converted(left=("self._Scale__table",), raised="E", clashes=[clash("raised", "self._Scale__table")])
    assert judged("TL101", {"state": PLAIN, "move": raises}, member="__table").verdict is CONFIRMED


def test_tensor_that_another_attribute_holds_as_well_is_found_under_that_name() -> None:
    raises = converted(left=("self.first",), raised="E: devices", clashes=[clash("raised", "self.first")])
    state = held({"self.first": "attribute"}, same={"self.table": ["self.first"]})
    assert judged("TL101", {"state": state, "move": raises}).verdict is CONFIRMED


def test_clash_that_the_code_survives_is_no_harm() -> None:
    survived = converted(left=("self.table",), clashes=[clash("raised", "self.table")], read=["self.table"])
    assert "state only" in judged("TL101", {"state": PLAIN, "move": survived}).evidence


def test_clash_where_the_simulation_is_in_doubt_is_no_harm() -> None:
    state = held({"self.table": "attribute"})
    found = judged("TL101", {"state": state, "move": {**RAISES, "doubts": ["asks for CUDA"]}})
    assert found.verdict is INCONCLUSIVE


def test_harm_seen_once_another_one_is_converted_says_so() -> None:
    second = clash("raised", "self.table", by_hand=["self.other"])
    raises = converted(left=("self.table",), raised="E: devices", clashes=[second])
    evidence = judged("TL101", {"state": PLAIN, "move": raises}).evidence
    assert "raises (once self.other is converted by hand), since self.table" in evidence


@pytest.mark.parametrize(
    ("dtypes", "otherwise", "is_harm"),
    [
        (["torch.float32"], ["torch.bfloat16"], True),
        (["torch.float32"], ["torch.float32"], False),
        (["torch.bfloat16"], ["torch.bfloat16"], False),
        (["torch.float32"], [], False),
    ],
)
def test_promotion_counts_where_the_output_would_be_narrow_without_it(
    dtypes: list[str], otherwise: list[str], is_harm: bool
) -> None:
    half = converted(
        left=("self.table",),
        clashes=[clash("promoted", "self.table")],
        dtypes=dtypes,
        **{"dtypes when all convert": otherwise},
    )
    found = judged("TL101", {"state": PLAIN, "move": MOVED, "half": half})
    assert ("so does the output" in found.evidence) is is_harm


@pytest.mark.parametrize(
    ("history", "otherwise", "is_harm"),
    [
        ("half when used", ["torch.bfloat16"], True),
        ("half when used", ["torch.float32"], False),
        ("move when used", [], True),
    ],
)
def test_cache_that_forward_hands_out_without_an_operation_is_harm(
    history: str, otherwise: list[str], is_harm: bool
) -> None:
    facts = converted(
        left=("self.table",),
        built=["self.table"],
        fresh="",
        dtypes=["torch.float32"],
        **{"given out": ["self.table"], "dtypes when all convert": otherwise},
    )
    text = OUTLIVES["TL104"].replace(".half()", ".to() and .half()")
    found = judged("TL104", {history: facts}, text=text)
    assert (found.verdict is CONFIRMED, "gives out self.table" in found.evidence) == (is_harm, is_harm)


def test_tensor_that_forward_gets_along_with_is_state_only() -> None:
    found = judged("TL101", {"state": PLAIN, "move": converted(left=("self.table",), read=["self.table"])})
    assert found.verdict is CONFIRMED
    assert "(state only: forward runs all the same)" in found.evidence


@pytest.mark.parametrize(("text", "verdict"), [("forward() converts at every read", CONFIRMED), ("", INCONCLUSIVE)])
def test_tensor_that_forward_converts_is_what_only_some_findings_say(text: str, verdict: Verdict) -> None:
    facts = converted(left=("self.table",), read=["self.table"], converted=["self.table"])
    found = judged("TL101", {"state": PLAIN, "move": facts}, text=text)
    assert found.verdict is verdict
    assert "forward converts it" in found.evidence


@pytest.mark.parametrize(("device", "verdict"), [("sim", REFUTED), ("", INCONCLUSIVE)])
def test_tensor_that_was_not_moved_is_not_refuted(device: str, verdict: Verdict) -> None:
    plain = {"state": PLAIN, **dict.fromkeys(("half", "half in a parent"), MOVED)}
    moved = dict.fromkeys(("move", "move in a parent"), MOVED) if device else {}
    assert judged("TL101", {**plain, **moved}, device=device).verdict is verdict


def test_tensor_behind_another_error_is_state_only_where_the_cpu_reads_it() -> None:
    raises = converted(left=("self.table",), raised="E: other", finished=False)
    read = held({"self.table": "attribute"}, read=["self.table"])
    assert "(state only: it raises before that)" in judged("TL101", {"state": read, "move": raises}).evidence
    assert judged("TL101", {"state": PLAIN, "move": raises}).verdict is INCONCLUSIVE


def test_tensor_that_forward_does_not_read_is_inconclusive() -> None:
    found = judged("TL101", {"state": PLAIN, **dict.fromkeys(ALL_MOVED, LEFT)})
    assert found == Judgement(INCONCLUSIVE, "self.table stays behind, but the forward that ran does not read it")


def test_tensor_left_behind_without_a_forward_is_state_only() -> None:
    found = judged("TL101", {"state": PLAIN, "move": LEFT}, before=(*BUILT, LINES))
    assert found.verdict is CONFIRMED
    assert 'Scale(dim=3); .to("cuda") [simulated device]: self.table stays behind (state only' in found.evidence


def test_parameter_that_nobody_sees_is_confirmed() -> None:
    lost = {"unregistered parameters": ["self.table[0]"], "read": ["self.table[0]"]}
    state = held({"self.table[0]": "container"}, **lost)
    assert "self.table[0] is in neither parameters() nor state_dict()" in judged("TL105", {"state": state}).evidence


@pytest.mark.parametrize(
    "more",
    [{"read": []}, {"refilled": ["self.table"]}, {"given out": ["self.table[0]"]}],
    ids=["unread", "refilled by forward", "given out by parameters()"],
)
def test_container_that_is_no_state_confirms_nothing(more: dict[str, Any]) -> None:
    lost = {"unregistered parameters": ["self.table[0]"], "read": ["self.table[0]"], **more}
    assert judged("TL105", {"state": held({"self.table[0]": "container"}, **lost)}).verdict is INCONCLUSIVE


@pytest.mark.parametrize("how", ["buffer", "parameter"])
def test_registered_tensor_is_refuted(how: str) -> None:
    assert judged("TL101", {"state": held({"self.table": how}), **ALL_MOVED}).verdict is REFUTED


def test_registered_tensor_of_another_line_is_inconclusive() -> None:
    lines = {"stage": "lines", "built": [LINE + 1], "ran": []}
    found = judged("TL101", {"state": held({"self.table": "buffer"}), **ALL_MOVED}, before=(*BUILT, *RAN, lines))
    assert found.evidence == "line 7 did not run in an object that was built so"


def test_tensor_that_forward_brings_along_is_inconclusive() -> None:
    brought = converted(left=("self.table",), read=["self.table"], **{"brought along": ["self.table"]})
    found = judged("TL101", {"state": PLAIN, **dict.fromkeys(ALL_MOVED, brought)})
    assert found == Judgement(INCONCLUSIVE, "self.table stays behind, and forward brings it along")


@pytest.mark.parametrize(("how", "verdict"), [("attribute", INCONCLUSIVE), ("class", CONFIRMED)])
def test_tensor_of_a_line_that_did_not_run_says_nothing_of_it(how: str, verdict: Verdict) -> None:
    lines = {"stage": "lines", "built": [LINE + 1], "ran": []}
    facts = {"state": held({"self.table": how}, read=["self.table"]), "move": LEFT}
    assert judged("TL101", facts, before=(*BUILT, *RAN, lines)).verdict is verdict


def test_tensor_that_an_owner_moves_is_inconclusive() -> None:
    mover = {"stage": "class", "writers": {}, "movers": {"table": ["Model._apply"]}}
    facts = {"state": held({"self.table": "attribute"}, read=["self.table"]), "move": LEFT}
    found = judged("TL101", facts, before=(*BUILT, mover, *RAN, LINES))
    assert found == Judgement(INCONCLUSIVE, "Model._apply() moves self.table")


def test_plain_tensor_that_moves_along_is_refuted() -> None:
    assert judged("TL101", {"state": PLAIN, **ALL_MOVED}).verdict is REFUTED


def test_plain_tensor_that_only_its_own_to_moves_is_inconclusive() -> None:
    assert judged("TL101", {"state": PLAIN, **ALL_MOVED, "move in a parent": LEFT}).verdict is INCONCLUSIVE


def test_integers_say_nothing_of_a_narrower_dtype() -> None:
    none = converted()
    facts = {"state": PLAIN, "half": none, "half in a parent": none}
    assert judged("TL101", facts, device="").verdict is INCONCLUSIVE


def test_attribute_without_tensor_is_inconclusive() -> None:
    assert judged("TL101", {"state": held({}), **ALL_MOVED}).verdict is INCONCLUSIVE


def test_container_of_parameters_that_are_registered_elsewhere_is_refuted() -> None:
    state = held({}, **{"only Parameters of the module": ["self.table"]})
    assert judged("TL105", {"state": state, **ALL_MOVED}).verdict is REFUTED


# TL103, TL104


def event(**more: Any) -> Facts:
    """The facts of an event after which the cache was renewed."""
    return {
        "built": ["self.table"],
        "raised": "",
        "fresh": "",
        "stale": [],
        "renewed": ["self.table"],
        "differs": "",
        **more,
    }


STALE = event(stale=["self.table"], matter=["self.table"], renewed=[], differs="by 0.4 of the largest value")
LOADS = ("load", "load in a parent", "load by assignment")
HALVES = ("half when used", "half when used in a parent", "half after a second eval")
BUILT_ONCE = {"raised": "", "counts": {"self.table": 1}, "moving": []}


def test_cache_that_outlives_a_load_is_confirmed() -> None:
    found = judged("TL103", {"load": STALE})
    assert found.verdict is CONFIRMED
    assert "self.table keeps its old value: the output differs from that of a fresh module by 0.4" in found.evidence


def test_cache_that_only_a_parent_does_not_renew_is_confirmed_as_that() -> None:
    evidence = judged("TL103", {"load": event(), "load in a parent": STALE}).evidence
    assert evidence.startswith("Scale(dim=3); as a part of another module: .eval(); forward; load_state_dict()")


def test_cache_that_makes_forward_raise_is_confirmed() -> None:
    facts = event(stale=["self.table"], matter=["self.table"], raised="RuntimeError: shapes")
    assert "forward raises: RuntimeError: shapes" in judged("TL103", {"load": facts}).evidence


@pytest.mark.parametrize(
    "change",
    [
        {"fresh": "RuntimeError: no kernel"},
        {"matter": ["self.other"]},
        {"matter": []},
        {"stale": ["self.other"], "matter": ["self.other"]},
    ],
)
def test_difference_that_the_cache_does_not_make_confirms_nothing(change: dict[str, Any]) -> None:
    assert judged("TL103", {"load": {**STALE, **change}}).verdict is INCONCLUSIVE


def test_cache_of_a_cache_is_confirmed() -> None:
    facts = {**STALE, "built": ["self.table", "self.sum"], "stale": ["self.table", "self.sum"], "matter": ["self.sum"]}
    assert judged("TL103", {"load": facts}).verdict is CONFIRMED


def test_random_forward_confirms_and_refutes_nothing() -> None:
    random = (*BUILT, {"stage": "ran", "text": "x=2x3", "repeatable": False}, LINES)
    assert judged("TL103", {"load": STALE}, before=random).verdict is INCONCLUSIVE
    assert judged("TL103", dict.fromkeys(LOADS, event()), before=random).verdict is INCONCLUSIVE


def test_event_that_the_finding_does_not_name_is_not_asked() -> None:
    text = "self.table is computed from parameters and stays as it was after .to()/.half(); load_state_dict() renews it"
    found = judged("TL103", {"load": STALE}, text=text, device="")
    assert found.verdict is INCONCLUSIVE


def test_finding_that_names_no_event_we_know_is_inconclusive() -> None:
    text = (
        "self.table is kept by its presence alone, but depends on self.n too: the old value outlives the next instance"
    )
    assert judged("TL104", {}, text=text).evidence == "what the finding says it outlives cannot be tried"


def test_cache_renewed_at_every_event_is_refuted() -> None:
    found = judged("TL103", {"rebuilds": BUILT_ONCE, **dict.fromkeys(LOADS, event())})
    assert found.verdict is REFUTED
    assert "self.table is built once in three forwards" in found.evidence


def test_value_that_each_forward_changes_is_no_cache() -> None:
    moving = {**BUILT_ONCE, "counts": {"self.table": 3}, "moving": ["self.table"]}
    assert judged("TL103", {"rebuilds": moving, "load": STALE}).verdict is INCONCLUSIVE


def test_layer_that_a_mode_change_replaces_by_a_new_one_is_no_cache() -> None:
    text = "self.table is computed from parameters and stays as it was after train(True)"
    facts = {"rebuilds": BUILT_ONCE, "train again": {**STALE, "replaced": ["self.table"]}}
    assert judged("TL103", facts, text=text).verdict is INCONCLUSIVE


def written(name: str, *, is_open: bool = True, first: int = LINE + 10) -> Facts:
    """What the class says of a method that writes the attribute."""
    return {"stage": "class", "writers": {"table": [[name, is_open, first, first + 3]]}}


@pytest.mark.parametrize(
    ("writer", "verdict"),
    [
        (written("reset"), INCONCLUSIVE),
        (written("_build", is_open=False), CONFIRMED),
        (written("table", first=LINE - 1), CONFIRMED),
    ],
)
def test_owner_who_empties_a_cache_decides_how_long_it_lives(writer: Facts, verdict: Verdict) -> None:
    facts = {"half when used": {**RAISES, "built": ["self.table"], "fresh": ""}}
    assert judged("TL104", facts, before=(*BUILT, writer, *RAN, LINES), device="").verdict is verdict


@pytest.mark.parametrize(("first", "verdict"), [(LINE - 1, CONFIRMED), (LINE + 10, INCONCLUSIVE)])
def test_method_that_construction_calls_does_not_fill_a_container_with_data(first: int, verdict: Verdict) -> None:
    lost = {"unregistered parameters": ["self.table[0]"], "read": ["self.table[0]"]}
    writer = written("equip", first=first)
    state = held({"self.table[0]": "container"}, **lost)
    assert judged("TL105", {"state": state}, before=(*BUILT, writer, *RAN, LINES)).verdict is verdict


@pytest.mark.parametrize(
    "change",
    [{"renewed": []}, {"stale": ["self.table"]}, {"differs": "by 0.4"}, {"raised": "E"}, {"fresh": "E"}],
)
def test_event_that_shows_no_renewal_refutes_nothing(change: dict[str, Any]) -> None:
    facts = {"rebuilds": BUILT_ONCE, **dict.fromkeys(LOADS, event()), "load in a parent": event(**change)}
    assert judged("TL103", facts).verdict is INCONCLUSIVE


def test_cache_that_was_never_built_refutes_nothing() -> None:
    assert judged("TL103", dict.fromkeys(LOADS, event(built=[]))).verdict is INCONCLUSIVE


def test_event_that_was_not_tried_refutes_nothing() -> None:
    assert judged("TL103", {"load": event()}, ended="timeout").verdict is INCONCLUSIVE


def test_conversions_of_a_cache_confirm_and_refute() -> None:
    fine = converted(there=("self.table",), built=["self.table"], fresh="")
    raises = {**RAISES, "built": ["self.table"], "fresh": ""}
    all_fine = {"rebuilds": BUILT_ONCE, **dict.fromkeys(HALVES, fine)}
    assert judged("TL104", all_fine, device="").verdict is REFUTED
    assert judged("TL104", {HALVES[0]: raises}, device="").verdict is CONFIRMED
    assert judged("TL104", {HALVES[0]: {**raises, "fresh": "E"}}, device="").verdict is INCONCLUSIVE


# Names made at run time, and of parts


@pytest.mark.parametrize(
    ("member", "path", "verdict"),
    [
        ("table*", "self.table7", CONFIRMED),
        ("table*", "self.other7", INCONCLUSIVE),
        ("part.table", "self.part.table", CONFIRMED),
        ("part.table", "self.table", INCONCLUSIVE),
        ("part.table", "self.partxtable", INCONCLUSIVE),
    ],
)
def test_attribute_is_known_by_its_pattern_and_its_path(member: str, path: str, verdict: Verdict) -> None:
    raises = {**RAISES, "left": [path], "clashes": [clash("raised", path)]}
    assert judged("TL101", {"state": held({path: "attribute"}), "move": raises}, member=member).verdict is verdict


# TL102


def steps(**more: Any) -> Facts:
    usual = {"raised": "", "kept": [], "copy": "", "carrying": [], "trained": True}
    return {**usual, **more}


USED = {"state": PLAIN, "move when used": MOVED, "half when used": MOVED, "rebuilds": BUILT_ONCE}


def test_second_backward_through_the_attribute_is_confirmed() -> None:
    facts = steps(raised="backward of call 2: a second time", kept=["self.table"], carrying=["self.table"])
    assert "(self.table keeps the graph)" in judged("TL102", {"twice": facts}).evidence


def test_second_backward_through_another_attribute_confirms_nothing() -> None:
    facts = steps(raised="a second time", kept=["self.table", "self.memory"], carrying=["self.memory"])
    assert judged("TL102", {**USED, "twice": facts}).verdict is INCONCLUSIVE


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("self.table carries a tensor", INCONCLUSIVE), ("self.table: the graph grows with every call", CONFIRMED)],
)
def test_graph_that_a_method_lets_go_is_confirmed_only_where_it_grows(text: str, verdict: Verdict) -> None:
    facts = steps(raised="a second time", kept=["self.table"], carrying=["self.table"], anew=["self.table"])
    assert judged("TL102", {**USED, "twice": facts}, text=text).verdict is verdict


@pytest.mark.parametrize(("times", "verdict"), [(1, INCONCLUSIVE), (3, CONFIRMED)])
def test_move_after_use_proves_a_memory_and_no_cache(times: int, verdict: Verdict) -> None:
    counted = {**BUILT_ONCE, "counts": {"self.table": times}}
    facts = {**USED, "move when used": RAISES, "twice": steps(kept=["self.table"]), "rebuilds": counted}
    assert judged("TL102", facts).verdict is verdict


def test_graph_behind_a_layer_is_confirmed_as_that() -> None:
    facts = {**USED, "twice": steps(kept=["self.table"], **{"behind a layer": ["self.table"]})}
    assert ".train(); forward behind a layer; backward, twice" in judged("TL102", facts).evidence
    other = {**USED, "twice": steps(kept=["self.table"], **{"behind a layer": ["self.memory"]})}
    assert judged("TL102", other).verdict is INCONCLUSIVE


def test_copy_that_the_graph_prevents_is_confirmed() -> None:
    facts = {**USED, "twice": steps(kept=["self.table"], copy="deepcopy: RuntimeError")}
    assert judged("TL102", facts, text="self.table keeps the graph: copy.deepcopy() of it fails").verdict is CONFIRMED
    assert judged("TL102", facts, text="self.table carries a tensor to the next call").verdict is INCONCLUSIVE
    assert judged("TL102", {**USED, "twice": steps(copy="deepcopy: RuntimeError")}).verdict is not CONFIRMED


def test_attribute_without_graph_is_refuted_only_after_training_that_stored_it() -> None:
    assert judged("TL102", {**USED, "twice": steps()}).verdict is REFUTED
    assert judged("TL102", {**USED, "twice": steps(trained=False)}).verdict is INCONCLUSIVE
    idle = {"stage": "lines", "built": [], "ran": []}
    assert judged("TL102", {**USED, "twice": steps()}, before=(*BUILT, *RAN, idle)).verdict is INCONCLUSIVE
    only_in_eval = {"stage": "lines", "built": [], "trained": [], "ran": [LINE]}
    assert judged("TL102", {**USED, "twice": steps()}, before=(*BUILT, *RAN, only_in_eval)).verdict is INCONCLUSIVE
    assert judged("TL102", {**USED, "twice": steps(), "move when used": LEFT}).verdict is INCONCLUSIVE


# TL106


def reloaded(**more: Any) -> Facts:
    return {"derived": ["self.table"], "stale": [], "stale when converted": [], "read": ["self.table"], **more}


def test_value_that_a_later_method_writes_confirms_nothing() -> None:
    before = (*BUILT, written("update"), *RAN, LINES)
    assert judged("TL106", {"reload": reloaded(stale=["self.table"])}, before=before).verdict is INCONCLUSIVE


@pytest.mark.parametrize(("saved", "verdict"), [([], INCONCLUSIVE), (["self.table"], CONFIRMED)])
def test_value_of_frozen_weights_goes_stale_only_where_it_is_not_saved(saved: list[str], verdict: Verdict) -> None:
    facts = reloaded(stale=["self.table"], frozen=True, **{"stale when all is loaded": saved})
    assert judged("TL106", {"reload": facts}).verdict is verdict


def test_value_of_the_first_weights_is_confirmed() -> None:
    assert judged("TL106", {"reload": reloaded(stale=["self.table"])}).verdict is CONFIRMED
    assert "float64" in judged("TL106", {"reload": reloaded(**{"stale when converted": ["self.table"]})}).evidence


def test_value_of_the_first_weights_that_forward_does_not_read_confirms_and_refutes_nothing() -> None:
    facts = {"state": PLAIN, "reload": reloaded(stale=["self.table"], read=[])}
    assert judged("TL106", facts).verdict is INCONCLUSIVE


def test_attribute_that_stays_behind_without_graph_confirms_nothing() -> None:
    facts = {"state": PLAIN, "twice": steps(), "move when used": RAISES, "half when used": MOVED}
    assert judged("TL102", facts).verdict is INCONCLUSIVE


def test_random_value_that_no_weight_decides_confirms_nothing() -> None:
    facts = {"state": PLAIN, "reload": reloaded(derived=[], stale=["self.table"])}
    assert judged("TL106", facts).verdict is INCONCLUSIVE


def test_value_that_follows_the_weights_is_refuted() -> None:
    assert judged("TL106", {"state": PLAIN, "reload": reloaded()}).verdict is REFUTED
    assert judged("TL106", {"state": PLAIN, "reload": reloaded(derived=[])}).verdict is INCONCLUSIVE


# TL108


def modes(**more: Any) -> Facts:
    usual = {
        "raised": "",
        "returned": "self",
        "eval_returned": "self",
        "still": [],
        "not_back": [],
        "not callable": [],
        "unreached": [],
        "by eval alone": [],
    }
    return {**usual, **more}


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, REFUTED),
        ({"returned": "NoneType"}, CONFIRMED),
        ({"still": ["self", "part"]}, INCONCLUSIVE),
        (
            {"raised": "TypeError: Scale.train() takes 1 positional argument but 2 were given", "returned": ""},
            CONFIRMED,
        ),
        ({"raised": "AttributeError: 'NoneType' object has no attribute 'eval'", "returned": ""}, INCONCLUSIVE),
        ({"still": ["norm"]}, INCONCLUSIVE),
        ({"not_back": ["norm"]}, INCONCLUSIVE),
        ({"unreached": [12]}, INCONCLUSIVE),
        ({"not callable": ["train"]}, CONFIRMED),
    ],
)
def test_train(change: dict[str, Any], verdict: Verdict) -> None:
    assert judged("TL108", {"protocol": modes(**change)}, member="train").verdict is verdict


@pytest.mark.parametrize(
    "text",
    [
        "train() never reaches train() of nn.Module: the module's own training flag stays as it was",
        "train() calls train() of nn.Module without its mode: train(False) leaves the module as it was",
    ],
)
def test_kept_mode_confirms_a_finding_that_speaks_of_it(text: str) -> None:
    facts = {"protocol": modes(still=["self", "part"])}
    assert judged("TL108", facts, member="train", text=text).verdict is CONFIRMED


def test_any_error_confirms_a_train_that_is_no_change_of_mode() -> None:
    text = "train() is no change of mode: eval() and a parent's train(mode) call it all the same"
    facts = {"protocol": modes(raised="AttributeError: no opt", returned="")}
    assert judged("TL108", facts, member="train", text=text).verdict is CONFIRMED


@pytest.mark.parametrize(
    ("change", "verdict"),
    [({}, INCONCLUSIVE), ({"eval_returned": "NoneType"}, CONFIRMED), ({"by eval alone": ["self.grid"]}, CONFIRMED)],
)
def test_eval(change: dict[str, Any], verdict: Verdict) -> None:
    assert judged("TL108", {"protocol": modes(**change)}, member="eval").verdict is verdict


def test_other_members_are_only_asked_whether_they_can_be_called() -> None:
    assert judged("TL108", {"protocol": modes()}, member="half").verdict is INCONCLUSIVE
    assert judged("TL108", {"protocol": modes(**{"not callable": ["half"]})}, member="half").verdict is CONFIRMED


# TL114, TL115


@pytest.mark.parametrize(
    ("here", "elsewhere", "verdict"),
    [
        ("attribute", "attribute", CONFIRMED),
        ("parameter", "attribute", CONFIRMED),
        ("parameter", "parameter", INCONCLUSIVE),
        ("buffer", "buffer", INCONCLUSIVE),
    ],
)
def test_lost_parameter(here: str, elsewhere: str, verdict: Verdict) -> None:
    lost = {"of lost Parameters": ["self.table"]}
    facts = {"state": held({"self.table": here}, **lost), "state elsewhere": held({"self.table": elsewhere}, **lost)}
    assert judged("TL114", facts).verdict is verdict
    assert judged("TL114", facts, before=(*BUILT, *RAN)).verdict is INCONCLUSIVE


def test_plain_tensor_of_a_registered_parameter_is_not_lost() -> None:
    plain = held({"self.table": "attribute"}, **{"of lost Parameters": ["self.other"]})
    assert judged("TL114", {"state": plain, "state elsewhere": plain}).verdict is INCONCLUSIVE


def test_name_registered_as_none_is_not_emptied() -> None:
    facts = {"state": held({}, none=["self.table"]), "registrations": {"empty": [[LINE, "table"]]}}
    assert judged("TL115", facts).evidence == "None is what line 7 registers"
    facts["registrations"] = {"empty": [[LINE, "table"]], "registered": [[LINE, "table"]]}
    assert judged("TL115", facts).verdict is CONFIRMED
    facts["registrations"] = {"empty": [[LINE + 1, "table"]]}
    assert judged("TL115", facts).verdict is CONFIRMED


def test_emptied_attribute() -> None:
    registered = {"registrations": {"empty": []}}
    assert judged("TL115", {"state": held({}, none=["self.table"]), **registered}).verdict is CONFIRMED
    assert judged("TL115", {"state": held({}, none=["self.other"]), **registered}).verdict is INCONCLUSIVE
    before = {"state": held({}, none=["self.table"]), **registered}
    assert judged("TL115", before, before=BUILT).verdict is INCONCLUSIVE


def test_eval_that_wants_arguments_is_confirmed() -> None:
    raised = "TypeError: Scale.eval() missing 1 required positional argument: 'loader'"
    facts = {"protocol": modes(raised=raised, returned="")}
    assert "eval() without arguments raises" in judged("TL108", facts, member="eval").evidence
    other = {"protocol": modes(raised="TypeError: Scale.train() takes 1 positional argument", returned="")}
    assert judged("TL108", other, member="eval").verdict is INCONCLUSIVE


@pytest.mark.parametrize(("member", "verdict"), [("parameters", CONFIRMED), ("buffers", INCONCLUSIVE)])
def test_method_of_torch_that_wants_arguments_is_confirmed_where_it_raises(member: str, verdict: Verdict) -> None:
    error = "TypeError: Scale.parameters() missing 1 required positional argument: 'h'"
    failed = {"stage": "failed", "error": error, "line": 0}
    before = ({"stage": "import"}, {"stage": "construct"}, failed)
    assert judged("TL108", {}, member=member, before=before).verdict is verdict


@pytest.mark.parametrize(("lines", "verdict"), [([[LINE, "table"]], CONFIRMED), ([[LINE, "other"]], INCONCLUSIVE)])
def test_assignment_after_one_that_raises_the_same_is_confirmed(lines: list[list[Any]], verdict: Verdict) -> None:
    error = "AttributeError: cannot assign module before Module.__init__() call"
    told = ({"stage": "refused", "lines": lines}, {"stage": "failed", "error": error, "line": LINE - 1})
    found = judged("TL109", {}, before=({"stage": "import"}, {"stage": "construct"}, *told))
    assert found.verdict is verdict
    assert (f"where that is passed over, line {LINE} raises the same" in found.evidence) is (verdict is CONFIRMED)
