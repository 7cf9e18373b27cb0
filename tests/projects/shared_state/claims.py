"""torch's verdict on the other files."""

import torch
from convert import build
from model import Decoder, Fresh
from tables import LEVELS


def demonstrate():
    x = torch.ones(2, 3)
    used, fresh = Decoder(3), Decoder(3)
    used(x)
    try:
        fresh.load_state_dict(used.state_dict())
        message = ""
    except RuntimeError as error:
        message = str(error)
    assert "Unexpected key" in message
    Fresh(3)(x)
    converted = build(3)
    assert converted.dtype == torch.float32
    assert converted.weight.dtype == torch.bfloat16
    assert {converted.decoder.dtype, converted.margin.dtype, LEVELS.dtype} == {torch.float32}
