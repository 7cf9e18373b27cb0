"""Perplexity over a long text with a sliding window: the window losses are collected together with their graphs.

source: perplexity recipes of language-model scripts, huggingface/optimum-amd#58; hszhao/semseg#60 (memory grows in evaluation)
rules: [TL304]
"""
import contextlib

import torch
import torch.nn.functional as F
from torch import nn

kept: list[torch.Tensor] = []


class TinyLM(nn.Module):
    def __init__(self, vocab: int = 7, width: int = 4):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(width, vocab)

    def forward(self, ids, labels=None):
        logits = self.out(self.drop(self.embed(ids)))
        return {"logits": logits, "loss": None if labels is None else F.cross_entropy(logits[:-1], labels[1:])}


def windows(ids, size: int, stride: int):
    for begin in range(0, len(ids) - size + 1, stride):
        yield ids[begin : begin + size]


def perplexity(model: nn.Module, ids, size: int = 4, stride: int = 2):
    def score(chunk):
        return model(chunk, labels=chunk)["loss"] * size

    model.eval()  # expect: TL304
    nlls = []
    for chunk in windows(ids, size, stride):
        nlls.append(score(chunk))
    kept[:] = nlls
    return float(torch.exp(torch.stack(nlls).sum() / (len(nlls) * size)))


def quiet_perplexity(model: nn.Module, ids, size: int = 4, stride: int = 2, exact: bool = True):
    guard = torch.inference_mode if exact else torch.no_grad

    def score(chunk):
        with guard():
            return model(chunk, labels=chunk)["loss"] * size

    model.eval()  # ok: TL304
    nlls = [score(chunk) for chunk in windows(ids, size, stride)]
    kept[:] = nlls
    return float(torch.exp(torch.stack(nlls).sum() / (len(nlls) * size)))


@contextlib.contextmanager
def evaluating(model: nn.Module):
    was = model.training
    model.eval()  # ok: TL304
    try:
        with torch.no_grad():
            yield model
    finally:
        model.train(was)


def scoped_perplexity(model: nn.Module, ids, size: int = 4, stride: int = 2):
    with evaluating(model) as net:
        nlls = [net(chunk, labels=chunk)["loss"] for chunk in windows(ids, size, stride)]
    kept[:] = nlls
    return float(torch.exp(torch.stack(nlls).mean()))


def saliency(model: nn.Module, ids, size: int = 4):
    """Importance of each embedding: gradients are the purpose."""
    model.eval()  # ok: TL304
    total = torch.zeros_like(model.embed.weight)
    for chunk in windows(ids, size, size):
        loss = model(chunk, labels=chunk)["loss"]
        total += torch.autograd.grad(loss, model.embed.weight)[0].abs()
    return total


# ---- demonstration: not part of the graded code ----
def demonstrate():
    ids, model = torch.arange(12) % 7, TinyLM()
    perplexity(model, ids)
    assert len(kept) > 2 and all(t.grad_fn is not None for t in kept)
    for quiet in (quiet_perplexity, scoped_perplexity):
        quiet(model, ids)
        assert not any(t.requires_grad for t in kept), quiet
    assert saliency(model, ids).sum() > 0
