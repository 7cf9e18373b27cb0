"""Consistency training: the student runs, the averaged weights are swapped in, the 'teacher' runs, all in one region: both are equal.

source: TorchSSL mean teacher (apply_shadow between two forwards), X-GenGroup/Flow-Factory#186 (zero KL)
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Shadow:
    def __init__(self, net, decay=0.5):
        self.net, self.decay = net, decay
        self.kept = {n: p.detach().clone() for n, p in net.named_parameters()}
        self.saved = {}

    def shift(self, amount):
        for value in self.kept.values():
            value.add_(amount)

    @torch.no_grad()
    def enter(self):
        for name, p in self.net.named_parameters():
            self.saved[name] = p.detach().clone()
            p.copy_(self.kept[name])  # use: TL408

    @torch.no_grad()
    def leave(self):
        for name, p in self.net.named_parameters():
            p.copy_(self.saved.pop(name))


class Consistency:
    def __init__(self, net):
        self.net, self.shadow = net, Shadow(net)
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def gap(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            student = self.net(x)
            self.shadow.enter()  # expect: TL408
            with torch.no_grad():
                teacher = self.net(x)
            self.shadow.leave()  # use: TL408
            return F.mse_loss(student.float(), teacher.float())  # ok: TL401

    def step(self, x):
        self.opt.zero_grad()
        loss = self.gap(x)
        loss.backward()
        self.opt.step()
        return loss.detach()


class ConsistencyTwoRegions(Consistency):
    def _run(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            return self.net(x)

    def gap(self, x):
        self.shadow.enter()
        with torch.no_grad():
            teacher = self._run(x)
        self.shadow.leave()  # ok: TL408
        return F.mse_loss(self._run(x).float(), teacher.float())


class ConsistencyUncached(Consistency):
    def gap(self, x):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16, cache_enabled=False):
            with torch.no_grad():
                self.shadow.enter()
                teacher = self.net(x)
                self.shadow.leave()  # ok: TL408
            return F.mse_loss(self.net(x).float(), teacher.float())  # ok: TL401


# ---- demonstration ----
def demonstrate():
    def gap(cls):
        torch.manual_seed(0)
        task = cls(nn.Linear(4, 4).to(DEVICE_TYPE))
        task.shadow.shift(0.5)
        return task.gap(torch.randn(3, 4, device=DEVICE_TYPE)).item()

    assert gap(Consistency) == 0.0, "the teacher was the student"
    assert gap(ConsistencyTwoRegions) > 0.01 and gap(ConsistencyUncached) > 0.01
