"""An exporter lists what belongs to the object itself and ships that as the whole agent.

source: meta-pytorch/torchrec#1091 (recurse flags), weight publishing helpers of actor/learner code
rules: [TL110]
"""
import io
from functools import partial

import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self, obs: int = 3, acts: int = 2):
        super().__init__()
        self.log_std = nn.Parameter(torch.zeros(acts))
        self.register_buffer("clip", torch.tensor(5.0))
        self.policy = nn.Sequential(nn.Linear(obs, 4), nn.Tanh(), nn.Linear(4, acts))

    def forward(self, obs):
        return self.policy(obs.clamp(-self.clip, self.clip))


class Publisher:
    """Writes what `entries` yields; the actors load it with strict=False."""

    def __init__(self, agent: nn.Module):
        self.agent = agent

    def entries(self):
        raise NotImplementedError

    def publish(self) -> bytes:
        sink = io.BytesIO()
        torch.save({k: v.detach().clone() for k, v in self.entries()}, sink)
        return sink.getvalue()

    @staticmethod
    def receive(blob: bytes, agent: nn.Module):
        return agent.load_state_dict(torch.load(io.BytesIO(blob), weights_only=True), strict=False)


class RootPublisher(Publisher):
    def entries(self):
        yield from self.agent.named_parameters(recurse=False)  # expect: TL110
        yield from self.agent.named_buffers(recurse=False)  # expect: TL110


class TreePublisher(Publisher):
    """recurse=False inside a walk over all modules: every level contributes what it owns."""

    def entries(self):
        for prefix, module in self.agent.named_modules():
            own = partial(module.named_parameters, recurse=False)  # ok: TL110
            for name, p in own():
                yield f"{prefix}.{name}" if prefix else name, p
            for name, b in module.named_buffers(prefix=prefix, recurse=False):  # ok: TL110
                yield name, b


def reset_own(module: nn.Module) -> None:
    """Called through agent.apply(), which visits every level by itself."""
    for p in module.parameters(recurse=False):  # ok: TL110
        nn.init.zeros_(p)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, whole in ((RootPublisher, False), (TreePublisher, True)):
        src, dst = Agent(), Agent()
        left = cls.receive(cls(src).publish(), dst).missing_keys
        assert (not left) is whole, cls
        assert torch.equal(dst(torch.ones(1, 3)), src(torch.ones(1, 3))) is whole
    assert all((p == 0).all() for p in Agent().apply(reset_own).parameters())
