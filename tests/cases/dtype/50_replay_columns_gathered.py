"""A replay memory allocates every column with the same call; the action column is floating and ends in Q.gather().

source: replay buffers of DQN repositories ("gather(): Expected dtype int64 for index"), RUCAIBox/RecBole#1283
rules: [TL201]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Memory:
    def __init__(self, capacity, obs_dim):
        self.capacity, self.cursor, self.full = capacity, 0, False
        self.obs = torch.zeros(capacity, obs_dim)
        self.nxt = torch.zeros(capacity, obs_dim)
        self.act = torch.zeros(capacity, 1)  # expect: TL201
        self.rew = torch.zeros(capacity, 1)

    def push(self, obs, act, rew, nxt):
        i = self.cursor
        self.obs[i], self.act[i], self.rew[i], self.nxt[i] = obs, act, rew, nxt
        self.cursor = (i + 1) % self.capacity
        self.full = self.full or self.cursor == 0

    def __len__(self):
        return self.capacity if self.full else self.cursor

    def sample(self, n):
        rows = torch.randint(len(self), (n,))
        return self.obs[rows], self.act[rows], self.rew[rows], self.nxt[rows]  # ok: TL201


class TypedMemory(Memory):
    """Same columns, but what is taken out as an index is stored as one."""

    def __init__(self, capacity, obs_dim):
        super().__init__(capacity, obs_dim)
        self.slot = torch.zeros(capacity, 1, dtype=torch.int64)  # ok: TL201

    def push(self, obs, act, rew, nxt):
        self.slot[self.cursor] = float(act)
        super().push(obs, act, rew, nxt)

    def sample(self, n):
        rows = (torch.rand(n) * len(self)).long()  # ok: TL201
        return self.obs[rows], self.slot[rows], self.rew[rows], self.nxt[rows]


class Agent:
    def __init__(self, net: nn.Module, memory: Memory, gamma=0.9):
        self.net, self.memory, self.gamma = net, memory, gamma

    def loss(self, n=4):
        s, a, r, s2 = self.memory.sample(n)
        q = self.net(s).gather(1, a)  # use: TL201
        with torch.no_grad():
            best = self.net(s2).max(1, keepdim=True)[0]
        return F.smooth_l1_loss(q, r + self.gamma * best)


class TypedAgent(Agent):
    def __init__(self, net, capacity, obs_dim):
        super().__init__(net, None)
        self.store = TypedMemory(capacity, obs_dim)

    def loss(self, n=4):
        s, a, r, _ = self.store.sample(n)
        return F.smooth_l1_loss(self.net(s).gather(1, a), r)  # ok: TL201


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    net = nn.Linear(3, 5)
    bad, good = Agent(net, Memory(8, 3)), TypedAgent(net, 8, 3)
    for k in range(6):
        for memory in (bad.memory, good.store):
            memory.push(torch.randn(3), k % 5, 1.0, torch.randn(3))
    try:
        bad.loss()
        raise AssertionError("a floating action was gathered")
    except RuntimeError as err:
        assert "int64" in str(err), err
    assert torch.isfinite(good.loss())
