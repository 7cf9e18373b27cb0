"""Where torch is bound twice, nobody knows what torch.tensor() makes; the methods of a tensor are known all the same."""

import torch

try:
    import torch.cuda.amp

    HAS_AMP = hasattr(torch.cuda.amp, "autocast")
except ImportError:
    HAS_AMP = False


def length(seconds, rate=16_000):
    return torch.tensor(20.0 * rate, dtype=torch.float) * seconds  # ok: TL302


def masked(scores, pad, value):
    return scores.masked_fill(pad, -1e9).to(value.dtype)  # expect: TL302


def demonstrate():
    assert length(2).item() == 640_000
    scores = torch.zeros(2, dtype=torch.float16)
    try:
        masked(scores, scores == 0, scores)
        raise AssertionError("fits")
    except RuntimeError as error:
        assert "overflow" in str(error)
