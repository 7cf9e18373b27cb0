"""A world-model agent builds its networks first, because the base constructor wants to know the size of the latent state.

source: leggedrobotics/rsl_rl#175 (networks assigned before the base constructor), Genentech/gReLU#188; mixin that ends the chain
rules: [TL109]
"""
import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self, latent: int, lr: float = 0.1):
        super().__init__()
        self.latent = latent
        self.value = nn.Linear(latent, 1)
        self.lr = lr

    def forward(self, z):
        return self.value(z)


class EagerAgent(Agent):
    def __init__(self, obs: int, latent: int = 4, **kw):
        sizes = [obs, 8, latent]  # ok: TL109
        self.horizon = 5  # ok: TL109
        self.encoder, self.model = nn.Linear(*sizes[::2]), nn.GRUCell(latent, latent)  # expect: TL109
        super().__init__(self.model.hidden_size, **kw)


class PreparedAgent(Agent):
    """The networks are local until the base is ready."""

    def __init__(self, obs: int, latent: int = 4, **kw):
        encoder, model = nn.Linear(obs, latent), nn.GRUCell(latent, latent)
        self.sizes = (obs, latent)  # ok: TL109
        super().__init__(model.hidden_size, **kw)
        self.encoder, self.model = encoder, model  # ok: TL109


class ParkedAgent(Agent):
    """A shared network on purpose kept out of the modules, therefore allowed before the base."""

    def __init__(self, shared: nn.Module, latent: int = 4):
        self.__dict__["shared"] = shared  # ok: TL109
        object.__setattr__(self, "spare", nn.Identity())  # ok: TL109
        super().__init__(latent)


class LateExplicitAgent(Agent):
    def __init__(self, obs: int, latent: int = 4):
        for name, size in (("prior", obs), ("posterior", latent)):
            setattr(self, name, nn.Linear(size, latent))  # expect: TL109
        Agent.__init__(self, latent)


class Scaled(nn.Module):
    """The old two-argument form at the top, in a branch for logging in between."""

    def __init__(self, verbose: bool = False):
        if verbose:
            self.log = []  # ok: TL109
        super(Scaled, self).__init__()
        self.scale = nn.Parameter(torch.ones(1))  # ok: TL109
        self.register_buffer("shift", torch.zeros(1))  # ok: TL109


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for make in (lambda: EagerAgent(3), lambda: LateExplicitAgent(3)):
        try:
            make()
            raise AssertionError("must not get here")
        except AttributeError as exc:
            assert "before Module.__init__()" in str(exc)
    agent = PreparedAgent(3)
    assert agent.horizon if hasattr(agent, "horizon") else len(list(agent.children())) == 3
    shared = nn.Linear(2, 2)
    parked = ParkedAgent(shared)
    assert parked.shared is shared and len(list(parked.children())) == 1
    assert len(Scaled(verbose=True).state_dict()) == 2
