"""A class may put what it counts into the checkpoint itself, or make it anew when one is loaded."""
import torch
from torch import nn


class Centered(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.mean = torch.zeros(dim)  # expect: TL122

    def forward(self, x):
        if self.training:
            self.mean = 0.9 * self.mean + 0.1 * x.detach().mean(0)
        return (x - self.mean) * self.weight


class ExtraState(Centered):
    def __init__(self):
        super().__init__()
        self.mean = torch.zeros(3)  # ok: TL122

    def get_extra_state(self):
        return self.mean

    def set_extra_state(self, state):
        self.mean = state


class SavesItself(Centered):
    def __init__(self):
        super().__init__()
        self.mean = torch.zeros(3)  # ok: TL122

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "mean"] = self.mean

    def _load_from_state_dict(self, state_dict, prefix, *args):
        self.mean = state_dict.pop(prefix + "mean")
        super()._load_from_state_dict(state_dict, prefix, *args)


class ExtraStateOfOther(Centered):
    def __init__(self):
        super().__init__()
        self.mean = torch.zeros(3)  # expect: TL122  the extra state holds something else

    def get_extra_state(self):
        return {"version": 1}

    def set_extra_state(self, state):
        assert state["version"] == 1


def demonstrate():
    for kind in (Centered, ExtraState, SavesItself, ExtraStateOfOther):
        trained, resumed = kind(), kind()
        trained(torch.ones(2, 3))
        resumed.load_state_dict(trained.state_dict())
        same = torch.equal(trained.eval()(torch.ones(2, 3)), resumed.eval()(torch.ones(2, 3)))
        assert same is (kind in (ExtraState, SavesItself)), kind
