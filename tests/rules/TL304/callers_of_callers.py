"""The caller of the caller switches gradients off; one way to the loop with gradients on is enough for a finding."""
import torch
from torch import nn

held = []


def encode(model, batches):
    model.eval()  # ok: TL304  show(), two calls up, switches gradients off
    for x in batches:
        held.append(model(x))


def codes(model, batches):
    encode(model, batches)
    return torch.cat(held)


@torch.no_grad()
def show(model, batches):
    return codes(model, batches).sum()


def embed(model, batches):
    model.eval()  # expect: TL304  report() does not
    for x in batches:
        held.append(model(x))


def embeddings(model, batches):
    embed(model, batches)
    return torch.cat(held)


@torch.no_grad()
def draw(model, batches):
    return embeddings(model, batches).sum()


def report(model, batches):
    return embeddings(model, batches).sum()


def demonstrate():
    model, batches = nn.Linear(2, 2), [torch.ones(1, 2)]
    for records, run in ((False, show), (False, draw), (True, report)):
        held.clear()
        run(model, batches)
        assert held[0].requires_grad is records, run
