"""An agent hands actions to a simulator as arrays: drawn actions are cut from the graph, reparameterised and greedy ones are not.

source: soft actor-critic re-implementations (rsample or mean given to env.step); "Can't call numpy() on Tensor that requires grad"
rules: [TL306]
"""
import numpy as np
import torch
from torch import nn
from torch.distributions import Independent, Normal


class Simulator:
    def __init__(self):
        self.at = np.zeros(2, dtype=np.float32)

    def step(self, push):
        self.at = (self.at + np.asarray(push)).astype(np.float32)
        return self.at, -float(np.abs(self.at).sum())


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean, self.spread = nn.Linear(2, 2), nn.Parameter(torch.zeros(2))

    def policy(self, obs):
        return Independent(Normal(self.mean(obs), self.spread.exp()), 1)

    def draw(self, obs):
        dist = self.policy(obs)
        act = dist.rsample()
        return act, dist.log_prob(act)


class Player:
    def __init__(self, actor: Actor):
        self.actor, self.world = actor, Simulator()

    def greedy(self, obs):
        return self.actor.policy(obs).mean.numpy()  # expect: TL306

    def explore(self, obs):
        act, _ = self.actor.draw(obs)
        return act.numpy()  # expect: TL306

    def play(self, steps, how):
        choose, obs = getattr(self, how), self.world.at
        for _ in range(steps):
            obs, gain = self.world.step(choose(torch.from_numpy(obs)))
        return gain


class CarefulPlayer(Player):
    def greedy(self, obs):
        with torch.no_grad():
            return self.actor.policy(obs).mean.numpy()  # ok: TL306

    def explore(self, obs):
        return self.actor.policy(obs).sample().numpy()  # ok: TL306


class DetachingPlayer(Player):
    def greedy(self, obs):
        mean = self.actor.policy(obs).mean.detach()
        return mean.numpy()  # ok: TL306

    def explore(self, obs):
        act, _ = (t.detach() for t in self.actor.draw(obs))
        return act.numpy()  # ok: TL306


def demonstrate():
    torch.manual_seed(0)
    for how in ("greedy", "explore"):
        try:
            Player(Actor()).play(2, how)
            raise AssertionError("an action with history became an array")
        except RuntimeError as err:
            assert "requires grad" in str(err), err
        for cls in (CarefulPlayer, DetachingPlayer):
            assert cls(Actor()).play(2, how) <= 0
