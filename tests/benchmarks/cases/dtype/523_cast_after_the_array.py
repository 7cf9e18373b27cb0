"""A text checker runs in brain float; its logits are widened one step too late, when they are an array already.

source: datalab-to/surya#290 (order of the cast and .numpy()), locuslab/open-unlearning#156
rules: [TL306]
"""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass
class Settings:
    dtype: torch.dtype = torch.bfloat16
    batch: int = 2
    limit: float = 0.5


class Checker(nn.Module):
    def __init__(self, vocab: int = 9, dim: int = 4):
        super().__init__()
        self.words, self.head = nn.Embedding(vocab, dim), nn.Linear(dim, 2)

    def forward(self, ids):
        return self.head(self.words(ids).mean(1))


class Predictor:
    def __init__(self, settings: Settings):
        self.settings = settings
        self.model = Checker().to(dtype=torch.bfloat16).eval()

    def arrays(self, logits):
        raise NotImplementedError

    @torch.inference_mode()
    def __call__(self, ids):
        rows = [self.arrays(self.model(part)) for part in ids.split(self.settings.batch)]
        probs = np.concatenate(rows)
        return ["bad" if p > self.settings.limit else "good" for p in probs]


class LatePredictor(Predictor):
    def arrays(self, logits):
        scores = logits.detach().cpu().numpy().astype(np.float32)  # expect: TL306
        e = np.exp(scores - scores.max(-1, keepdims=True))
        return e[:, 1] / e.sum(-1)


class SoftPredictor(Predictor):
    """The softmax comes first, in the model's type."""

    def arrays(self, logits):
        probs = logits.softmax(-1)[:, 1]
        return probs.cpu().numpy()  # expect: TL306


class EarlyPredictor(Predictor):
    def arrays(self, logits):
        scores = logits.to(torch.float32).detach().cpu().numpy()  # ok: TL306
        e = np.exp(scores - scores.max(-1, keepdims=True))
        return e[:, 1] / e.sum(-1)


class WideSoftPredictor(Predictor):
    def arrays(self, logits):
        return logits.softmax(-1, dtype=torch.float32)[:, 1].cpu().numpy()  # ok: TL306


class ListPredictor(Predictor):
    """tolist() knows brain float."""

    def arrays(self, logits):
        return np.array(logits.softmax(-1)[:, 1].tolist())  # ok: TL306


def demonstrate():
    ids = torch.randint(0, 9, (3, 5))
    for cls, works in (
        (LatePredictor, False), (SoftPredictor, False), (EarlyPredictor, True), (WideSoftPredictor, True),
        (ListPredictor, True),
    ):
        try:
            assert len(cls(Settings())(ids)) == 3
            ok = True
        except TypeError as err:
            assert "BFloat16" in str(err), err
            ok = False
        assert ok is works, cls
