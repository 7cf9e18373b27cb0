"""Regularisers with a moving target: the mean path length and a per-class margin move in training and are missing in the checkpoint.

source: mujocolab/mjlab#484, bayesiains/nflows#5 (training state lost on resume); path-length penalty rebuilt from scratch
rules: [TL122]
"""
import torch
from torch import nn


class PathPenalty(nn.Module):
    def __init__(self, decay: float = 0.5, layers: int = 2):
        super().__init__()
        self.decay = decay
        self.weight = nn.Parameter(torch.ones(layers))
        self.worst = 0.0  # ok: TL122  (shown in the log only)
        self.start(layers)

    def start(self, layers: int) -> None:
        raise NotImplementedError

    def lengths(self, grads: torch.Tensor) -> torch.Tensor:
        return grads.pow(2).sum(-1).sqrt() * self.weight

    @torch.no_grad()
    def pull(self, lens: torch.Tensor) -> None:
        self.target = torch.lerp(self.target, lens.mean(0), 1 - self.decay)

    def forward(self, grads):
        lens = self.lengths(grads)
        if self.training:
            self.pull(lens)
        self.worst = max(self.worst, lens.max().item())
        return (lens - self.target).pow(2).mean()


class PlainTarget(PathPenalty):
    def start(self, layers):
        self.target = torch.zeros(layers)  # expect: TL122


class HiddenTarget(PathPenalty):
    def start(self, layers):
        self.register_buffer("target", torch.zeros(layers), persistent=False)  # expect: TL122


class SavedTarget(PathPenalty):
    def start(self, layers):
        self.register_buffer("target", torch.zeros(layers))  # ok: TL122


class StatelessTarget(PathPenalty):
    """The target is a function of the call."""

    def start(self, layers):
        self.register_buffer("ones", torch.ones(layers), persistent=False)  # ok: TL122

    def forward(self, grads):
        lens = self.lengths(grads)
        return (lens - self.ones * lens.detach().mean(0)).pow(2).mean()


class ExtraTarget(PathPenalty):
    """Not in the registry of buffers but in the checkpoint, as extra state."""

    def start(self, layers):
        self.register_buffer("target", torch.zeros(layers), persistent=False)  # ok: TL122

    def get_extra_state(self):
        return self.target.tolist()

    def set_extra_state(self, state):
        self.target = self.target.new_tensor(state)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    batches = [torch.randn(4, 2, 3) * 5 for _ in range(3)]
    for cls, faithful in ((PlainTarget, False), (HiddenTarget, False), (SavedTarget, True), (StatelessTarget, True), (ExtraTarget, True)):
        run = nn.ModuleDict({"reg": cls()})
        for g in batches:
            run["reg"](g)
        back = nn.ModuleDict({"reg": cls()})
        back.load_state_dict(run.state_dict())
        assert torch.allclose(run.eval()["reg"](batches[0]), back.eval()["reg"](batches[0])) is faithful, cls
