"""zeros(.., requires_grad=True).long(): a leaf that only the cast takes trains nobody, so the cast loses nothing."""
import torch
from torch import nn
from torch.nn import functional as F


def padded(rows, is_training):
    words = torch.zeros((len(rows), 3), requires_grad=is_training).long()  # ok: TL305
    for index, row in enumerate(rows):
        words[index, : len(row)] = torch.tensor(row)
    return words


class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(4, 1)

    def word_loss(self, words, y):
        return F.mse_loss(self.table(words).mean((1, 2)), y)


def of_rows(model, rows):
    words = padded(rows, True)
    loss = model.word_loss(words, torch.ones(len(rows)))
    loss.backward()
    return loss


def from_a_constant(model, x, y):
    start = torch.ones(x.shape, requires_grad=True).int()  # ok: TL305
    loss = F.mse_loss(start.float(), y) + model(x).mean()
    loss.backward()


def from_a_leaf(model, x, y):
    start = torch.full(x.shape, 2.0, requires_grad=True)
    optimizer = torch.optim.SGD([start], lr=0.1)
    loss = F.mse_loss(start.int().float(), y) + model(x).mean()  # expect: TL305
    loss.backward()
    optimizer.step()
    return start


def of_an_output(model, x, y):
    out = model(x)
    loss = (out.int() - y).pow(2).mean() + out.pow(2).mean()  # expect: TL305
    loss.backward()


def demonstrate():
    model, x, y = nn.Linear(3, 3), torch.ones(2, 3), torch.zeros(2, 3)
    assert not padded([[1, 2]], True).requires_grad
    assert of_rows(Rows(), [[1, 2], [1]]).requires_grad
    from_a_constant(model, x, y), of_an_output(model, x, y)
    assert from_a_leaf(model, x, y).grad is None
