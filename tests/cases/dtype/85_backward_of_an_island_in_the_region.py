"""backward() stands inside the region although part of the forward was an island: the island's gradients are rounded to bf16.

source: pytorch amp documentation (backward under autocast is not recommended) applied to float32 router islands; own construction
rules: [TL402]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Routed(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.body, self.router = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def forward(self, x):
        with torch.autocast(DEVICE_TYPE, enabled=False):
            gate = self.router(x.float()).sigmoid()  # ok: TL409
        return self.body(x) * gate


class Fit:
    def __init__(self, dim=8, lr=0.1):
        self.net = Routed(dim).to(DEVICE_TYPE)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr)

    def objective(self, x, y):
        return F.mse_loss(self.net(x), y)

    def step(self, x, y):
        self.opt.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = self.objective(x, y)
            loss.backward()  # expect: TL402
        self.opt.step()
        return loss.detach()


class FitAfter(Fit):
    def step(self, x, y):
        self.opt.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            loss = self.objective(x, y)
        loss.backward()  # ok: TL402
        self.opt.step()
        return loss.detach()


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(32, 8, device=DEVICE_TYPE), torch.randn(32, 8, device=DEVICE_TYPE)
    state = Routed().state_dict()

    def gradient(cls):
        fit = cls()
        fit.net.load_state_dict(state)
        fit.step(x, y)
        return fit.net.router.weight.grad

    rounded, exact = gradient(Fit), gradient(FitAfter)
    assert torch.equal(rounded, rounded.bfloat16().float()), "computed in bf16"
    assert not torch.equal(exact, exact.bfloat16().float())
