"""An object that a function is given holds the floating values; the parameter is called like its class."""
import torch


class ReplayRows:
    def __init__(self, size):
        self.actions = torch.zeros(size, 1)  # expect: TL201
        self.rewards = torch.zeros(size)  # ok: TL201  never an index

    def picked(self, rows):
        return self.actions[rows], self.rewards[rows]


class WholeRows:
    def __init__(self, size):
        self.actions = torch.zeros(size, 1, dtype=torch.int64)  # ok: TL201

    def picked_whole(self, rows):
        return self.actions[rows]


def gain(scores, replay_rows, rows):
    actions, rewards = replay_rows.picked(rows)
    return scores.gather(1, actions)[:, 0] - rewards


def gain_of_whole(scores, given, rows):
    return scores.gather(1, given.picked_whole(rows))


def demonstrate():
    scores, rows = torch.rand(2, 3), torch.tensor([0, 1])
    try:
        gain(scores, ReplayRows(4), rows)
        raise AssertionError("a floating index was accepted")
    except RuntimeError:
        pass
    assert gain_of_whole(scores, WholeRows(4), rows).shape == (2, 1)
