"""Student and EMA teacher are the same module; the averaged weights are swapped in between two forwards of one autocast region.

source: consistency training with a weight-swapping EMA; X-GenGroup/Flow-Factory#186 explains the cache
rules: [TL408]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class WeightAverage:
    def __init__(self, model, decay=0.9):
        self.decay = decay
        self.params = list(model.parameters())
        self.shadow = [p.detach().clone() for p in self.params]
        self.backup = []

    @torch.no_grad()
    def update(self):
        for s, p in zip(self.shadow, self.params):
            s.lerp_(p, 1 - self.decay)

    @torch.no_grad()
    def apply_shadow(self):
        self.backup = [p.detach().clone() for p in self.params]
        for p, s in zip(self.params, self.shadow):
            p.copy_(s)

    @torch.no_grad()
    def restore(self):
        for p, b in zip(self.params, self.backup):
            p.copy_(b)


def consistency(model, ema, x, noisy):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        student = model(noisy)
        ema.apply_shadow()  # expect: TL408
        teacher = model(x).detach()
        loss = F.mse_loss(student, teacher)
    ema.restore()  # ok: TL408
    return loss, student.detach(), teacher


def consistency_fixed(model, ema, x, noisy):
    ema.apply_shadow()  # ok: TL408
    with torch.no_grad(), torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        teacher = model(x)
    ema.restore()  # ok: TL408
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        student = model(noisy)
        loss = F.mse_loss(student, teacher)
    return loss, student.detach(), teacher


def consistency_uncached(model, ema, x, noisy):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16, cache_enabled=False):
        student = model(noisy)
        ema.apply_shadow()  # ok: TL408
        teacher = model(x).detach()
        loss = F.mse_loss(student, teacher)
    ema.restore()  # ok: TL408
    return loss, student.detach(), teacher


@torch.no_grad()
def evaluate_average(model, ema, batches):
    ema.apply_shadow()
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        outs = [model(x) for x in batches]
        ema.restore()  # ok: TL408
    return outs


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(5, 4, device=DEVICE_TYPE)

    def setup():
        torch.manual_seed(1)
        model = nn.Linear(4, 2).to(DEVICE_TYPE)
        ema = WeightAverage(model)
        with torch.no_grad():
            for p in model.parameters():
                p.mul_(3.0)  # training has moved on, the average has not
        return model, ema

    _, student, teacher = consistency(*setup(), x, x)
    assert torch.equal(student, teacher), "the teacher is the student"
    for good in (consistency_fixed, consistency_uncached):
        model, ema = setup()
        loss, student, teacher = good(model, ema, x, x)
        assert torch.allclose(student.float(), 3 * teacher.float(), rtol=0.05, atol=0.05)
        assert loss > 0.01
        ema.update()
    model, ema = setup()
    outs = evaluate_average(model, ema, [x])
    with torch.no_grad():
        assert torch.allclose(3 * outs[0].float(), model(x), rtol=0.05, atol=0.05)
