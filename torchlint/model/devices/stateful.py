"""Layers that compute with parameters of their own: what goes into them lies where those do."""

from __future__ import annotations

from torchlint.model.events import Write
from torchlint.model.frames import Frame
from torchlint.model.terms import Attribute, Term
from torchlint.model.values import TensorValue

_WITH_STATE = frozenset(
    """
    Linear Bilinear Embedding EmbeddingBag Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d LSTM GRU
    RNN LSTMCell GRUCell RNNCell MultiheadAttention Transformer TransformerEncoder TransformerDecoder
    TransformerEncoderLayer TransformerDecoderLayer BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm GroupNorm PReLU
    Module Sequential DataParallel DistributedDataParallel
    """.split()
)


def holds_state(layer: TensorValue) -> bool:
    """True for a layer of torch that computes with parameters of its own."""
    return layer.of is None and (layer.made_by or "").rpartition(".")[2] in _WITH_STATE


def computes_with_state(layer: Term, frame: Frame) -> bool:
    """True for such a layer, and for an attribute of the object that is one of several in any case."""
    if holds_state(frame.value(layer)):
        return True
    if not isinstance(layer, Attribute) or frame.view is None or not frame.is_self(layer.base):
        return False
    writes = [(moment.event, moment.frame) for moment in frame.view.state.writes(layer.name)]
    made = [where.value(event.value) for event, where in writes if isinstance(event, Write)]
    return bool(made) and all(map(holds_state, made))
