"""nll_loss takes class numbers; cross_entropy also takes probabilities, which are floating."""
import torch
import torch.nn.functional as F


def hard(logits, labels: list[int]):
    target = torch.Tensor(labels)  # expect: TL201
    return F.nll_loss(logits.log_softmax(-1), target)


def soft(logits):
    target = torch.full(logits.shape, 0.25)  # ok: TL201  probabilities
    return F.cross_entropy(logits, target)


def hard_integers(logits, labels: list[int]):
    target = torch.tensor(labels)  # ok: TL201
    return F.nll_loss(logits.log_softmax(-1), target) + F.cross_entropy(logits, target)


def demonstrate():
    logits = torch.rand(2, 4)
    try:
        hard(logits, [0, 3])
        raise AssertionError("floating class numbers were accepted")
    except RuntimeError:
        pass
    assert soft(logits).isfinite()
    assert hard_integers(logits, [0, 3]).isfinite()
