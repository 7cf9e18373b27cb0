"""Learner and actor processes: what the learner publishes for the actors is only what belongs to the outermost object.

source: meta-pytorch/torchrec#1091 (recurse flags), actor/learner code that ships named tensors through a queue
rules: [TL110]
"""
import io
import itertools

import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, obs: int = 3, actions: int = 2):
        super().__init__()
        self.log_std = nn.Parameter(torch.zeros(actions))
        self.register_buffer("shift", torch.zeros(obs))
        self.body = nn.Sequential(nn.Linear(obs, 4), nn.BatchNorm1d(4), nn.Linear(4, actions))

    def forward(self, obs):
        return self.body(obs - self.shift) + self.log_std.exp()


class Publisher:
    def __init__(self, policy: nn.Module):
        self.policy = policy

    def tensors(self):
        raise NotImplementedError

    def publish(self) -> bytes:
        blob = io.BytesIO()
        torch.save(dict(self.tensors()), blob)
        return blob.getvalue()


class OuterPublisher(Publisher):
    def tensors(self):
        own = self.policy.named_parameters(recurse=False)  # expect: TL110
        return itertools.chain(own, self.policy.named_buffers(recurse=False))  # expect: TL110


class WholePublisher(Publisher):
    def tensors(self):
        return itertools.chain(self.policy.named_parameters(), self.policy.named_buffers())  # ok: TL110


class PerLayerPublisher(Publisher):
    """recurse=False under a walk over all modules: nothing is forgotten, nothing comes twice."""

    def tensors(self):
        for prefix, layer in self.policy.named_modules():
            for name, p in layer.named_parameters(prefix=prefix, recurse=False):  # ok: TL110
                yield name, p
            for name, b in layer.named_buffers(prefix=prefix, recurse=False):  # ok: TL110
                yield name, b


def has_own_weights(layer: nn.Module) -> bool:
    """Used to find the leaves that an initialiser should visit."""
    return any(True for _ in layer.parameters(recurse=False))  # ok: TL110


def initialise(net: nn.Module) -> int:
    return sum(has_own_weights(m) for m in net.modules())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, whole in ((OuterPublisher, False), (WholePublisher, True), (PerLayerPublisher, True)):
        sent = torch.load(io.BytesIO(cls(Policy()).publish()), weights_only=True)
        assert (set(sent) == set(Policy().state_dict())) is whole, cls
    assert initialise(Policy()) == 4
