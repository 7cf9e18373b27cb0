"""What the histories of module state see, on classes that show one thing each: `torchlint.confirm.inside`."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import nn

from torchlint.confirm.inside.conversions import halve, move
from torchlint.confirm.inside.events import load, load_by_assignment, rebuilds, train_again
from torchlint.confirm.inside.graphs import twice
from torchlint.confirm.inside.histories import lines_run, protocol, state
from torchlint.confirm.inside.memo import freed, show_tables
from torchlint.confirm.inside.modes import wake
from torchlint.confirm.inside.recipe import recipe_from_hint, with_call
from torchlint.confirm.inside.registering import refused_assignments, registrations
from torchlint.confirm.inside.settled import is_needed
from torchlint.confirm.inside.subject import Facts, Subject
from torchlint.confirm.inside.training import once, resume
from torchlint.confirm.inside.walk import walk
from torchlint.confirm.inside.writers import later_writers, movers_of

X = [2, 4]


def subject(kind: type[nn.Module], *members: str, mentioned: tuple[str, ...] = ()) -> Subject:
    """The class, to be called with a 2x4 tensor."""
    recipe = recipe_from_hint(kind, {"inputs": {"x": X}}, 0)
    return Subject(with_call(recipe, 0), __file__, "", members, mentioned)


# Caches


class Keyed(nn.Module):
    """A cache that is made again when the version of the weight is another one."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))
        self.kept: Any = None
        self.seen = -1

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.seen != self.weight._version:
            self.seen, self.kept = self.weight._version, self.weight.detach().exp()
        return x * self.kept


def test_only_a_fused_step_outwits_a_key_of_versions() -> None:
    assert not train_again(subject(Keyed), to_eval=True)["differs"]
    fused = train_again(subject(Keyed), to_eval=True, is_fused=True)
    assert fused["differs"]
    assert fused["matter"] == ["self.kept"]


class HandedOut(Keyed):
    """A cache that forward gives out as it is."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.kept is None:
            self.kept = self.weight.detach().exp()
        return self.kept


class Expanded(HandedOut):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return super().forward(x) * x


def test_what_forward_gives_out_as_it_is_is_known() -> None:
    assert halve(subject(HandedOut), torch.bfloat16, is_warm=True)["given out"] == ["self.kept"]
    assert halve(subject(Expanded), torch.bfloat16, is_warm=True)["given out"] == []


def test_what_a_fresh_module_gives_out_on_the_cpu_as_well_is_no_harm_of_a_cache() -> None:
    class OnTheCpu(HandedOut):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.kept = torch.ones(4) if self.kept is None else self.kept
            return self.kept

    found = [move(replace(subject(kind), device="sim"), is_warm=True) for kind in (HandedOut, OnTheCpu)]
    assert [facts["given out"] for facts in found] == [["self.kept"], []]


class Forgetful(Keyed):
    def __init__(self) -> None:
        super().__init__()
        self.kept = None

    def _load_from_state_dict(self, *given: Any, **named: Any) -> None:
        self.kept = None
        super()._load_from_state_dict(*given, **named)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.kept is None or self.kept[0] is not self.weight.data_ptr:
            self.kept = (self.weight.data_ptr, self.weight.detach().exp())
        return x * self.kept[1]


class Once(Keyed):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.kept is None:
            self.kept = self.weight.detach().exp()
        return x * self.kept


def test_load_by_assignment_is_one_more_way_to_leave_a_cache_old() -> None:
    assert load_by_assignment(subject(Once))["matter"] == ["self.kept"]
    assert not load_by_assignment(subject(Forgetful))["differs"]
    assert load(subject(Once))["matter"] == ["self.kept"]


class Counting(Once):
    def __init__(self) -> None:
        super().__init__()
        self.each = self.level = torch.zeros(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.each = x * 2
        self.level = self.level + x.mean(0)
        return super().forward(x) + self.each + self.level


def test_rebuilds_are_counted() -> None:
    facts = rebuilds(subject(Counting))
    assert facts["counts"] == {"self.kept": 1, "self.each": 3, "self.level": 3}
    assert facts["moving"] == ["self.level"]


class Table(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))

    @functools.cache  # noqa: B019 it is what this is about
    def power(self, exponent: int) -> torch.Tensor:
        return self.weight.detach() ** exponent

    @functools.cache  # noqa: B019 it is what this is about
    def width(self) -> int:
        return 4

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.power(2)


class Shown(Table):
    power = Table.power


def test_table_of_lru_cache_is_shown_and_seen_to_be_old() -> None:
    show_tables(Shown, ("power",))
    facts = load(subject(Shown, "power"))
    assert facts["built"] == ["self.power()['[2]']"]
    assert facts["matter"] == ["self.power()['[2]']"]


def test_table_that_was_filled_keeps_the_module_alive() -> None:
    assert freed(subject(Table, "power", "width"))["kept by"] == ["self.power"]


class Rebuilt(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.head: nn.Module = nn.Linear(4, 4)

    def train(self, mode: bool = True) -> Rebuilt:
        super().train(mode)
        self.head = nn.Linear(4, 4) if mode else nn.Identity()
        return self

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(x)


def test_layer_of_a_mode_is_told_from_a_cache() -> None:
    assert "self.head.weight" in train_again(subject(Rebuilt))["replaced"]


# Graphs and containers


class Stream(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Linear(4, 4)
        self.hidden: Any = None

    def reset(self) -> None:
        self.hidden = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.mix(x) if self.hidden is None else self.mix(x) + self.hidden
        self.hidden = out
        return out


class Endless(Stream):
    reset = None  # type: ignore[assignment]


def test_graph_that_reset_lets_go_is_told_from_one_that_nothing_does() -> None:
    assert twice(subject(Stream))["anew"] == ["self.hidden"]
    endless = twice(subject(Endless))
    assert endless["carrying"] == ["self.hidden"]
    assert endless["anew"] == []


class Holding(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.run = [torch.zeros(4)]
        self.fixed = [torch.zeros(4)]
        self.parts = [nn.Linear(4, 4)]

    def parameters(self, recurse: bool = True) -> Any:
        return self.parts[0].parameters(recurse)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.run.append(x)
        return self.parts[0](x) + self.fixed[0]


def test_container_that_forward_fills_and_one_that_the_class_gives_out() -> None:
    facts = state(subject(Holding))
    assert facts["refilled"] == ["self.run"]
    assert facts["given out"] == ["self.parts[0].weight", "self.parts[0].bias"]


SHARED = torch.ones(4)


class Reading(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.stack([scaled(one) for one in x])


def scaled(x: torch.Tensor) -> torch.Tensor:
    return x * SHARED


def test_tensor_of_the_file_is_reached_through_a_function_and_stays_what_it_was() -> None:
    assert [one.path for one in walk(Reading())] == ["SHARED"]
    facts = halve(subject(Reading), torch.bfloat16, is_warm=False)
    assert facts["left"] == ["SHARED"]
    assert facts["dtypes"] == ["torch.float32"]
    assert facts["dtypes when all convert"] == ["torch.bfloat16"]
    assert SHARED.dtype is torch.float32


class Writers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = torch.ones(4)
        self.prepare()
        self._fill()

    def prepare(self) -> None:
        self.table = torch.ones(4)

    def _fill(self) -> None:
        self.table.fill_(2)

    def _apply(self, fn: Any, recurse: bool = True) -> Any:
        self.table = fn(self.table)
        return super()._apply(fn, recurse)

    def renew(self, factor: float) -> None:
        self.table *= factor

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        torch.minimum(self.table, x.amin(0), out=self.table)
        return x


class Twice(nn.Module):
    def renew(self) -> None:
        self.table = torch.ones(1)


Before = Twice


class Twice(nn.Module):  # type: ignore[no-redef]
    """Another class of this name.
    class Twice: is not a line of code, and neither is
    this one.
    """

    def reset(self) -> None:
        self.table = torch.zeros(1)


def test_each_of_two_classes_with_one_name_has_its_own_source() -> None:
    writers = [later_writers(kind, ("table",))["table"] for kind in (Before, Twice)]
    assert [[one.name for one in some] for some in writers] == [["renew"], ["reset"]]
    assert writers[1][0].first_line == Twice.reset.__code__.co_firstlineno


def test_methods_that_write_later_are_those_that_are_no_part_of_construction_and_no_event() -> None:
    found = later_writers(Writers, ("table",))["table"]
    assert [(one.name, one.is_open) for one in found] == [("renew", True), ("forward", False)]


# Modes


class Frozen(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4))
        self.head = nn.Linear(4, 4)

    def freeze(self) -> None:
        self.body.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(x))


class Guarding(Frozen):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.freeze()
        return super().forward(x)


def test_part_that_was_frozen_is_awake_unless_forward_puts_it_to_sleep() -> None:
    assert wake(subject(Frozen))["asleep"] == []
    frozen = wake(subject(Frozen, mentioned=("freeze", "train")))
    assert frozen["called"] == ["freeze"]
    assert frozen["awake"] == ["self.body.1"]
    assert frozen["trained"]
    assert wake(subject(Guarding, mentioned=("freeze",)))["awake"] == []


def test_module_of_the_part_alone_has_nothing_else_to_train() -> None:
    class Wrapper(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)).eval()

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.body(x)

    assert not wake(subject(Wrapper))["trained"]


# Registration


class Registers(nn.Module):
    hidden = 3

    def __init__(self) -> None:
        super().__init__()
        self.plain = torch.ones(4)
        self.part = nn.Linear(4, 4)
        self.register_buffer("table", tensor=torch.ones(4))
        self.add_module("norm", module=nn.LayerNorm(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.part(x))


def test_registrations_have_their_lines_and_plain_tensors_are_none() -> None:
    facts = registrations(subject(Registers))
    names = [name for _, name in facts["registered"]]
    assert [name for name in names if name in ("plain", "part", "table", "norm")] == ["part", "table", "norm"]
    lines = {name: line for line, name in facts["registered"]}
    assert lines["table"] == lines["part"] + 1
    assert facts["hidden"] == []


# One step, and a resume


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Linear(4, 4)
        self.register_buffer("scale", torch.ones(4))
        self.register_buffer("sum", torch.zeros(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = self.mix(x) * self.scale + self.sum
        with torch.no_grad():
            self.scale.mul_(0.9)
            self.sum.add_(1)
        return out


def test_buffer_that_was_saved_is_told_from_one_that_was_not() -> None:
    facts = once(subject(Scaled))
    assert "modified by an inplace operation" in facts["error"]
    assert facts["overwritten"] == ["self.scale"]
    assert facts["written"] == ["self.scale", "self.sum"]


class Running(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Linear(4, 4)
        self.register_buffer("saved", torch.zeros(4))
        self.register_buffer("late", None)
        self.mean = torch.zeros(4)
        self.steps = 0
        self.calls = 0
        self.noise = torch.zeros(4)
        self.level = torch.zeros(4)

    def reset(self) -> None:
        self.level = torch.zeros(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        self.level = self.level + x.detach().mean(0)
        if self.training:
            self.mean = 0.9 * self.mean + 0.1 * x.detach().mean(0)
            self.saved = 0.9 * self.saved + 0.1 * x.detach().mean(0)
            self.late = self.mean
            self.steps += 1
            self.noise = torch.rand(4)
        return self.mix(x) * min(self.steps, 3) - self.mean - self.saved + self.noise + self.level


@pytest.fixture(scope="module")
def resumed() -> Facts:
    return resume(subject(Running, "saved", "late", "mean", "steps", "calls", "noise", "level"))


def test_values_that_a_checkpoint_brings_back_are_told_from_those_that_are_lost(resumed: Facts) -> None:
    assert set(resumed["changed"]) == {"saved", "late", "mean", "steps", "calls", "noise", "level"}
    assert resumed["restored"] == ["saved"]
    assert set(resumed["matter"]) == {"mean", "steps", "noise", "level"}


def test_state_of_a_stream_and_what_each_step_makes_anew_are_told_apart(resumed: Facts) -> None:
    assert set(resumed["by eval"]) == {"calls", "level"}
    assert resumed["anew"] == ["level"]
    assert resumed["by training"] == ["noise"]


def test_buffer_that_was_filled_has_no_place_in_a_fresh_module(resumed: Facts) -> None:
    assert resumed["unexpected"] == ["late"]
    assert "Unexpected key" in resumed["refused"]
    assert resumed["refused before"] == ""


# What need not run


def test_history_is_skipped_only_for_claims_that_an_earlier_one_decides() -> None:
    claim = {"code": "TL103", "member": "kept", "histories": ["load", "load in a parent"]}
    shown = {"matter": ["self.kept[0]"], "fresh": "", "stale": ["self.kept[0]"]}
    other = {**claim, "member": "kept_too"}
    assert is_needed("load", [claim], {})
    assert not is_needed("load in a parent", [claim], {"load": shown})
    assert is_needed("load in a parent", [claim, other], {"load": shown})
    assert is_needed("load in a parent", [claim], {"load": {**shown, "fresh": "E"}})
    assert is_needed("load in a parent", [claim], {"load": {**shown, "replaced": ["self.kept[0]"]}})
    assert not is_needed("move", [claim], {})


def test_parent_is_asked_only_about_what_goes_along_with_the_module() -> None:
    claim = {"code": "TL101", "member": "table", "histories": ["move", "half", "move in a parent"]}
    left = {"left": ["self.table"], "raised": "", "clashes": []}
    assert is_needed("half", [claim], {"move": left})
    assert not is_needed("move in a parent", [claim], {"move": left})
    assert is_needed("move in a parent", [claim], {"move": {**left, "left": ["self.table_too"]}})


# What goes another way than a look at the module says


class Extending(nn.Module):
    """Forward brings the table to its input, and keeps it there; of the scale it makes a copy for one use."""

    def __init__(self) -> None:
        super().__init__()
        self.table = torch.ones(4)
        self.scale = torch.ones(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.table = self.table.to(x)
        return x + self.table * self.scale.to(x)


def test_tensor_that_forward_brings_along_is_told_from_a_copy() -> None:
    facts = halve(subject(Extending), torch.bfloat16, is_warm=False)
    assert facts["left"] == ["self.table", "self.scale"]
    assert facts["brought along"] == ["self.table"]


class Numbers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.listed, self.arrayed, self.asked = torch.ones(4), torch.ones(4), torch.ones(())
        self.added = torch.ones(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        numbers = self.listed.tolist()[0] + float(self.arrayed.numpy()[0]) + self.asked.item()
        return x + numbers + self.added


def test_what_only_numbers_are_taken_of_is_not_read_by_operations() -> None:
    assert state(subject(Numbers))["read"] == ["self.added"]


class Owned(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.nodes = torch.ones(4)
        self.other = torch.ones(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.nodes + self.other


class Owner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = Owned()

    def _apply(self, fn: Any, recurse: bool = True) -> Any:
        super()._apply(fn, recurse)
        self.part.nodes = fn(self.part.nodes)
        return self


def test_owner_that_moves_a_tensor_of_its_part_is_found() -> None:
    assert movers_of(Owned, ("nodes", "other")) == {"nodes": ["Owner._apply"]}
    assert movers_of(Owner, ("nodes",)) == {}


class SavedTable(nn.Module):
    """A persistent buffer that eval() computes: a checkpoint in evaluation mode brings the right one."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))
        self.register_buffer("table", torch.ones(4))

    def train(self, mode: bool = True) -> Any:
        super().train(mode)
        if not mode:
            self.table = self.weight.exp().detach()
        return self

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * (self.weight.exp() if self.training else self.table)


def test_checkpoint_that_brings_the_table_is_no_fault_of_an_assigning_load() -> None:
    assert not load_by_assignment(subject(SavedTable)).get("differs")


class FromParameters(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4, 4))
        self.turned = self.weight.t()
        self.zeros = torch.zeros_like(nn.Parameter(torch.ones(4)))
        self.scaled = nn.Parameter(torch.ones(4)) * 2
        self.halved = nn.Parameter(torch.ones(4), requires_grad=False).half()
        self.bare = nn.Parameter(torch.ones(4)).data

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x @ self.turned


def test_only_what_has_its_values_from_an_unregistered_parameter_is_lost() -> None:
    assert state(subject(FromParameters))["of lost Parameters"] == ["self.scaled", "self.halved", "self.bare"]


class RegistersNone(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_parameter("gain", None)
        self.register_buffer("scale", torch.ones(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.scale


def test_name_that_is_registered_with_none_is_told() -> None:
    facts = registrations(subject(RegistersNone))
    assert [name for _, name in facts["empty"]] == ["gain"]
    assert [name for _, name in facts["registered"]] == ["scale"]


class ClosesOverItself(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))
        self.norm = self.weight.detach().norm()
        self.fresh = lambda x: x + self.weight.norm()
        kept = [self.norm]
        self.kept = lambda x: x + kept[0]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fresh(x) + self.kept(x)


def test_function_that_captures_the_module_does_not_hold_all_that_it_holds() -> None:
    assert state(subject(ClosesOverItself, "fresh", "kept"))["same"] == {"self.kept": ["self.norm"]}


class InEvaluation(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.training:
            x = x + 1
        return x


def test_lines_of_training_are_told_from_those_of_evaluation() -> None:
    lines = lines_run(subject(InEvaluation))
    assert len(lines["ran"]) == len(lines["trained"]) + 1


# What the constructor assigns too early


class Early(nn.Module):
    def __init__(self) -> None:
        self.first = nn.Linear(1, 1)
        self.size = 3
        self.second = nn.Parameter(torch.ones(1))
        super().__init__()
        self.third = nn.Linear(1, 1)


def test_assignments_after_the_first_that_raises_are_tried_too() -> None:
    refused = refused_assignments(Early, __file__)
    assert [name for _, name in refused] == ["first", "second"]
    assert refused[1][0] - refused[0][0] == 2


def test_error_of_another_kind_is_not_passed_over() -> None:
    class Shadowed(nn.Linear):
        def __init__(self) -> None:
            super().__init__(1, 1)
            self.weight = torch.ones(1)

    with pytest.raises(TypeError, match="cannot assign"):
        refused_assignments(Shadowed, __file__)


# What forward converts


class Converting(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Linear(4, 4)
        self.table = torch.ones(4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.mix(x) * self.table.to(x)


class Meeting(Converting):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.mix(x) * self.table


def test_conversion_by_forward_is_told_from_one_by_hand() -> None:
    assert halve(subject(Converting), torch.bfloat16, is_warm=False)["converted"] == ["self.table"]
    assert halve(subject(Meeting), torch.bfloat16, is_warm=False)["converted"] == []


# What eval() alone does


class OwnEval(nn.Module):
    """Frameworks call train(False), and this is skipped."""

    noise = 1.0

    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Linear(4, 4)

    def eval(self) -> OwnEval:
        self.noise = 0.0
        return super().eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.mix(x) + self.noise


class Tallying(OwnEval):
    """What it counts changes no output."""

    calls = 0

    def eval(self) -> OwnEval:
        self.calls += 1
        return nn.Module.eval(self)  # type: ignore[return-value]


@pytest.mark.parametrize(("kind", "alone"), [(OwnEval, ["self.noise"]), (Tallying, [])])
def test_settings_that_only_its_own_eval_makes_count_where_the_output_needs_them(
    kind: type[nn.Module], alone: list[str]
) -> None:
    assert protocol(subject(kind, "eval"))["by eval alone"] == alone


# What keeps the graph of a layer before it


class Shift(nn.Module):
    """Keeps a part of its input: nothing that its own weights have to do with."""

    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Linear(4, 4)
        self.kept: torch.Tensor | None = None

    def keep(self, x: torch.Tensor) -> torch.Tensor:
        return x

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        before = self.kept if self.kept is not None else torch.zeros_like(x)
        self.kept = self.keep(x)
        return self.mix(x) + before


class Detached(Shift):
    def keep(self, x: torch.Tensor) -> torch.Tensor:
        return x.detach()


class Cleared(Shift):
    def new_clip(self) -> None:
        self.kept = None


class Emptied(Shift):
    """A method with a name like that, which makes forward fail."""

    def clear(self) -> None:
        del self.mix


@pytest.mark.parametrize(
    ("kind", "carrying"), [(Shift, ["self.kept"]), (Detached, []), (Cleared, []), (Emptied, ["self.kept"])]
)
def test_input_that_is_kept_needs_the_graph_of_the_layer_it_came_from(
    kind: type[nn.Module], carrying: list[str]
) -> None:
    facts = twice(subject(kind))
    assert (facts["carrying"], facts["behind a layer"]) == ([], carrying)
