"""A topic model prints the strongest words of each topic; the topics are a softmax of Parameters, still tied to their graph.

source: adjidieng/DETM#11 (Can't call numpy() on Variable that requires grad), zhuangdizhu/FedGen#15
rules: [TL306]
"""
import numpy as np
import torch
from torch import nn


class Topics(nn.Module):
    def __init__(self, words: list[str], topics: int = 2, dim: int = 4):
        super().__init__()
        self.words = words
        self.rho = nn.Linear(dim, len(words), bias=False)
        self.alphas = nn.Linear(dim, topics, bias=False)

    def beta(self):
        return torch.softmax(self.rho(self.alphas.weight), dim=-1)

    def forward(self, theta):
        return (theta @ self.beta()).log()


def strongest(model: Topics, count: int = 2) -> list[list[str]]:
    beta = model.beta()
    found = []
    for row in beta:
        order = row.cpu().numpy().argsort()[::-1]  # expect: TL306
        found.append([model.words[i] for i in order[:count]])
    return found


def coherence(model: Topics, counts: np.ndarray) -> float:
    top = model.beta().topk(2, dim=-1)
    weights = np.asarray(top.values)  # expect: TL306
    pairs = counts[top.indices.numpy()[:, 0], top.indices.numpy()[:, 1]]  # ok: TL306
    return float((weights.prod(axis=1) * pairs).sum())


def strongest_fixed(model: Topics, count: int = 2) -> list[list[str]]:
    beta = model.beta().detach().cpu()
    return [[model.words[i] for i in row.numpy().argsort()[::-1][:count]] for row in beta]  # ok: TL306


def strongest_by_torch(model: Topics, count: int = 2) -> list[list[str]]:
    """Integers carry no gradient, wherever they come from."""
    order = model.beta().argsort(dim=-1, descending=True)[:, :count]
    return [[model.words[i] for i in row] for row in order.cpu().numpy()]  # ok: TL306


@torch.no_grad()
def coherence_fixed(model: Topics, counts: np.ndarray) -> float:
    top = model.beta().topk(2, dim=-1)
    weights = np.asarray(top.values)  # ok: TL306
    pairs = counts[top.indices.numpy()[:, 0], top.indices.numpy()[:, 1]]  # ok: TL306
    return float((weights.prod(axis=1) * pairs).sum())


def demonstrate():
    model, counts = Topics(["sea", "ship", "tax", "law"]), np.ones((4, 4))
    for bad in (lambda: strongest(model), lambda: coherence(model, counts)):
        try:
            bad()
            raise AssertionError("numpy took a tensor that requires grad")
        except RuntimeError as err:
            assert "requires grad" in str(err), err
    assert strongest_fixed(model) == strongest_by_torch(model)
    assert coherence_fixed(model, counts) > 0
