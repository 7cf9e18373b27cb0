"""Python values that training changes: what decides an output is a note, what only the log shows is silence."""
import torch
from torch import nn


class WarmUp(nn.Module):
    def __init__(self, dim: int = 3, warm: int = 2):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.warm = warm  # ok: TL122  nobody changes it
        self.steps = 0  # note: TL122
        self.strength = 1.0  # note: TL122
        self.calls = 0  # ok: TL122  only printed
        self.longest = 0  # ok: TL122  the longest input so far: a size

    def forward(self, x):
        self.calls += 1
        self.longest = max(self.longest, len(x))
        if self.calls % 100 == 0:
            print(f"{self.calls} calls, at most {self.longest} rows")
        if self.training:
            self.steps = self.steps + 1
            self.strength *= 0.5
        if self.steps <= self.warm:
            return x
        return self.mix(x) * self.strength


class Seeded(nn.Module):
    """The flag lets the first batch after a resume overwrite what was loaded."""

    def __init__(self, dim: int = 3):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(dim))
        self.seeded = False  # note: TL122
        self.built = False  # ok: TL122  guards a cache: made anew it is the same
        self.verbose = False  # ok: TL122  a switch of the user's
        self.register_buffer("ramp", torch.zeros(dim), persistent=False)  # ok: TL122

    def show(self):
        self.verbose = True

    def forward(self, x):
        if not self.built:
            self.ramp = torch.arange(x.shape[-1]).float()
            self.built = True
        if not self.seeded:
            self.shift.data.copy_(-x.mean(0))
            self.seeded = True
        if self.verbose:
            print(self.shift)
        return x + self.shift + self.ramp


class SeededBuffer(Seeded):
    def __init__(self, dim: int = 3):
        super().__init__(dim)
        del self.seeded
        self.register_buffer("seeded", torch.tensor(False))  # ok: TL122

    def forward(self, x):
        if not self.seeded:
            self.shift.data.copy_(-x.mean(0))
            self.seeded.fill_(True)
        return x + self.shift


class Resumable(nn.Module):
    """A trainer that is a module and has a checkpoint of its own."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.steps = 0  # ok: TL122  load_checkpoint() puts it back

    def load_checkpoint(self, checkpoint):
        self.layer.load_state_dict(checkpoint["layer"])
        self.steps = checkpoint["steps"]

    def forward(self, x):
        self.steps += 1
        return self.layer(x) / self.steps


def demonstrate():
    x = torch.ones(2, 3)
    trained, resumed = WarmUp(), WarmUp()
    for _ in range(3):
        trained(x)
    resumed.load_state_dict(trained.state_dict())
    assert not torch.equal(trained.eval()(x), resumed.eval()(x))
    for kind, survives in ((Seeded, False), (SeededBuffer, True)):
        trained, resumed = kind(), kind()
        trained(x)
        resumed.load_state_dict(trained.state_dict())
        resumed(x + 5)
        assert torch.equal(trained.shift, resumed.shift) is survives, kind
