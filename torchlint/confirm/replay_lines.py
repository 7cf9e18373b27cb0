"""A script that repeats what confirmed a finding about a line: the same call, and a look at the same line."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from torchlint.confirm.case import Judgement
from torchlint.confirm.scripts.at_the_line import backward_in_region, cast_in_region, converted_state, error_at_line
from torchlint.confirm.scripts.averages import parameters_alone
from torchlint.confirm.scripts.head import Seen, script_of
from torchlint.confirm.scripts.kept import kept_state
from torchlint.confirm.scripts.numbers import out_of_range
from torchlint.confirm.scripts.places import made_on_the_cpu
from torchlint.confirm.scripts.tables import kept_by_a_function
from torchlint.confirm.scripts.training import backward_of_island, half_loss, half_weights, scaler_protocol
from torchlint.confirm.supervisor import Answer


def script_for_line(answer: Answer, judgement: Judgement, key: str) -> str | None:
    """The script for a confirmed finding; None where it cannot be written: arguments that no expression makes."""
    claim = next(one for one in answer.job.claims if one.key == key)
    facts = next(one["facts"] for one in answer.records if one["stage"] == "facts" and one["name"] == key)
    code = facts.get("code", {})
    if claim.code not in _BODIES or None in (code.get("build"), code.get("member"), code.get("call")):
        return None
    seen = Seen(answer.job, claim, facts, judgement.evidence)
    body = _BODIES[claim.code](seen)
    return script_of(seen, body) if body is not None else None


def _backward(seen: Seen) -> str | None:
    return backward_of_island(seen) if seen.harm["differ"] else backward_in_region(seen)


# What defines is_seen() in the script, by rule.
_BODIES: Mapping[str, Callable[[Seen], str | None]] = {
    "TL104": kept_by_a_function,
    "TL116": kept_state,
    "TL117": parameters_alone,
    "TL201": error_at_line,
    "TL204": made_on_the_cpu,
    "TL205": error_at_line,
    "TL301": converted_state,
    "TL302": out_of_range,
    "TL401": cast_in_region,
    "TL402": _backward,
    "TL404": half_weights,
    "TL405": half_loss,
    "TL406": scaler_protocol,
}
