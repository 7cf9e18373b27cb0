"""torch.tensor() of recorded values makes a tensor without a graph; stack() keeps it."""
import torch
from torch import nn
from torch.distributions import Categorical
from torch.nn import functional as F


class Agent:
    def __init__(self, policy: nn.Module, optimizer):
        self.policy = policy
        self.optimizer = optimizer
        self.log_probs = []
        self.rewards = []

    def act(self, state):
        dist = Categorical(logits=self.policy(state))
        action = dist.sample()
        self.log_probs.append(dist.log_prob(action))
        return action.item()

    def update(self):
        returns = torch.tensor(self.rewards)  # ok: TL305  numbers
        log_probs = torch.tensor(self.log_probs, requires_grad=True)  # expect: TL305
        loss = -(log_probs * returns).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def update_fixed(self):
        returns = torch.tensor(self.rewards)  # ok: TL305
        loss = -(torch.stack(self.log_probs) * returns).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def summed(model, batches, targets, optimizer):
    losses = [F.mse_loss(model(x), y) for x, y in zip(batches, targets)]
    loss = torch.tensor(losses, requires_grad=True).sum()  # expect: TL305
    loss.backward()
    optimizer.step()


def with_another_term(model, batches, targets):
    losses = []
    for x, y in zip(batches, targets):
        losses.append(F.mse_loss(model(x), y))
    penalty = sum(p.pow(2).sum() for p in model.parameters())
    loss = torch.tensor(losses).mean() + 0.01 * penalty  # expect: TL305
    loss.backward()


def multi_task_loss(model, x, targets):
    parts = {}
    out = model(x)
    parts["first"] = F.mse_loss(out, targets[0])
    parts["second"] = F.l1_loss(out, targets[1])
    total = torch.as_tensor(list(parts.values())).sum()  # expect: TL305
    return total + out.pow(2).mean()


def only_reported(model, batches, targets):
    losses = []
    for x, y in zip(batches, targets):
        loss = F.mse_loss(model(x), y)
        loss.backward()
        losses.append(loss)
    return torch.tensor(losses).mean()  # ok: TL305  nobody backpropagates it


def of_numbers(model, batches, targets, optimizer):
    losses = [F.mse_loss(model(x), y) for x, y in zip(batches, targets)]
    weights = torch.tensor([loss.item() for loss in losses], device=targets[0].device)  # ok: TL305  weights
    (torch.stack(losses) * weights).sum().backward()
    optimizer.step()


def clipped(model, states, actions, kept, advantages, optimizer):
    new = Categorical(logits=model(states)).log_prob(actions)
    old = torch.tensor(kept)  # ok: TL305  the probabilities of the old policy are constants
    ratio = torch.exp(new - old)
    loss = -(ratio * advantages).mean()
    loss.backward()
    optimizer.step()


def demonstrate():
    torch.manual_seed(0)
    x, y = [torch.randn(2, 2)] * 2, [torch.randn(2, 2)] * 2

    def trains(run):
        model = nn.Linear(2, 2)
        run(model, torch.optim.SGD(model.parameters(), lr=0.1))
        return model.weight.grad is not None and bool(model.weight.grad.abs().sum() > 0)

    def agent(name):
        def run(model, optimizer):
            one = Agent(model, optimizer)
            one.act(torch.randn(2)), one.act(torch.randn(2))
            one.rewards = [1.0, 2.0]
            getattr(one, name)()

        return run

    assert not trains(agent("update")) and trains(agent("update_fixed"))
    assert not trains(lambda model, optimizer: summed(model, x, y, optimizer))
    assert trains(lambda model, optimizer: of_numbers(model, x, y, optimizer))
    model = nn.Linear(2, 2)
    with_another_term(model, x, y)
    assert torch.allclose(model.weight.grad, 0.02 * model.weight)
    out = multi_task_loss(model, x[0], y)
    assert out.requires_grad
    only_reported(model, x, y)
    clipped(model, x[0], torch.tensor([0, 1]), [-0.5, -0.5], torch.ones(2), torch.optim.SGD(model.parameters()))
