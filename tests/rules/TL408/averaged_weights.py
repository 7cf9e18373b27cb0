"""Averaged weights are swapped in for a teacher's pass, after the student has run in the same region."""
from contextlib import contextmanager

import torch
from torch import nn
from torch.cuda.amp import autocast


class Average:
    def __init__(self, model, decay=0.9):
        self.model, self.decay = model, decay
        self.shadow = {name: p.detach().clone() for name, p in model.named_parameters()}
        self.backup = {}

    def apply_shadow(self):
        for name, p in self.model.named_parameters():
            self.backup[name] = p.data
            p.data = self.shadow[name]

    def restore(self):
        for name, p in self.model.named_parameters():
            p.data = self.backup[name]

    @contextmanager
    def average_parameters(self):
        self.apply_shadow()
        try:
            yield
        finally:
            self.restore()


class Teaching:
    def __init__(self, model, optimizer, region=autocast):
        self.model, self.optimizer, self.region = model, optimizer, region
        self.ema = Average(model)

    def consistency(self, weak, strong):
        with autocast():
            student = self.model(strong)
            self.ema.apply_shadow()  # expect: TL408
            with torch.no_grad():
                teacher = self.model(weak)
            self.ema.restore()  # ok: TL408  no pass follows in the region
        return student, teacher

    def consistency_in_a_block(self, weak, strong):
        with autocast():
            student = self.model(strong)
            with self.ema.average_parameters(), torch.no_grad():  # expect: TL408
                teacher = self.model(weak)
        return student, teacher

    def teacher_first(self, weak, strong):
        self.ema.apply_shadow()  # ok: TL408  before the region
        with autocast(), torch.no_grad():
            teacher = self.model(weak)
        self.ema.restore()  # ok: TL408
        with autocast():
            return self.model(strong), teacher

    def evaluate(self, batches):
        self.ema.apply_shadow()  # ok: TL408
        with autocast(), torch.no_grad():
            outputs = [self.model(batch) for batch in batches]
        self.ema.restore()
        return outputs


class Detached(nn.Module):
    """The teacher is a frozen copy: its weights have no casts that are kept."""

    def __init__(self, student, teacher):
        super().__init__()
        self.student, self.teacher = student, teacher
        for p in self.teacher.parameters():
            p.requires_grad = False

    def compare(self, x):
        with autocast():
            before = self.teacher(x)
            self.teacher.load_state_dict(self.student.state_dict())  # ok: TL408
            return before, self.teacher(x)


def demonstrate():
    torch.manual_seed(0)
    model, x = nn.Linear(4, 2), torch.randn(3, 4)
    ema = Average(model)
    for p in model.parameters():
        p.data.mul_(3)

    def outputs(*, apart):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            student = model(x)
            if not apart:
                ema.apply_shadow()  # expect: TL408
                teacher = model(x)
                ema.restore()
        if apart:
            ema.apply_shadow()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                teacher = model(x)
            ema.restore()
        return student, teacher

    assert torch.equal(*outputs(apart=False)), "the teacher is the student"
    assert not torch.equal(*outputs(apart=True))
    frozen = nn.Linear(4, 2).requires_grad_(False)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        before = frozen(x)
        frozen.load_state_dict(model.state_dict())
        assert not torch.equal(before, frozen(x))
