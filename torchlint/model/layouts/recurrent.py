"""What recurrent layers return: the outputs of all steps, and the last states, which are stacked layer by layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from torchlint.knowledge.strides import RECURRENT
from torchlint.model.layouts.layers import construction
from torchlint.model.layouts.stride_orders import batch_first
from torchlint.model.layouts.strides import Cause, Layout, named
from torchlint.model.terms import Call, Constant, Term
from torchlint.model.values import Kind

if TYPE_CHECKING:
    from torchlint.model.layouts.layouts import Scope
    from torchlint.model.layouts.parts import Path

    LayoutsOf = Callable[[Term, Scope], tuple[Layout, ...]]

# The position of batch_first among the arguments of the constructor: input_size, hidden_size, num_layers, bias.
_BATCH_FIRST = 4


def recurrent(call: Call, path: Path, layouts_of: LayoutsOf, scope: Scope) -> tuple[Layout, ...] | None:
    """The part at `path` of what an LSTM, GRU or RNN returns; None for the call of anything else."""
    value = scope.frame.value(call.callee)
    made_by = (value.made_by or "").rpartition(".")[2]
    if value.kind is not Kind.MODULE or value.of is not None or made_by not in RECURRENT:
        return None
    made = construction(call.callee, scope)
    inputs = layouts_of(call.arguments[0], scope) if call.arguments else ()
    if made is None or not inputs or inputs[0].ndim not in (None, 3):
        return ()
    if path == (0,):
        return _outputs(made[0], call, inputs[0], scope)
    is_state = path in ((1, 0), (1, 1)) if made_by == "LSTM" else path == (1,)
    return (named([None, None, None], id(call)),) if is_state and _stacks_several(made[0]) else ()


def _outputs(made: Call, call: Call, layout: Layout, scope: Scope) -> tuple[Layout, ...]:
    """The outputs of all steps: time lies outermost, which with batch_first is not the order of the indices."""
    first = made.keyword("batch_first")
    if first is None and len(made.arguments) <= _BATCH_FIRST and not any(key is None for key, _ in made.keywords):
        return (named([None, None, None], id(call)),)
    if not isinstance(first, Constant) or first.value not in (True, False):
        return ()
    if first.value is False:
        return (named([None, None, None], id(call)),)
    return (batch_first(layout, Cause("batch_first", scope.frame.span(call.place))),)


def _stacks_several(made: Call) -> bool:
    """True for two directions or several layers: a single state is a dimension of size 1, which any order allows."""
    both = made.keyword("bidirectional")
    layers = made.argument(2, "num_layers")
    is_both = isinstance(both, Constant) and both.value is True
    return is_both or (isinstance(layers, Constant) and isinstance(layers.value, int) and layers.value > 1)
