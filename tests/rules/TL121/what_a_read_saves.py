"""It depends on the operation of the read whether backward needs the buffer again."""
import torch
import torch.nn.functional as F
from torch import nn


class Reads(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.register_buffer("state", torch.eye(dim))

    def read(self, x):
        raise NotImplementedError

    def forward(self, x):
        out = self.read(self.mix(x))
        self.write()
        return out


class Product(Reads):
    def read(self, x):
        return x @ self.state.t()

    def write(self):
        self.state.mul_(0.9)  # expect: TL121


class Quotient(Reads):
    def read(self, x):
        return x / self.state.diagonal()

    def write(self):
        self.state.mul_(0.9)  # expect: TL121


class Projection(Reads):
    def read(self, x):
        return F.linear(x, self.state)

    def write(self):
        self.state.mul_(0.9)  # expect: TL121


def mixed(x, weights):
    return torch.einsum("bd,de->be", x, weights)


class ByHelper(Reads):
    def read(self, x):
        return mixed(x, self.state)

    def write(self):
        self.state.mul_(0.9)  # expect: TL121


class ByItsMethod(Reads):
    def read(self, x):
        return self.state.matmul(x.t())

    def write(self):
        self.state.mul_(0.9)  # expect: TL121


class HandedBack(Reads):
    def weights(self):
        return self.state.t()

    def read(self, x):
        return x @ self.weights()

    def write(self):
        self.state.mul_(0.9)  # expect: TL121


class CopyHandedBack(HandedBack):
    def weights(self):
        return self.state.t().clone()

    def write(self):
        self.state.mul_(0.9)  # ok: TL121


class Rows(Reads):
    """index_select() keeps the index, and a product the rows, which are new memory."""

    def forward(self, x, chosen):
        x = self.mix(x)
        rows = torch.index_select(self.state, 0, chosen)
        with torch.no_grad():
            self.state.index_copy_(0, chosen, torch.index_select(self.state, 0, chosen) * 0.9)  # ok: TL121
        return rows * x


class Biased(Reads):
    def read(self, x):
        return torch.addmm(self.state[0], x, self.mix.weight) + F.linear(x, self.mix.weight, self.state[1])

    def write(self):
        self.state.mul_(0.9)  # ok: TL121  what is added is not kept


class Chosen(Reads):
    def read(self, x):
        return torch.where(x > 0, x, self.state[0])

    def write(self):
        self.state.mul_(0.9)  # ok: TL121  the condition is kept alone


class Sum(Reads):
    def read(self, x):
        return x + self.state[0] - self.state[1]

    def write(self):
        self.state.mul_(0.9)  # ok: TL121  a sum keeps nothing


class Derived(Reads):
    def read(self, x):
        return x * (self.state + 1).sum(0)

    def write(self):
        self.state.mul_(0.9)  # ok: TL121  what is kept is another tensor


class Copied(Reads):
    def read(self, x):
        return x @ self.state.clone()

    def write(self):
        self.state.mul_(0.9)  # ok: TL121


class Nearest(Reads):
    def read(self, x):
        return x + (x @ self.state).argmax(-1, keepdim=True)

    def write(self):
        self.state.mul_(0.9)  # ok: TL121  no gradient comes back through an argmax


class Quiet(Reads):
    @torch.no_grad()
    def target(self, x):
        return x @ self.state

    def read(self, x):
        return x - self.target(x) + x.detach() @ self.state

    def write(self):
        self.state.mul_(0.9)  # ok: TL121


def trains(module: nn.Module) -> bool:
    try:
        module(torch.randn(2, 3)).sum().backward()
    except RuntimeError as error:
        assert "inplace operation" in str(error)
        return False
    return True


def demonstrate():
    for kind in (Product, Quotient, Projection, ByHelper, ByItsMethod, HandedBack):
        assert not trains(kind()), kind
    for kind in (Sum, Derived, Copied, Nearest, Quiet, Biased, Chosen, CopyHandedBack):
        assert trains(kind()), kind
    Rows()(torch.randn(2, 3), torch.tensor([0, 2])).sum().backward()
