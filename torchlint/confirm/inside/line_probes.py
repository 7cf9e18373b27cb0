"""What is seen of a finding at its line, by rule; what that proves is judged elsewhere.

A probe gets a call of the code and gives facts, plain data for JSON: "ran" where the line ran, "raised" what came out
of the call, "harm" what went wrong as the finding says, and what else the rule asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from .loop_probes import PROBES as LOOPS
from .probes_of_autocast import backward_in_region, cast_in_region
from .probes_of_indices import float_index, merging_view
from .probes_of_places import made_on_the_cpu
from .probes_of_range import out_of_range
from .probes_of_state import converted_state
from .probes_of_tables import kept_by_a_function
from .probes_of_training import half_loss, half_weights, scaler_protocol
from .scene import Scene
from .subject import Facts

PROBES: Mapping[str, Callable[[Scene], Facts]] = {
    "TL104": kept_by_a_function,
    "TL201": float_index,
    "TL204": made_on_the_cpu,
    "TL205": merging_view,
    "TL301": converted_state,
    "TL302": out_of_range,
    "TL401": cast_in_region,
    "TL402": backward_in_region,
    "TL404": half_weights,
    "TL405": half_loss,
    "TL406": scaler_protocol,
    **LOOPS,
}
_NONE = re.compile(r"(?!)")
# The errors that may be what a finding says: a call that ends with one is looked at, with another it is not.
ERRORS: Mapping[str, re.Pattern[str]] = {
    "TL104": _NONE,
    "TL201": re.compile(r"(?i)index|indices|long|int64|dtype|scalar type|expected.*(int|byte)"),
    "TL204": _NONE,
    "TL205": re.compile(r"stride"),
    "TL301": re.compile(r"can't be cast"),
    "TL302": re.compile(r"without overflow|overflow"),
    "TL401": re.compile(r"(?i)dtype|scalar type|prioritize|same type"),
    "TL402": _NONE,
    "TL404": re.compile(r"unscale FP16"),
    "TL405": _NONE,
    **dict.fromkeys(LOOPS, _NONE),
    "TL406": re.compile(r"unscale_\(\)|step\(\) has already|No inf checks|update"),
}
