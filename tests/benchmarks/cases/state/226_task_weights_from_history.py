"""Multi-task losses balanced by their own history: the first losses and the running rates are lost on a resume.

source: thu-ml/tianshou#443 (statistics outside the checkpoint), gradient/loss balancing modules; pytorch/rl#550
rules: [TL122]
"""
from typing import Dict, List

import torch
from torch import nn


class Balanced(nn.Module):
    def __init__(self, tasks: List[str], decay: float = 0.9):
        super().__init__()
        self.tasks, self.decay = tasks, decay
        self.heads = nn.ModuleDict({t: nn.Linear(3, 1) for t in tasks})
        self.create(len(tasks))

    def create(self, n: int) -> None:
        raise NotImplementedError

    def losses(self, x, y: Dict[str, torch.Tensor]) -> torch.Tensor:
        return torch.stack([(self.heads[t](x).squeeze(-1) - y[t]).pow(2).mean() for t in self.tasks])

    def forward(self, x, y):
        loss = self.losses(x, y)
        if self.training:
            self.track(loss.detach())
        return (loss / self.rate).sum()

    def track(self, loss):
        self.rate = torch.lerp(loss, self.rate, self.decay)  # use: TL122, TL102


class ForgetfulBalance(Balanced):
    def create(self, n):
        self.rate = torch.ones(n)  # expect: TL122


class TransientBalance(Balanced):
    def create(self, n):
        self.register_buffer("rate", torch.ones(n), persistent=False)  # expect: TL122


class SavedBalance(Balanced):
    def create(self, n):
        self.register_buffer("rate", torch.ones(n))  # ok: TL122
        self.register_buffer("last", torch.zeros(n), persistent=False)  # ok: TL122  (for the progress bar)

    def track(self, loss):
        super().track(loss)
        self.last = loss

    def extra_repr(self):
        return f"last={self.last.tolist()}"


class PackedBalance(Balanced):
    """Plain, converted and saved by hand."""

    def create(self, n):
        self.rate = torch.ones(n)  # ok: TL122, TL101

    def _apply(self, fn, recurse=True):
        self.rate = fn(self.rate)
        return super()._apply(fn, recurse)

    def get_extra_state(self):
        return {"rate": self.rate.clone()}

    def set_extra_state(self, state):
        self.rate = state["rate"].to(self.rate)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(8, 3)
    y = {"depth": torch.randn(8) * 10, "normal": torch.randn(8)}
    for cls, resumes in ((ForgetfulBalance, False), (TransientBalance, False), (SavedBalance, True), (PackedBalance, True)):
        run = cls(["depth", "normal"])
        for _ in range(3):
            run(x, y)
        again = cls(["depth", "normal"])
        again.load_state_dict(run.state_dict())
        assert torch.allclose(run.eval()(x, y), again.eval()(x, y)) is resumes, cls
