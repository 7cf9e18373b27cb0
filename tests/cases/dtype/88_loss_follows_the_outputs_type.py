"""A loss wrapper returns `total.type_as(output)` to be neat; under fp16 the scaled loss is inf and every step is skipped.

source: facebookresearch/pytext#581, transformer-xl training scripts (mean().type_as(loss))
rules: [TL405]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Wrapped(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def total(self, out, y):
        return F.mse_loss(out.float(), y) + 1.0

    def forward(self, x, y):
        out = self.net(x)
        return out, self.total(out, y)


class Loop:
    def __init__(self, net):
        self.model = Wrapped(net)
        self.opt = torch.optim.SGD(net.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler(DEVICE_TYPE)

    def loss(self, x, y):
        with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
            out, total = self.model(x, y)
        return total.type_as(out)  # expect: TL405

    def step(self, x, y):
        self.opt.zero_grad()
        loss = self.loss(x, y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        return loss.detach()


class LoopLikeTarget(Loop):
    def loss(self, x, y):
        with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
            _, total = self.model(x, y)
        return total.type_as(y)  # ok: TL405


class LoopLogged(Loop):
    def __init__(self, net):
        super().__init__(net)
        self.history = []

    def loss(self, x, y):
        with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
            _, total = self.model(x, y)
        self.history.append(total.detach().half())  # ok: TL405
        return total


# ---- demonstration ----
def demonstrate():
    def moved(cls):
        torch.manual_seed(0)
        net = nn.Linear(4, 1).to(DEVICE_TYPE)
        start = net.weight.detach().clone()
        x, y = torch.randn(64, 4, device=DEVICE_TYPE), torch.randn(64, 1, device=DEVICE_TYPE)
        loop = cls(net)
        loop.step(x, y)
        return not torch.equal(start, net.weight), loop.scaler.get_scale()

    assert moved(Loop) == (False, 32768.0)
    for cls in (LoopLikeTarget, LoopLogged):
        assert moved(cls) == (True, 65536.0)
