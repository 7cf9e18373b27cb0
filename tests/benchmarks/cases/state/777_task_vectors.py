"""Merging fine-tuned models: the task vector is subtracted into the live model, and the saved weights are those of one level only.

source: written from scratch
rules: [TL110, TL111]
"""
import torch
from torch import nn


class Adapted(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))
        self.body = nn.Sequential(nn.Linear(dim, dim), nn.BatchNorm1d(dim), nn.Linear(dim, dim))

    def forward(self, x):
        return self.body(x * self.gain)


@torch.no_grad()
def task_vector(tuned: nn.Module, base: nn.Module) -> dict[str, torch.Tensor]:
    delta = tuned.state_dict()
    for name, start in base.state_dict().items():
        delta[name] -= start  # expect: TL111
    return delta


@torch.no_grad()
def task_vector_new(tuned: nn.Module, base: nn.Module) -> dict[str, torch.Tensor]:
    delta = tuned.state_dict()
    for name, start in base.state_dict().items():
        delta[name] = delta[name] - start  # ok: TL111
    return delta


@torch.no_grad()
def add_vector(model: nn.Module, delta: dict[str, torch.Tensor], scale: float) -> None:
    """Moves the model; here the live tensors are meant."""
    for name, p in model.named_parameters():
        p.add_(delta[name], alpha=scale)  # ok: TL111


def with_prefix(model: nn.Module, prefix: str) -> dict[str, torch.Tensor]:
    """Changes the dict, not the tensors in it."""
    state = model.state_dict()
    for name in list(state):
        state[prefix + name] = state.pop(name)  # ok: TL111
    return state


def save_weights(model: nn.Module, path) -> None:
    torch.save({n: p.detach() for n, p in model.named_parameters(recurse=False)}, path)  # expect: TL110


def save_weights_whole(model: nn.Module, path) -> None:
    weights = {}
    for prefix, module in model.named_modules():
        for n, p in module.named_parameters(recurse=False):  # ok: TL110
            weights[f"{prefix}.{n}" if prefix else n] = p.detach()
    torch.save(weights, path)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    import io

    torch.manual_seed(0)
    base, tuned = Adapted(), Adapted()
    want = tuned.body[0].weight.detach() - base.body[0].weight.detach()
    before = tuned.body[0].weight.detach().clone()
    vec = task_vector_new(tuned, base)
    assert torch.equal(tuned.body[0].weight, before) and torch.equal(vec["body.0.weight"], want)
    assert "model.gain" in with_prefix(tuned, "model.") and torch.equal(tuned.body[0].weight, before)
    assert torch.equal(task_vector(tuned, base)["body.0.weight"], want)
    assert torch.equal(tuned.body[0].weight, want), "the fine-tuned model now holds the difference"
    add_vector(base, vec, 1.0)
    assert torch.allclose(base.body[0].weight, before)
    for save, n in ((save_weights, 1), (save_weights_whole, 7)):
        blob = io.BytesIO()
        save(base, blob)
        blob.seek(0)
        assert len(torch.load(blob, weights_only=True)) == n, save
