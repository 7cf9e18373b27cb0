"""A recurrent video model collects a decoupling term per layer and step; the mean is taken of a new tensor made of the list.

source: thuml/predrnn-pytorch#11 (the decoupling loss does not require a gradient)
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Cell(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.mix = nn.Linear(2 * dim, 2 * dim)

    def forward(self, x, c):
        delta_c, delta_m = self.mix(torch.cat([x, c], -1)).chunk(2, -1)
        return torch.tanh(c + delta_c), delta_c, delta_m


class Video(nn.Module):
    def __init__(self, dim: int = 3, layers: int = 2, weight: float = 1.0):
        super().__init__()
        self.cells = nn.ModuleList(Cell(dim) for _ in range(layers))
        self.head, self.weight = nn.Linear(dim, dim), weight

    def total(self, terms):
        raise NotImplementedError

    def forward(self, frames):
        state = [torch.zeros_like(frames[0]) for _ in self.cells]
        terms, guesses = [], []
        for x in frames[:-1]:
            for i, cell in enumerate(self.cells):
                x, delta_c, delta_m = cell(x, state[i])
                state[i] = x
                terms.append(F.cosine_similarity(delta_c, delta_m, dim=-1).abs().mean())
            guesses.append(self.head(x))
        loss = F.mse_loss(torch.stack(guesses), frames[1:])
        return loss + self.weight * self.total(terms)


class ListVideo(Video):
    def total(self, terms):
        return torch.mean(torch.tensor(terms))  # expect: TL305


class WorstVideo(Video):
    def total(self, terms):
        worst = max(terms)
        return torch.as_tensor([worst, sum(terms) / len(terms)]).sum()  # expect: TL305


class StackVideo(Video):
    def total(self, terms):
        return torch.mean(torch.stack(terms, dim=0))  # ok: TL305


class SumVideo(Video):
    def total(self, terms):
        return sum(terms) / len(terms)  # ok: TL305


class WeightedVideo(Video):
    """The weights are plain numbers, so a new tensor of them loses nothing."""

    def total(self, terms):
        fade = torch.tensor([0.9**i for i in range(len(terms))])  # ok: TL305
        return (torch.stack(terms) * fade.to(terms[0])).sum() / fade.sum().item()


def report(model, frames):
    with torch.no_grad():
        losses = [model(frames) for _ in range(2)]
    return torch.tensor(losses).mean().item()  # ok: TL305


def demonstrate():
    torch.manual_seed(0)
    frames = torch.randn(3, 2, 3)

    def slope(cls, weight):
        torch.manual_seed(1)
        model = cls(weight=weight)
        model(frames).backward()
        return model.cells[0].mix.weight.grad.clone()

    for cls, counts in (
        (ListVideo, False), (WorstVideo, False), (StackVideo, True), (SumVideo, True), (WeightedVideo, True),
    ):
        assert (not torch.allclose(slope(cls, 0.0), slope(cls, 10.0))) is counts, cls
        assert report(cls(), frames) > 0
