"""What is float64 in NumPy for certain, and what is not: arrays that become the weights of a loss."""
import numpy as np
import torch
import torch.nn.functional as F
from numpy.random import default_rng
from torch import from_numpy, nn


def drawn(logits, labels):
    return F.cross_entropy(logits, labels, weight=torch.from_numpy(np.random.rand(3)).to(logits.device))  # expect: TL203


def drawn_by_generator(logits, labels):
    weight = default_rng(0).uniform(1, 2, size=3)
    return F.cross_entropy(logits, labels, weight=from_numpy(weight).to(logits.device))  # expect: TL203


def spaced(logits, labels):
    weight = torch.as_tensor(np.linspace(0.5, 1, 3))  # expect: TL203
    return F.nll_loss(logits.log_softmax(-1), labels, weight.to(logits.device))


def shares_of(labels: np.ndarray):
    counts = np.bincount(labels, minlength=3)
    return torch.tensor(counts / counts.sum())  # expect: TL203


def shares(logits, labels):
    return nn.CrossEntropyLoss(weight=shares_of(labels.cpu().numpy()).to(logits.device))(logits, labels)


def class_weights(labels: np.ndarray):
    counts = np.bincount(labels, minlength=3)
    return torch.from_numpy(counts.sum() / (len(counts) * counts))  # expect: TL203


def class_weights_cast(labels: np.ndarray):
    counts = np.bincount(labels, minlength=3)
    return torch.from_numpy((counts.sum() / (len(counts) * counts)).astype("float32"))  # ok: TL203


def axis_of(labels: np.ndarray):
    return torch.from_numpy(np.linspace(0, 1, len(labels)))  # ok: TL203  nobody says who takes it


def written(logits, labels):
    weight = torch.tensor(np.array([1.0, 2.0, 3.0]))  # expect: TL203
    return nn.CrossEntropyLoss(weight.to(logits.device))(logits, labels)


def scalars(logits, labels):
    counts = np.unique(labels.cpu().numpy(), return_counts=True)[1]
    biggest = np.float64(counts.max())
    weight = torch.tensor([biggest / count for count in counts])  # expect: TL203
    return F.cross_entropy(logits, labels, weight=weight.to(logits.device))


def roots(logits, labels):
    weight = torch.from_numpy(1.0 / np.sqrt(np.arange(1, 4)))  # expect: TL203
    return F.cross_entropy(logits, labels, weight=weight.to(logits.device))


def scaled(logits, labels, wanted: list):
    weight = torch.from_numpy(np.array(wanted) / 2)  # expect: TL203
    return F.cross_entropy(logits, labels, weight=weight.to(logits.device))


def zeros(logits, labels):
    weight = np.ones(3)
    weight[0] = 2
    return F.cross_entropy(logits, labels, weight=torch.from_numpy(weight).to(logits.device))  # expect: TL203


def narrow(logits, labels):
    cast = torch.from_numpy(np.random.rand(3).astype(np.float32))  # ok: TL203
    asked = torch.from_numpy(np.linspace(0, 1, 3, dtype="float32"))  # ok: TL203
    given = torch.tensor(np.random.rand(3), dtype=torch.float)  # ok: TL203
    later = torch.from_numpy(np.random.rand(3)).float()  # ok: TL203
    followed = torch.from_numpy(np.random.rand(3)).to(logits)  # ok: TL203
    legacy = torch.FloatTensor(np.random.rand(3))  # ok: TL203  # note: TL202
    kept = torch.from_numpy(np.ones(3, dtype=np.float32) / 3)  # ok: TL203  a Python number widens nothing
    listed = torch.tensor(np.random.rand(3).tolist())  # ok: TL203  Python numbers
    python = torch.tensor([1 / 3, 2 / 3, 1.0])  # ok: TL203
    total = cast + asked + given + later + legacy + kept + listed + python
    return F.cross_entropy(logits, labels, weight=total.to(logits.device) + followed)


def loaded(logits, labels, path):
    weight = torch.from_numpy(np.load(path))  # ok: TL203  a file may hold anything
    pixels = torch.from_numpy(np.load(path) / 255)  # ok: TL203  so may this
    return F.cross_entropy(logits, labels, weight=(weight * pixels).to(logits.device))


def whole(logits, labels):
    weight = torch.from_numpy(np.arange(3)).to(logits.dtype)  # ok: TL203
    return F.cross_entropy(logits, labels, weight=weight.to(logits.device))


def demonstrate():
    logits, labels = torch.randn(4, 3), torch.tensor([0, 1, 2, 0])
    for wrong in (drawn, drawn_by_generator, spaced, shares, written, scalars, roots, zeros):
        try:
            wrong(logits, labels)
            raise AssertionError(f"float64 weights were accepted in {wrong.__name__}")
        except RuntimeError as error:
            assert "Double" in str(error)
    for make in (class_weights, axis_of):
        assert make(labels.numpy()).dtype is torch.float64
    assert class_weights_cast(labels.numpy()).dtype is torch.float32
    assert narrow(logits, labels).dtype is whole(logits, labels).dtype is torch.float32
