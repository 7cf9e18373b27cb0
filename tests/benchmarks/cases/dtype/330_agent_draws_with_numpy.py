"""Agents share one act() that draws with numpy; what a subclass returns as preferences still carries its graph.

source: ClownW/Reinforcement-learning-with-PyTorch#3 kind ("Can't call numpy() on Tensor that requires grad"), agent hierarchies
rules: [TL306]
"""
import numpy as np
import torch
from torch import nn


class Agent:
    def __init__(self, seed=0):
        self.draw = np.random.default_rng(seed)

    def preferences(self, obs):
        raise NotImplementedError

    def act(self, obs):
        p = self.preferences(torch.as_tensor(obs, dtype=torch.float32))
        return int(self.draw.choice(len(p), p=p / p.sum()))


class TableAgent(Agent):
    def __init__(self, table, seed=0):
        super().__init__(seed)
        self.table = torch.as_tensor(table, dtype=torch.float64)

    def preferences(self, obs):
        return self.table[int(obs[0])].numpy()  # ok: TL306


class NetAgent(Agent):
    def __init__(self, actions=3, seed=0):
        super().__init__(seed)
        self.net = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, actions))

    def chances(self, obs):
        return self.net(obs).softmax(-1)

    def preferences(self, obs):
        return self.chances(obs).double().numpy()  # expect: TL306


class QuietAgent(NetAgent):
    @torch.no_grad()
    def preferences(self, obs):
        return self.chances(obs).double().numpy()  # ok: TL306


class CutAgent(NetAgent):
    def preferences(self, obs):
        p = self.chances(obs)
        self.doubt = p.max().item()
        values = p.data
        values = values.double()
        return values.numpy()  # ok: TL306


class GreedyAgent(NetAgent):
    def preferences(self, obs):
        best = self.chances(obs).argmax()
        return np.eye(3)[best.numpy()]  # ok: TL306


def demonstrate():
    torch.manual_seed(0)
    obs = [0.0, 1.0]
    try:
        NetAgent().act(obs)
        raise AssertionError("numpy accepted a value with a graph")
    except RuntimeError as err:
        assert "requires grad" in str(err)
    for agent in (QuietAgent(), CutAgent(), GreedyAgent(), TableAgent(np.ones((2, 3)))):
        assert 0 <= agent.act(obs) < 3
