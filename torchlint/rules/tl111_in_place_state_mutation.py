"""TL111 in-place-state-mutation: a value computed from a module's state in place, which writes the module as well."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.findings import Hit, Place, hit
from torchlint.model import Frame
from torchlint.model.weights.mutations import mutations
from torchlint.rules import function_rule


@function_rule("TL111")
def in_place_state_mutation(function: Frame) -> Iterator[Hit]:
    """Yield the in-place operations on buffers() and state_dict() values whose result is wanted elsewhere."""
    for mutation in mutations(function):
        yield hit(
            mutation.span,
            function.symbol,
            what=mutation.what,
            operation=mutation.operation,
            user=mutation.user,
            because=(Place(mutation.used, f"the result {mutation.user} here"),),
        )
