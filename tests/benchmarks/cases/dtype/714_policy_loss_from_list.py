"""A policy loss is built by torch.tensor over a list of graph values: requires_grad=True silences the error, nothing is learned.

source: REINFORCE homework code, kengz/SLM-Lab#133 (the same root cause)
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, obs=4, actions=3):
        super().__init__()
        self.body = nn.Linear(obs, 16)
        self.pi = nn.Linear(16, actions)
        self.v = nn.Linear(16, 1)

    def forward(self, obs):
        h = torch.tanh(self.body(obs))
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def returns_of(rewards, gamma=0.99):
    out, running = [], 0.0
    for r in reversed(rewards):
        running = r + gamma * running
        out.insert(0, running)
    return torch.tensor(out)  # ok: TL305


def episode_loss(policy, observations, rewards):
    log_probs = []
    for obs in observations:
        dist, _ = policy(obs)
        log_probs.append(dist.log_prob(dist.sample()))
    score = torch.tensor(log_probs, requires_grad=True)  # expect: TL305
    return -(score * returns_of(rewards)).sum()


def episode_loss_critic(policy, observations, rewards):
    returns = returns_of(rewards)
    actor, critic = [], []
    for obs, ret in zip(observations, returns):
        dist, value = policy(obs)
        actor.append(-dist.log_prob(dist.sample()) * (ret - value.detach()))
        critic.append(F.smooth_l1_loss(value, ret))
    return torch.as_tensor(actor).mean() + torch.stack(critic).mean()  # expect: TL305


def episode_loss_fixed(policy, observations, rewards):
    log_probs = []
    for obs in observations:
        dist, _ = policy(obs)
        log_probs.append(dist.log_prob(dist.sample()))
    baseline = torch.tensor([float(r) for r in rewards]).mean()  # ok: TL305
    return -(torch.stack(log_probs) * (returns_of(rewards) - baseline)).sum()  # ok: TL305


def summary(losses):
    history = [float(loss) for loss in losses]
    return torch.tensor(history).median()  # ok: TL305


# ---- demonstration: not part of the graded code ----
def demonstrate():
    import warnings

    obs, rewards = torch.randn(5, 4), [1.0, 0.0, 0.0, 1.0, 2.0]

    def grads(loss_fn):
        torch.manual_seed(0)
        policy = Policy()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loss = loss_fn(policy, obs, rewards)
        loss.backward()  # never an error
        return policy, loss

    policy, _ = grads(episode_loss)
    assert all(p.grad is None for p in policy.parameters())
    policy, _ = grads(episode_loss_critic)
    assert policy.pi.weight.grad is None and policy.v.weight.grad is not None
    policy, loss = grads(episode_loss_fixed)
    assert policy.pi.weight.grad.abs().sum() > 0
    assert torch.isfinite(summary([loss.detach(), loss.detach()]))
