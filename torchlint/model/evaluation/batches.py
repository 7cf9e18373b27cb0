"""Batches: what a DataLoader gives of a data set of the project, by what its __getitem__ returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.model.terms import Call
from torchlint.model.values import UNKNOWN, Kind, TensorValue

if TYPE_CHECKING:
    from torchlint.model.evaluation.evaluate import Evaluator

_ROWS = "torch.utils.data.TensorDataset"


def batches_of(evaluator: Evaluator, call: Call, data: TensorValue) -> TensorValue:
    """What DataLoader(data) is: a container of batches of which each tensor keeps its dtype and gets a dimension.

    Of a collate function of the project's own nothing is known here.
    """
    if data.made_by == _ROWS:
        return data
    method = data.of.method("__getitem__") if data.kind is Kind.OBJECT and data.of is not None else None
    if method is None or call.keyword("collate_fn") is not None or any(key is None for key, _ in call.keywords):
        return UNKNOWN
    sample = evaluator.returned(evaluator.frame(method, data.of))
    return TensorValue(Kind.CONTAINER, made_by="DataLoader", element=_stacked(sample))


def _stacked(sample: TensorValue) -> TensorValue:
    """The batch of samples of one form: tensors one above the other, tuples of such."""
    if sample.items is not None:
        kept = sample.made_by if sample.made_by == "dict" else None
        return TensorValue(Kind.CONTAINER, made_by=kept, items=tuple(map(_stacked, sample.items)), keys=sample.keys)
    if sample.kind is not Kind.TENSOR:
        return UNKNOWN
    ndim = sample.ndim + 1 if sample.ndim is not None else None
    return sample.but(ndim=ndim, placed=frozenset(), sources=frozenset(), constant=None)
