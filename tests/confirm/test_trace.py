"""The trace of tensors that a conversion left behind: their names, the lines, and whose dtype won."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional

from torchlint.confirm.inside.simulated import SimulatedTrace, simulation
from torchlint.confirm.inside.trace import Trace

HALF = torch.bfloat16
Use = Callable[[torch.Tensor, torch.Tensor], Any]


def traced(use: Use, marked: torch.Tensor) -> Trace:
    """Call `use` with a bfloat16 tensor and a marked one that was left in its dtype, "self.table"."""
    trace, x = Trace(__file__), torch.ones(2, 4, dtype=HALF)
    trace.mark(marked, "self.table")
    with torch.no_grad(), trace:
        try:
            use(x, marked)
            trace.settle(None)
        except Exception as error:
            trace.settle(error)
    return trace


def met(use: Use, table: torch.Tensor) -> Trace:
    """Call `use` with a tensor of the pretend device and a marked one that was left on the CPU."""
    trace = SimulatedTrace(__file__)
    trace.mark(table, "self.table")
    with simulation(trace):
        try:
            use(torch.ones(2, 4, device="cuda"), table)
            trace.settle(None)
        except (RuntimeError, TypeError) as error:
            trace.settle(error)
    return trace


def clashes(trace: Trace) -> list[tuple[str, set[str]]]:
    return [(one.what, set(one.names)) for one in trace.clashes]


WHOSE = {"self.table"}


# Names


@pytest.mark.parametrize(
    "use",
    [
        lambda x, t: x + t,
        lambda x, t: x + t[:4].view(1, 4).expand(2, 4),
        lambda x, t: x + (t * 2 + 1).sin(),
        lambda x, t: x + torch.cat([torch.zeros(1), t])[1:],
        lambda x, t: x + torch.stack([t, t]).unbind()[1],
        lambda x, t: x + {"a": [t.clone()]}["a"][0],
        lambda x, t: x + torch.zeros(4).add_(t),
        lambda x, t: x + torch.zeros(4).copy_(t),
        lambda x, t: x + torch.add(t, 1, out=torch.empty(4)),
        lambda x, t: x + torch.from_numpy(t.numpy()),
        lambda x, t: x + t.split(4)[0].contiguous(),
        lambda x, t: x + t.data,
        lambda x, t: x + nn.Parameter(t),
        lambda x, t: x + torch.max(t[None], 0).values,
        lambda x, t: x + x.double().to(t),
        lambda x, t: x + torch.zeros_like(t),
    ],
)
def test_a_name_follows_what_is_computed_from_a_tensor(use: Use):
    trace = met(use, torch.ones(4))
    assert [(one.what, one.line) for one in trace.clashes] == [("raised", use.__code__.co_firstlineno)]
    assert set(trace.clashes[0].names) >= WHOSE
    assert trace.read == WHOSE


def test_a_name_follows_a_write_into_another_tensor():
    def use(x, t):
        kept = torch.zeros(2, 4)
        kept[0] = t
        return x + kept[1]

    assert set(met(use, torch.ones(4)).clashes[0].names) >= WHOSE


def test_what_is_on_the_device_has_no_name():
    def use(x, t):
        there = t.to(x.device)
        y = there + x
        return y + torch.ones(4)

    (clash,) = met(use, torch.ones(4)).clashes
    assert not clash.names & WHOSE


def test_what_was_like_a_marked_tensor_already_has_no_name():
    def use(x, t):
        mine = torch.zeros(4)
        mine.to(t)
        return x + mine

    (clash,) = met(use, torch.ones(4)).clashes
    assert not clash.names & WHOSE


def test_numbers_have_no_name():
    assert not met(lambda x, t: x + t.sum().item(), torch.ones(4)).clashes


def test_two_attributes_of_one_memory_are_both_named():
    whole = torch.ones(8)
    trace = SimulatedTrace(__file__)
    trace.mark(whole, "self.whole")
    trace.mark(whole[:4], "self.part")
    with simulation(trace), pytest.raises(RuntimeError):
        torch.ones(4, device="cuda") + whole[4:]
    assert trace.clashes[0].names == {"self.whole", "self.part"}


def test_what_the_file_makes_is_named_by_its_line():
    def use(x, t):
        made = torch.arange(4)
        return x + (made + 1)

    (clash,) = met(use, torch.ones(4)).clashes
    first = inspect.getsourcelines(use)[1]
    assert (clash.names, clash.line) == ({f"line {first + 1}"}, first + 2)


def test_read_and_computed():
    shape_only = met(lambda x, t: x * t.shape[0] if t.device else x, torch.ones(4))
    converted = met(lambda x, t: x + t[:4].to(x.device), torch.ones(4))
    in_values = met(lambda x, t: t.tolist(), torch.ones(4))
    used = met(lambda x, t: t + 1, torch.ones(4))
    assert [set(one.read) for one in (shape_only, converted, in_values, used)] == [set(), WHOSE, WHOSE, WHOSE]
    assert [set(one.computed) for one in (shape_only, converted, in_values, used)] == [set(), set(), WHOSE, WHOSE]


def test_an_error_that_the_code_catches_is_no_clash():
    def use(x, t):
        try:
            return x + t
        except RuntimeError:
            return x

    assert not met(use, torch.ones(4)).clashes


def test_an_error_that_is_raised_anew_is_one():
    def use(x, t):
        try:
            return x + t
        except RuntimeError as error:
            raise ValueError("wrong") from error

    trace = SimulatedTrace(__file__)
    table = torch.ones(4)
    trace.mark(table, "self.table")
    with simulation(trace):
        with pytest.raises(ValueError, match="wrong") as raised:
            use(torch.ones(4, device="cuda"), table)
        trace.settle(raised.value)
    assert clashes(trace) == [("raised", WHOSE)]


# Dtypes


@pytest.mark.parametrize(
    "use",
    [
        lambda x, t: x * t,
        lambda x, t: t - x,
        lambda x, t: x * (t[:4].sin() * 2),
        lambda x, t: torch.where(x > 0, x, t),
        lambda x, t: torch.cat([x[0], t]),
        lambda x, t: x + functional.embedding(torch.zeros(2, dtype=torch.long), t[None]),
        lambda x, t: x * (torch.arange(4) * t),
        lambda x, t: x + t.to("cpu"),
        lambda x, t: x + torch.arange(4).type_as(t),
        lambda x, t: x + torch.arange(4).to(t) * t,
        lambda x, t: x + t.new_zeros(4),
    ],
)
def test_the_dtype_of_the_marked_tensor_wins(use: Use):
    trace = traced(use, torch.ones(4))
    assert clashes(trace) == [("promoted", WHOSE)]
    assert trace.clashes[0].line == use.__code__.co_firstlineno


@pytest.mark.parametrize(
    "use",
    [
        lambda x, t: x * t.to(x.dtype),
        lambda x, t: x * t.to(x),
        lambda x, t: x * t.type_as(x),
        lambda x, t: x * t.bfloat16(),
        lambda x, t: x.float() * t,
        lambda x, t: (x.float() * t) * x,
        lambda x, t: x * t.float(),
        lambda x, t: x * t.to(torch.float32),
        lambda x, t: x * t.softmax(-1, dtype=torch.float32),
        lambda x, t: x * (t + torch.zeros(4)),
        lambda x, t: x * t[0],
        lambda x, t: x.copy_(t),
        lambda x, t: x.add_(t),
        lambda x, t: torch.zeros(2, 4).copy_(x) + t,
        lambda x, t: (t > 0) * x,
        lambda x, t: x * t.sum().item(),
        lambda x, t: x[:, t.long() * 0],
        lambda x, t: t * 2,
    ],
)
def test_it_does_not_win_where_another_dtype_was_asked_for(use: Use):
    assert not traced(use, torch.ones(4)).clashes


def test_what_was_promoted_stays_owed():
    trace = Trace(__file__)
    table, x = torch.ones(4), torch.ones(2, 4, dtype=HALF)
    trace.mark(table, "self.table")
    with trace:
        promoted = x * table
        owed, back, own = promoted + 1, promoted.to(HALF), x.float() + table
    assert [set(trace.owed_to(one)) for one in (promoted, owed, back, own)] == [WHOSE, WHOSE, set(), set()]


@pytest.mark.parametrize(
    "use",
    [
        lambda x, t: x @ t.view(4, 1),
        lambda x, t: functional.linear(x * t, torch.ones(3, 4, dtype=HALF)),
        lambda x, t: functional.linear(x, t[None]),
        lambda x, t: torch.zeros(2, 4, dtype=HALF).index_put_((torch.tensor([0]),), t),
    ],
)
def test_a_dtype_that_raises_is_blamed_on_the_marked_tensor(use: Use):
    trace = traced(use, torch.ones(4))
    assert ("raised", WHOSE) in clashes(trace)
    assert trace.clashes[-1].line == use.__code__.co_firstlineno


@pytest.mark.parametrize(
    "use",
    [
        lambda x, t: x @ t.repeat(2),
        lambda x, t: functional.linear(x.float() * t, torch.ones(3, 4, dtype=HALF)),
        lambda x, t: functional.linear(t.float(), torch.ones(3, 4, dtype=HALF)),
        lambda x, t: x.gather(0, t.expand(2, 4)),
        lambda x, t: t.view(3),
    ],
)
def test_an_error_of_another_cause_is_not_blamed_on_it(use: Use):
    assert "raised" not in dict(clashes(traced(use, torch.ones(4))))
