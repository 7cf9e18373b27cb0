"""An exponential average over two dicts of parameters leaves the statistics of batch norm behind."""

import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        return self.layer(self.norm(x))


def train(batches):
    student = Net()
    teacher = copy.deepcopy(student)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for x in batches:
        student(x).sum().backward()
        optimizer.step()
        with torch.no_grad():
            of_student = dict(student.named_parameters())
            for name, parameter in teacher.named_parameters():  # expect: TL117
                parameter.lerp_(of_student[name], 0.01)
    teacher.eval()
    return teacher(batches[0])


def train_all(batches):
    student = Net()
    teacher = copy.deepcopy(student)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    for x in batches:
        student(x).sum().backward()
        optimizer.step()
        with torch.no_grad():
            of_student = dict(student.named_parameters())
            for name, parameter in teacher.named_parameters():  # ok: TL117  the buffers follow below
                parameter.lerp_(of_student[name], 0.01)
            for mine, theirs in zip(teacher.buffers(), student.buffers()):
                mine.copy_(theirs)
    teacher.eval()
    return teacher(batches[0])


def demonstrate():
    batches = [torch.randn(4, 3) + 5 for _ in range(3)]
    train(batches), train_all(batches)
