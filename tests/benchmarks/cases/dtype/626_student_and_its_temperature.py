"""A distillation step computes its temperature term in an island of the region, and backward is called before the region ends.

source: pytorch/pytorch docs "backward ops outside of autocast"; steps that grew inside the `with` of the AMP recipe
rules: [TL402]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Distiller:
    def __init__(self, student, teacher, t=2.0):
        self.student, self.teacher, self.t = student, teacher, t
        self.head = nn.Linear(3, 3).to(DEVICE_TYPE)
        self.opt = torch.optim.SGD([*student.parameters(), *self.head.parameters()], lr=0.1)

    def term(self, s, t):
        with torch.autocast(DEVICE_TYPE, enabled=False):
            s, t = self.head(s.float()), t.float()
            return F.kl_div((s / self.t).log_softmax(1), (t / self.t).softmax(1), reduction="batchmean") * self.t**2

    def step(self, x, y):
        self.opt.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            s = self.student(x)
            with torch.no_grad():
                t = self.teacher(x)
            loss = F.cross_entropy(s, y) + self.term(s, t)
            loss.backward()  # expect: TL402
        self.opt.step()
        return loss.item()


class DistillerAfter(Distiller):
    def step(self, x, y):
        self.opt.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            s = self.student(x)
            with torch.no_grad():
                t = self.teacher(x)
            loss = F.cross_entropy(s, y) + self.term(s, t)
        loss.backward()  # ok: TL402
        self.opt.step()
        return loss.item()


def make():
    torch.manual_seed(0)
    return nn.Linear(4, 3).to(DEVICE_TYPE), nn.Linear(4, 3).to(DEVICE_TYPE)


def demonstrate():
    torch.manual_seed(1)
    x, y = torch.randn(8, 4, device=DEVICE_TYPE), torch.randint(0, 3, (8,), device=DEVICE_TYPE)

    def gradient(cls):
        d = cls(*make())
        d.step(x, y)
        return d.head.weight.grad

    inside, after = gradient(Distiller), gradient(DistillerAfter)
    # float32 layer of the island: its gradient is a bf16 product when backward runs in the region
    assert torch.equal(inside, inside.bfloat16().float())
    assert not torch.equal(after, after.bfloat16().float())
    assert torch.allclose(inside, after, atol=0.05)
