"""Meta-training averages the query losses of all tasks in a new tensor with requires_grad=True: backward runs, nothing moves.

source: pytorch/pytorch#92586 (requires_grad = True makes backward succeed), kengz/SLM-Lab#133; MAML re-implementations
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class Adapted:
    def __init__(self, net, lr=0.1):
        self.net, self.lr = net, lr

    def query_loss(self, task):
        weights = dict(self.net.named_parameters())
        xs, ys, xq, yq = task
        inner = F.mse_loss(functional_call(self.net, weights, xs), ys)
        slopes = torch.autograd.grad(inner, list(weights.values()), create_graph=True)
        fast = {k: w - self.lr * g for (k, w), g in zip(weights.items(), slopes)}
        return F.mse_loss(functional_call(self.net, fast, xq), yq)


class Meta:
    def __init__(self, net):
        self.learner = Adapted(net)
        self.solver = torch.optim.SGD(net.parameters(), lr=0.5)
        self.history = []

    def merge(self, losses):
        return torch.tensor(losses, requires_grad=True).mean()  # expect: TL305

    def epoch(self, tasks):
        found = {}
        for name, task in tasks.items():
            found[name] = self.learner.query_loss(task)
        outer = self.merge(list(found.values()))
        self.solver.zero_grad()
        outer.backward()
        self.solver.step()
        self.history.append(outer.detach())


class MetaFixed(Meta):
    def merge(self, losses):
        numbers = torch.tensor([float(v.detach()) for v in losses])  # ok: TL305
        weights = numbers / numbers.sum()
        return (torch.stack(losses) * weights).sum()  # ok: TL305


class MetaLearnedWeights(Meta):
    """The task weights are leaves of their own, built from plain numbers."""

    def __init__(self, net):
        super().__init__(net)
        self.importance = torch.tensor([0.5, 0.5], requires_grad=True)  # ok: TL305

    def merge(self, losses):
        return (self.importance.softmax(0) * torch.stack(losses)).sum()


def demonstrate():
    def moved(kind):
        torch.manual_seed(0)
        net = nn.Linear(2, 1)
        before = net.weight.detach().clone()
        tasks = {n: tuple(torch.randn(4, d) for d in (2, 1, 2, 1)) for n in "ab"}
        kind(net).epoch(tasks)
        return not torch.equal(before, net.weight)

    assert not moved(Meta)
    assert moved(MetaFixed) and moved(MetaLearnedWeights)
