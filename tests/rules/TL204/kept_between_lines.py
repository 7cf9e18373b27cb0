"""An attribute that forward fills row by row and then reads: the loop between changes nothing of what it holds."""
import numpy as np
import torch
from torch import nn
from torch.autograd import Variable


class Grid(nn.Module):
    def __init__(self, height, width):
        super().__init__()
        grid = np.zeros([height, width, 3], dtype=np.float32)
        grid[:, :, 2] = np.ones([height, width])
        self.register_buffer("grid", torch.from_numpy(grid))

    def forward(self, x):
        self.batch = torch.zeros(torch.Size([x.size(0)]) + self.grid.size())  # expect: TL204
        for row in range(x.size(0)):
            self.batch[row] = self.grid
        self.batch = Variable(self.batch)
        return torch.mul(self.batch, x[:, :, :, 0:3])


class Moved(nn.Module):
    def forward(self, x):
        self.batch = torch.zeros(x.size(0), 3)  # ok: TL204  moved under a test of the input
        for row in range(x.size(0)):
            self.batch[row] = row
        if x.is_cuda or x.is_meta:
            self.batch = self.batch.to(x.device)
        return self.batch * x


class MovedInTheLoop(nn.Module):
    def forward(self, x):
        self.batch = torch.zeros(x.size(0), 3)  # ok: TL204  a round moves it
        for _ in range(2):
            self.batch = self.batch.to(x)
        return self.batch * x


class MovedByAMethod(nn.Module):
    def forward(self, x):
        self.batch = torch.zeros(x.size(0), 3)  # ok: TL204  a round may move it
        for _ in range(2):
            self.place(x)
        return self.batch * x

    def place(self, x):
        self.batch = self.batch.to(x)


class While(nn.Module):
    def forward(self, x):
        self.steps = torch.arange(x.size(1))  # expect: TL204
        count = 0
        while count < 2:
            count += 1
        return self.steps * x


class Deleted(nn.Module):
    def forward(self, x):
        self.batch = torch.zeros(x.size(0), 3)  # ok: TL204  the next line of the same name is another one
        for _ in range(1):
            del self.batch
        self.batch = torch.zeros(x.size(0), 3).to(x)
        return self.batch * x


def demonstrate():
    x = torch.ones(2, 2, 2, 3, device="meta")
    for module, inputs, raises in (
        (Grid(2, 2), x, True),
        (While(), x[0, 0], True),
        (Moved(), x[0, 0], False),
        (MovedInTheLoop(), x[0, 0], False),
        (MovedByAMethod(), x[0, 0], False),
        (Deleted(), x[0, 0], False),
    ):
        try:
            module(inputs)
        except RuntimeError as error:
            assert raises and "device" in str(error)
        else:
            assert not raises, module
