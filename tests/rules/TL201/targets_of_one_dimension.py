"""cross_entropy takes probabilities of the scores' shape: a floating target of one dimension is none."""
import torch
import torch.nn.functional as F
from torch import nn


def zeros(logits: torch.Tensor):
    target = torch.zeros(logits.size(0), device=logits.device)  # expect: TL201
    return F.cross_entropy(logits, target)


def by_layer(logits: torch.Tensor):
    criterion = nn.CrossEntropyLoss()
    target = torch.ones(logits.shape[0], device=logits.device)  # expect: TL201
    return criterion(logits, target)


def joined(logits: torch.Tensor, n: int):
    target = torch.cat([torch.ones(n), torch.zeros(n)]).to(logits.device)  # expect: TL201
    return F.cross_entropy(logits, target)


class Contrast(nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = nn.CrossEntropyLoss()

    def forward(self, logits: torch.Tensor):
        labels = torch.zeros(len(logits), device=logits.device)  # expect: TL201
        return self.loss(logits, labels)

    def right(self, logits: torch.Tensor):
        labels = torch.zeros(len(logits), dtype=torch.long, device=logits.device)  # ok: TL201
        return self.loss(logits, labels)


def probabilities(logits: torch.Tensor):
    target = torch.full((logits.shape[0], 4), 0.25, device=logits.device)  # ok: TL201
    return F.cross_entropy(logits, target)


def like_the_scores(logits: torch.Tensor):
    target = torch.zeros_like(logits)  # ok: TL201
    return F.cross_entropy(logits, target)


def given(logits: torch.Tensor, rows: list):
    target = torch.tensor(rows, dtype=torch.float32, device=logits.device)  # ok: TL201  rows may hold probabilities
    return F.cross_entropy(logits, target)


def of_one_sample(scores: list[float]):
    logits = torch.tensor([0.1, 0.2, 0.3])
    target = torch.tensor([0.0, 1.0, 0.0])  # ok: TL201  the scores of one sample
    return F.cross_entropy(logits, target)


def other_losses(x: torch.Tensor):
    target = torch.zeros(x.shape[0], device=x.device)  # ok: TL201
    return F.mse_loss(x[:, 0], target) + F.binary_cross_entropy_with_logits(x[:, 0], target)


def demonstrate():
    logits = torch.rand(2, 4)
    contrast = Contrast()
    for call in (zeros, by_layer, lambda x: joined(x, 1), contrast):
        try:
            call(logits)
        except RuntimeError:
            continue
        raise AssertionError("floating class numbers were accepted")
    for call in (contrast.right, probabilities, like_the_scores, of_one_sample, other_losses):
        assert call(logits).isfinite()
    assert given(logits, [[0.25] * 4] * 2).isfinite()
