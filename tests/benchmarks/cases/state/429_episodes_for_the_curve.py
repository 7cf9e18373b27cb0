"""Agents are judged by playing episodes between the updates; some of the judges leave the graph of every action in the log.

source: OpenNMT/OpenNMT-py#1141, skorch-dev/skorch#218, facebookresearch/fairchem#199 (evaluation without no_grad)
rules: [TL304]
"""
import contextlib

import torch
from torch import nn

kept: list[torch.Tensor] = []


class Walk:
    """A tiny environment."""

    def __init__(self, length: int = 3):
        self.length, self.at = length, 0

    def reset(self) -> torch.Tensor:
        self.at = 0
        return torch.zeros(2)

    def step(self, action: int):
        self.at += 1
        return torch.full((2,), float(self.at)), float(action), self.at >= self.length


class Agent:
    def __init__(self):
        self.policy = nn.Sequential(nn.Linear(2, 4), nn.Dropout(0.1), nn.Linear(4, 2))
        self.opt = torch.optim.SGD(self.policy.parameters(), lr=0.1)

    def scores(self, obs: torch.Tensor) -> torch.Tensor:
        return self.policy(obs).log_softmax(-1)

    @torch.no_grad()
    def greedy(self, obs: torch.Tensor) -> torch.Tensor:
        return self.policy(obs).log_softmax(-1)


def judge(agent: Agent, env: Walk, episodes: int = 2) -> float:
    agent.policy.eval()  # expect: TL304
    total, logp = 0.0, []
    for _ in range(episodes):
        obs, done = env.reset(), False
        while not done:
            logp.append(agent.scores(obs))
            obs, r, done = env.step(int(logp[-1].argmax()))
            total += r
    kept[:] = logp
    agent.policy.train()
    return total / episodes


def judge_quietly(agent: Agent, env: Walk, episodes: int = 2) -> float:
    agent.policy.eval()  # ok: TL304
    total, logp = 0.0, []
    for _ in range(episodes):
        obs, done = env.reset(), False
        while not done:
            logp.append(agent.greedy(obs))
            obs, r, done = env.step(int(logp[-1].argmax()))
            total += r
    kept[:] = logp
    return total / episodes


def judge_in_stack(agent: Agent, env: Walk, deterministic: bool = True) -> float:
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.inference_mode())
        agent.policy.eval()  # ok: TL304
        obs, done, total = env.reset(), False, 0.0
        while not done:
            out = agent.scores(obs)
            kept[:] = [out]
            obs, r, done = env.step(int(out.argmax()))
            total += r
    return total


def run_phases(agent: Agent, loaders: dict[str, list[torch.Tensor]]) -> None:
    """One loop for both phases; the gradient switch depends on the phase."""
    for phase, batches in loaders.items():
        if phase == "train":
            agent.policy.train()
        else:
            agent.policy.eval()  # ok: TL304
        for obs in batches:
            agent.opt.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                loss = -agent.scores(obs).mean()
                if phase == "train":
                    loss.backward()
                    agent.opt.step()
            kept[:] = [loss]


class Judge:
    """A sweep over checkpoints; only the comparison at the end is guarded."""

    def __init__(self, agents: list[Agent]):
        self.agents = agents

    def table(self, rows: list[torch.Tensor]) -> torch.Tensor:
        found = []
        for a in self.agents:
            a.policy.eval()  # expect: TL304
            found.append(torch.stack([a.scores(row) for row in rows]))
        kept[:] = found
        with torch.no_grad():
            return torch.stack(found).argmax(-1)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    agent, env = Agent(), Walk()
    rows = [torch.randn(2) for _ in range(3)]
    for call, records in (
        (lambda: judge(agent, env), True), (lambda: Judge([agent]).table(rows), True), (lambda: judge_quietly(agent, env), False),
        (lambda: judge_in_stack(agent, env), False), (lambda: run_phases(agent, {"train": rows, "val": rows}), False),
    ):
        call()
        assert kept[-1].requires_grad is records
