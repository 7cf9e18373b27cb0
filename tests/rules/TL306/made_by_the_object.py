"""An object that is no module makes its network and never moves it; beside it another one puts its own elsewhere."""
import torch
from torch import nn


class Thinker:
    def __init__(self):
        self.net = nn.Linear(2, 3)

    def chances(self, obs):
        return self.net(obs).softmax(-1)

    def preferences(self, obs):
        return self.chances(obs).double().numpy()  # expect: TL306


class Quiet(Thinker):
    @torch.no_grad()
    def preferences(self, obs):
        return self.chances(obs).double().numpy()  # ok: TL306


class Greedy(Thinker):
    def preferences(self, obs):
        return self.chances(obs).argmax().numpy()  # ok: TL306


class Placed:
    def __init__(self, name: str):
        self.place = torch.device(name)
        self.policy = nn.Sequential(nn.Linear(2, 4), nn.Linear(4, 3)).to(self.place)

    @torch.no_grad()
    def act(self, obs):
        return self.policy(obs.to(self.place)).argmax(-1).numpy()  # expect: TL306

    @torch.no_grad()
    def act_here(self, obs):
        return self.policy(obs.to(self.place)).argmax(-1).to("cpu").numpy()  # ok: TL306


class Called:
    def __init__(self):
        self.inner = nn.Linear(2, 3)

    def __call__(self, x):
        return self.inner(x)


def through_an_object(x):
    return Called()(x).numpy()  # expect: TL306


def demonstrate():
    for one in (Quiet(), Greedy()):
        one.preferences(torch.ones(2))
    for call in (Thinker().preferences, through_an_object):
        try:
            call(torch.ones(2))
            raise AssertionError("numpy took what autograd records")
        except RuntimeError as error:
            assert "requires grad" in str(error)
    Placed("cpu").act_here(torch.ones(2))
    try:
        Placed("meta").act(torch.ones(2))
        raise AssertionError("numpy took a tensor of another device")
    except TypeError:
        pass
