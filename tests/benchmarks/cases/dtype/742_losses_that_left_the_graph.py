"""Multi-task and VAE losses lose their gradient: torch.tensor of losses, .item() rebound before the sum, weights normalised through .data.

source: kengz/SLM-Lab#133, Quantum-Cheese/DeepReinforcementLearning_Pytorch#1
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


class MultiTask(nn.Module):
    def __init__(self, dim=4, tasks=3):
        super().__init__()
        self.trunk = nn.Linear(dim, dim)
        self.heads = nn.ModuleList(nn.Linear(dim, 1) for _ in range(tasks))
        self.mix = nn.Linear(dim, tasks)

    def forward(self, x):
        h = torch.relu(self.trunk(x))
        return [head(h).squeeze(-1) for head in self.heads], h


def task_loss(model, x, targets):
    preds, _ = model(x)
    losses = [F.mse_loss(p, t) for p, t in zip(preds, targets)]
    return torch.tensor(losses, requires_grad=True).mean()  # expect: TL305


def elbo(model, x, targets, beta=0.1, log=None):
    preds, h = model(x)
    recon = F.mse_loss(preds[0], targets[0])
    kl = 0.5 * h.pow(2).sum(-1).mean()
    kl = kl.item()  # expect: TL305
    if log is not None:
        log.append(kl)
    return recon + beta * kl


def mixed(model, x, targets):
    preds, h = model(x)
    weight = model.mix(h).exp()
    weight.data.div_(weight.data.sum(-1, keepdim=True))  # expect: TL305
    return F.mse_loss((weight * torch.stack(preds, -1)).sum(-1), targets[0])


def task_loss_fixed(model, x, targets, log=None):
    preds, _ = model(x)
    losses = [F.mse_loss(p, t) for p, t in zip(preds, targets)]
    if log is not None:
        log.append(torch.tensor([loss.item() for loss in losses]))  # ok: TL305
    return torch.stack(losses).mean()  # ok: TL305


def elbo_fixed(model, x, targets, beta=0.1, log=None):
    preds, h = model(x)
    recon = F.mse_loss(preds[0], targets[0])
    kl = 0.5 * h.pow(2).sum(-1).mean()
    if log is not None:
        log.append(kl.item())  # ok: TL305
    return recon + beta * kl


def mixed_fixed(model, x, targets):
    preds, h = model(x)
    logits = model.mix(h)
    weight = (logits - logits.amax(-1, keepdim=True).detach()).exp()  # ok: TL305
    weight = weight / weight.sum(-1, keepdim=True)
    return F.mse_loss((weight * torch.stack(preds, -1)).sum(-1), targets[0])


def demonstrate():
    torch.manual_seed(0)
    x, targets = torch.randn(6, 4), torch.randn(3, 6)

    def grads(fn):
        torch.manual_seed(1)
        model = MultiTask()
        fn(model, x, targets).backward()
        return {n: p.grad for n, p in model.named_parameters()}

    assert all(g is None for g in grads(task_loss).values())  # backward runs, nothing is trained
    assert all(grads(task_loss_fixed)[f"heads.{i}.weight"] is not None for i in range(3))
    assert not torch.allclose(grads(elbo)["trunk.weight"], grads(elbo_fixed)["trunk.weight"])
    # same value, other gradient: exp's backward reads its overwritten result
    model = MultiTask()
    assert torch.allclose(mixed(model, x, targets), mixed_fixed(model, x, targets))
    assert not torch.allclose(grads(mixed)["mix.weight"], grads(mixed_fixed)["mix.weight"], atol=1e-3)
    log = []
    task_loss_fixed(model, x, targets, log)
    assert log[0].shape == (3,)
