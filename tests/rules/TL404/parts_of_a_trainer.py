"""The model, the optimizer and the scaler are attributes: the methods of one object set them up."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.cuda.amp import GradScaler, autocast


class Trainer:
    def __init__(self, model, fp16=True):
        self.model = model
        self.fp16 = fp16
        if fp16:
            self.model.half()  # expect: TL404
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.scaler = GradScaler(enabled=fp16)

    def step(self, x, y):
        with autocast(enabled=self.fp16):
            loss = F.mse_loss(self.model(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


class Distiller:
    def __init__(self, student, teacher):
        self.student = student
        self.teacher = teacher.half()  # ok: TL404  no optimizer has it
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=0.1)
        self.scaler = GradScaler()

    def step(self, x):
        with autocast():
            with torch.no_grad():
                wanted = self.teacher(x)
            loss = F.mse_loss(self.student(x), wanted)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


class TwoStages:
    """A frozen first stage in half, inside the module that is trained."""

    def __init__(self, net):
        self.net = net
        self.freeze()
        self.net.encoder.half()  # ok: TL404
        self.optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, self.net.parameters()), lr=0.1)
        self.scaler = GradScaler()

    def freeze(self):
        for p in self.net.encoder.parameters():
            p.requires_grad = False

    def step(self, loss):
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


class Exporter:
    """Nothing is trained."""

    def __init__(self, model):
        self.model = model.half()  # ok: TL404

    @autocast()
    def run(self, x):
        return self.model(x)
