"""A whole number that is written into a tensor of unknown dtype may be the id of a token; a float may not."""
import torch

CONTROL_TOKEN = 151_654
LOWEST = -(2**32) + 1


def unconditional(tokenizer, text):
    ids = tokenizer(text)["input_ids"]
    ids[:, 1:-2] = CONTROL_TOKEN  # ok: TL302  ids of a tokenizer
    return ids


def padded(ids, pad):
    return ids.masked_fill(pad, CONTROL_TOKEN + 1)  # ok: TL302  a whole number, whatever it is computed from


def padded_by(ids, pad, fill=151_655):
    return ids.masked_fill(pad, int(fill))  # ok: TL302


def of_scores(scores, pad, x):
    scores = (scores + pad.to(x.dtype)).to(x.dtype)
    return scores.masked_fill(pad, float(CONTROL_TOKEN))  # expect: TL302


def lowered(scores, pad):
    return scores.masked_fill(pad, LOWEST)  # expect: TL302


def probabilities(x, pad):
    weights = x / x.sum(-1, keepdim=True)
    weights[:, pad] = CONTROL_TOKEN  # expect: TL302
    return weights


def demonstrate():
    pad, x = torch.tensor([True, False]), torch.ones(1, 2).half()
    ids = unconditional(lambda text: {"input_ids": torch.zeros(1, 4, dtype=torch.long)}, "")
    assert ids[0, 1] == CONTROL_TOKEN
    assert padded(ids[:, :2], pad)[0, 0] == CONTROL_TOKEN + 1 and padded_by(ids[:, :2], pad)[0, 0] == 151_655
    for call in (lambda: of_scores(x, pad, x), lambda: lowered(x, pad)):
        try:
            call()
        except (RuntimeError, TypeError) as error:
            assert "overflow" in str(error)
        else:
            raise AssertionError("half held the number")
    assert probabilities(x, pad)[0, 0] == torch.inf
