"""A variational autoencoder steers the weight of its KL term with an integral controller; what it has integrated is not saved.

source: ControlVAE-like controllers, Lightning-AI/torchmetrics#3323 (count lost), mujocolab/mjlab#484 (step counter lost on resume)
rules: [TL122]
"""
import torch
from torch import nn


class Controller(nn.Module):
    """Loss weight that rises while the KL term is above its target."""

    def __init__(self, target: float = 1.0, gain: float = 0.1):
        super().__init__()
        self.target, self.gain = target, gain
        self.scale = nn.Parameter(torch.ones(1))
        self.begin()

    def begin(self) -> None:
        raise NotImplementedError

    def forward(self, recon: torch.Tensor, kl: torch.Tensor) -> torch.Tensor:
        if self.training:
            self.advance(kl.detach().mean() - self.target)
        return self.scale * recon + self.weight() * kl.mean()


class VolatileController(Controller):
    def begin(self):
        self.register_buffer("integral", torch.zeros(()), persistent=False)  # expect: TL122

    def advance(self, error):
        self.integral += self.gain * error

    def weight(self):
        return torch.sigmoid(self.integral)


class SavedController(VolatileController):
    def begin(self):
        self.register_buffer("integral", torch.zeros(()))  # ok: TL122


class ScratchController(SavedController):
    """work is overwritten before it is read in every call."""

    def begin(self):
        super().begin()
        self.register_buffer("work", torch.zeros(()), persistent=False)  # ok: TL122

    def advance(self, error):
        self.work.copy_(error).mul_(self.gain)
        self.integral += self.work


class ScheduledController(Controller):
    """The weight is a function of what the caller passes; nothing is accumulated."""

    def begin(self):
        self.last = 0.0  # ok: TL122

    def advance(self, error):
        self.last = float(error)

    def weight(self):
        return 0.5


# ---- demonstration: not part of the graded code ----
def demonstrate():
    recon, kl = torch.ones(1), torch.full((4,), 3.0)
    for cls, faithful in ((VolatileController, False), (SavedController, True), (ScratchController, True), (ScheduledController, True)):
        run, resumed = cls(), cls()
        for _ in range(3):
            run(recon, kl)
        resumed.load_state_dict(run.state_dict())
        assert torch.allclose(run.eval()(recon, kl), resumed.eval()(recon, kl)) is faithful, cls
