"""Mixed precision comes as a mixin that overrides backward(); the loop of the base class still steps its optimizer directly.

source: trainers half-way ported to GradScaler; pytorch amp examples (the step belongs to the scaler)
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Loop:
    def __init__(self, net, **kw):
        self.net, self.opt = net, torch.optim.SGD(net.parameters(), lr=0.1)

    def objective(self, x, y):
        return F.mse_loss(self.net(x), y)

    def run(self, batches):
        for x, y in batches:
            self.opt.zero_grad()
            self.pull(self.objective(x, y))
            self.push()


class Scaled:
    """The mixin of the first attempt."""

    def __init__(self, *args, start=1024.0, **kw):
        super().__init__(*args, **kw)
        self.scaler = torch.amp.GradScaler(KIND, init_scale=start)

    def objective(self, x, y):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            return super().objective(x, y)

    def pull(self, loss):
        self.scaler.scale(loss).backward()


class HalfPorted(Scaled, Loop):
    def push(self):
        self.opt.step()  # expect: TL406


class Ported(Scaled, Loop):
    def push(self):
        self.scaler.step(self.opt)  # ok: TL406
        self.scaler.update()


class Plain(Loop):
    def pull(self, loss):
        loss.backward()

    def push(self):
        self.opt.step()  # ok: TL406


class Either(Scaled, Loop):
    """Both paths, each with its own kind of step."""

    def pull(self, loss):
        self.mixed = loss.device.type == KIND
        (self.scaler.scale(loss) if self.mixed else loss).backward()

    def push(self):
        if self.mixed:
            self.scaler.step(self.opt)
            self.scaler.update()
        else:
            self.opt.step()  # ok: TL406


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(8, 3, device=KIND)
    batches = [(x, x.sum(1, keepdim=True))]

    def moved(kind):
        torch.manual_seed(1)
        net = nn.Linear(3, 1).to(KIND)
        start = net.weight.detach().clone()
        kind(net).run(batches)
        return (net.weight - start).norm().item()

    right = moved(Plain)
    assert moved(HalfPorted) > 500 * right
    for kind in (Ported, Either):
        assert abs(moved(kind) - right) < 0.05 * right
