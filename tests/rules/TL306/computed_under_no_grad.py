"""What is computed under no_grad() from a recorded output is not recorded; the output itself is."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Labelled(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return self.head(x)

    def drawn(self, x):
        scores = self(x)
        with torch.no_grad():
            weights = F.softmax(scores, dim=1)
        chances = np.array(weights[0].cpu())  # ok: TL306
        label = np.random.choice(len(chances), 1, p=chances / chances.sum())
        return F.nll_loss(F.log_softmax(scores, dim=1), torch.tensor(label))

    def drawn_late(self, x):
        scores = self(x)
        with torch.no_grad():
            weights = F.softmax(scores, dim=1)
        scaled = weights * scores
        return scaled[0].cpu().numpy()  # expect: TL306

    def drawn_with_gradients(self, x):
        scores = self(x)
        weights = F.softmax(scores, dim=1)
        return weights[0].cpu().numpy()  # expect: TL306


class Searched(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 3)

    def found(self, x):
        with torch.no_grad():
            start = nn.Parameter(self.head(x))
            clipped = start.clamp(0, 1)
        return clipped.numpy(), start.cpu().numpy()  # expect: TL306


def demonstrate():
    model, x = Labelled(), torch.randn(1, 4)
    model.drawn(x).backward()
    for function in (model.drawn_late, model.drawn_with_gradients, Searched().found):
        try:
            function(x)
            raise AssertionError("numpy took a tensor that requires grad")
        except RuntimeError as error:
            assert "requires grad" in str(error)
