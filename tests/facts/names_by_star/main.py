"""Names of torch that a star import brings from another file of the project."""
from common import *


def nothing_of_torch(values):
    return values


class Table(nn.Module):
    def __init__(self, rows=3):
        super().__init__()
        self.linear = nn.Linear(rows, rows)
        self.index = torch.arange(rows)

    def forward(self, x):
        return F.relu(self.linear(x))


def calls(x):
    torch.zeros(2)  # fact: tensor float32
    torch.arange(3)  # fact: tensor int64
    torch.zeros(2, dtype=torch.float16)  # fact: tensor float16
    torch.arange(3) / 2  # fact: tensor float32
    F.one_hot(torch.arange(3))  # fact: tensor int64
    torch.from_numpy(np.zeros(2))  # fact: tensor float64
    Table()  # fact: module is Table
    torch.ones(2, dtype=torch.int32).float()  # fact: tensor float32
    nothing_of_torch(x)  # fact: unknown dtype ?
    torch.nothing_of_torch(x)  # fact: unknown dtype ?


def names_of_its_own(torch, np, x):
    torch.zeros(2)  # fact: unknown dtype ?
    torch.from_numpy(np.zeros(2))  # fact: unknown dtype ?


def rebound(x):
    nn = x
    nn.Linear(2, 2)  # fact: unknown dtype ?
    for F in x:
        F.one_hot(x)  # fact: unknown dtype ?
