"""Scoring scripts: no_grad() is called and thrown away, or it guards the loading of the batch; elsewhere it really works.

source: mit-han-lab/spvnas#108, GT-RIPL/AlwaysBeDreaming-DFCIL#9, xiaoyufenfei/Efficient-Segmentation-Networks#5 ("make no_grad effective")
rules: [TL304]
"""
import math
from contextlib import nullcontext

import torch
from torch import nn
import torch.nn.functional as F

trace: list = []


class TinyLM(nn.Module):
    def __init__(self, vocab: int = 7, dim: int = 4):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.out(self.emb(ids))


def nll(model: nn.Module, ids: torch.Tensor) -> torch.Tensor:
    logits = model(ids[:, :-1])
    loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
    trace.append(loss)
    return loss


def perplexity(model: TinyLM, corpus) -> float:
    model.eval()  # expect: TL304
    torch.no_grad()
    total = 0.0
    for ids in corpus:
        total += nll(model, ids).item()
    return math.exp(total / len(corpus))


class Scorer:
    def __init__(self, model: nn.Module, device: str = "cpu"):
        self.model, self.device = model, device

    @torch.no_grad()
    def fetch(self, ids: torch.Tensor) -> torch.Tensor:
        return ids.to(self.device)

    def ranked(self, sentences) -> list:
        self.model.eval()  # expect: TL304
        scores = {i: nll(self.model, self.fetch(s)) for i, s in enumerate(sentences)}
        return sorted(scores, key=lambda i: float(scores[i]))


def perplexity_switched_off(model: TinyLM, corpus) -> float:
    was = torch.is_grad_enabled()
    model.eval()  # ok: TL304
    torch.set_grad_enabled(False)
    total = sum(nll(model, ids).item() for ids in corpus)
    torch.set_grad_enabled(was)
    return math.exp(total / len(corpus))


class QuietScorer(Scorer):
    def __init__(self, model, device="cpu", want_grad: bool = False):
        super().__init__(model, device)
        self.context = nullcontext if want_grad else torch.no_grad

    def ranked(self, sentences):
        self.model.eval()  # ok: TL304
        with self.context():
            scores = [nll(self.model, self.fetch(s)) for s in sentences]
        return sorted(range(len(scores)), key=lambda i: float(scores[i]))


@torch.inference_mode()
def stream(model: nn.Module, corpus):
    """A generator under the decorator is resumed in inference mode each time."""
    model.eval()  # ok: TL304
    for ids in corpus:
        yield nll(model, ids)


def saliency(model: TinyLM, corpus) -> torch.Tensor:
    """Gradients of the embedding are what is wanted here."""
    model.eval()  # ok: TL304
    seen = torch.zeros(model.emb.num_embeddings)
    for ids in corpus:
        (g,) = torch.autograd.grad(nll(model, ids), model.emb.weight)
        seen += g.norm(dim=-1)
    return seen


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    model, corpus = TinyLM(), [torch.randint(0, 7, (2, 5)) for _ in range(3)]
    for call, records in (
        (lambda: perplexity(model, corpus), True),
        (lambda: Scorer(model).ranked(corpus), True),
        (lambda: perplexity_switched_off(model, corpus), False),
        (lambda: QuietScorer(model).ranked(corpus), False),
        (lambda: list(stream(model, corpus)), False),
    ):
        trace.clear()
        call()
        assert len(trace) == 3 and all(t.requires_grad is records for t in trace)
    assert saliency(model, corpus).sum() > 0
