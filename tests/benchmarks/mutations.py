"""All mutations, of every family of rules."""

from __future__ import annotations

from tests.benchmarks import (
    mutations_autocast,
    mutations_construction,
    mutations_dtypes,
    mutations_gradients,
    mutations_memory,
    mutations_pages,
    mutations_state,
    mutations_training,
)

_FAMILIES = (
    mutations_state,
    mutations_construction,
    mutations_dtypes,
    mutations_memory,
    mutations_gradients,
    mutations_autocast,
    mutations_training,
)
MUTATIONS = tuple(mutation for family in _FAMILIES for mutation in family.MUTATIONS)
EDITS = tuple(edit for family in (mutations_pages, *_FAMILIES[1:]) for edit in family.EDITS)
STILL_RIGHT = {**mutations_state.STILL_RIGHT, **mutations_dtypes.STILL_RIGHT}
GENERIC = mutations_state.GENERIC
