"""Actor-critic: a network assigned before Module.__init__ has run, and registration calls whose None is stored.

source: written from scratch
rules: [TL109, TL115]
"""
import torch
from torch import nn


def mlp(sizes: list[int]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


class Agent(nn.Module):
    def __init__(self, obs: int = 4, acts: int = 2):
        super().__init__()
        self.obs, self.acts = obs, acts

    def act(self, x: torch.Tensor) -> torch.Tensor:
        return self.actor(x).argmax(-1)


class EarlyAgent(Agent):
    def __init__(self, obs: int = 4, acts: int = 2, hidden: int = 8):
        self.hidden = hidden  # ok: TL109
        self.layout = [obs, hidden, acts]  # ok: TL109
        self.actor = mlp(self.layout)  # expect: TL109
        super().__init__(obs, acts)
        self.critic = mlp([obs, hidden, 1])


class OrderedAgent(Agent):
    def __init__(self, obs: int = 4, acts: int = 2, hidden: int = 8):
        self.layout = [obs, hidden, acts]  # ok: TL109
        trunk = mlp(self.layout)
        super().__init__(obs, acts)
        self.actor = trunk  # ok: TL109
        self.critic = mlp([obs, hidden, 1])


class GaussianPolicy(Agent):
    def __init__(self, obs: int = 4, acts: int = 2):
        super().__init__(obs, acts)
        self.mean = self.add_module("mean", nn.Linear(obs, acts))  # expect: TL115
        self.log_std = self.register_parameter("log_std", nn.Parameter(torch.zeros(acts)))  # expect: TL115

    def forward(self, x):
        return self.mean(x), self.log_std.exp()


class RegisteredPolicy(Agent):
    def __init__(self, obs: int = 4, acts: int = 2):
        super().__init__(obs, acts)
        self.add_module("mean", nn.Linear(obs, acts))  # ok: TL115
        self.register_parameter("log_std", nn.Parameter(torch.zeros(acts)))  # ok: TL115
        self.calls: list[tuple[int, ...]] = []
        self.tap = self.mean.register_forward_hook(self.note)  # ok: TL115

    def note(self, module, args, output) -> None:
        self.calls.append(tuple(output.shape))

    def forward(self, x):
        return self.mean(x), self.log_std.exp()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(3, 4)
    try:
        EarlyAgent()
        raise AssertionError("a network before Module.__init__ should be refused")
    except AttributeError as exc:
        assert "before Module.__init__" in str(exc), exc
    good = OrderedAgent()
    assert good.act(x).shape == (3,) and good.layout == [4, 8, 2] and len(list(good.parameters())) == 8
    bad, fine = GaussianPolicy(), RegisteredPolicy()
    assert bad.mean is None and bad.log_std is None and not list(bad.parameters())
    try:
        bad(x)
        raise AssertionError("None is not callable")
    except TypeError:
        pass
    mean, std = fine(x)
    assert mean.shape == (3, 2) and fine.calls == [(3, 2)] and len(list(fine.parameters())) == 3
    fine.tap.remove()
