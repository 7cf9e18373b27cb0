"""Reserved memory in a function: read before it is written, or written first in any of many ways."""
import numpy as np
import torch
from torch.autograd import Variable

Float = torch.FloatTensor
NUMPY = np.zeros(2, dtype=np.float32)


def summed(values):
    total = torch.FloatTensor(1)  # expect: TL202
    for value in values:
        total += value
    return total


def joined():
    x = torch.ones(2, 2)
    padding = torch.Tensor(2, x.size(1))  # expect: TL202
    return torch.cat([x, padding])


def shifted():
    x = torch.ones(2, 2)
    noise = Variable(Float(x.size()))  # expect: TL202
    return x + noise


def of_a_shape():
    x = torch.ones(2, 2)
    return x * torch.Tensor(*x.shape)  # expect: TL202


def compared(n: int):
    return torch.Tensor(n) > 0.5  # expect: TL202


def from_zero(values):
    total = torch.zeros(1)  # ok: TL202
    for value in values:
        total += value
    return total


def zeroed(values):
    total = torch.FloatTensor(1).zero_()  # note: TL202
    for value in values:
        total += value
    return total


def filled_row_by_row(rows):
    out = torch.FloatTensor(len(rows), 2)  # note: TL202
    for i, row in enumerate(rows):
        out[i] = row
    return out.sum()


def filled_by_a_view(rows):
    out = torch.FloatTensor(len(rows), 2)  # note: TL202
    out[0].copy_(rows[0])
    out.view(-1)[2:].fill_(0)
    return out.sum()


def given_as_out(n: int):
    ids = torch.arange(0, n, out=torch.LongTensor(n))  # note: TL202
    return ids + 1


def random_numbers():
    x = torch.ones(2, 2)
    noise = torch.Tensor(x.size()).normal_()  # note: TL202
    return x + noise


def padded(rows):
    out = torch.LongTensor(len(rows), 3)  # note: TL202
    out.zero_()
    for i, row in enumerate(rows):
        out[i, : len(row)] = row
    return out + 1


def written_by_a_helper(n: int):
    out = torch.Tensor(n)  # note: TL202
    fill(out)
    return out + 1


def fill(out):
    out.zero_()


def only_its_shape(x):
    return x.expand_as(torch.Tensor(2, 2))  # note: TL202


def of_nothing():
    return torch.cat([torch.Tensor(), torch.ones(1)])  # note: TL202


def written_by_numpy(n: int):
    out = torch.Tensor(n)  # note: TL202
    out.numpy()[:] = 1
    return out + 1


def by_torch_empty(n: int):
    out = torch.empty(n)  # ok: TL202
    out[:] = 1
    return out + 1


def by_data(rows):
    return torch.tensor(rows, dtype=torch.float32) + 1  # ok: TL202


def by_full(x):
    return x + torch.full_like(x, 0.5)  # ok: TL202


def is_tensor(x):
    return isinstance(x, torch.Tensor) or isinstance(x, torch.FloatTensor)  # ok: TL202


def converted(x):
    return x.type(torch.FloatTensor)  # ok: TL202


def as_another_type(x):
    return x.as_subclass(torch.Tensor)  # ok: TL202


def random(n: int):
    return torch.rand(n) > 0.5  # ok: TL202


def allocated(x):
    return x.new_zeros(2) + x.new_full((2,), 1)  # ok: TL202


def of_numpy():
    return torch.from_numpy(NUMPY) + 1  # ok: TL202


def of_like(x):
    return torch.zeros_like(x) + x  # ok: TL202


def counted(n: int):
    return torch.arange(n) + 1  # ok: TL202


class Named(torch.Tensor):  # ok: TL202
    pass


def made(x: "torch.Tensor") -> "torch.FloatTensor":  # ok: TL202
    return 2 * x  # ok: TL202


def stacked(rows):
    return torch.stack([torch.as_tensor(row) for row in rows]) + 1  # ok: TL202


def spread(n: int):
    return torch.linspace(0, 1, n) + torch.eye(n)  # ok: TL202


def windowed(x: torch.Tensor):
    return x.unfold(0, 1, 1).new_empty(3).fill_(1)  # ok: TL202


def normal(n: int):
    return torch.normal(0.0, 1.0, (n,)) + 1  # ok: TL202


def random_whole_numbers(n: int):
    return torch.randint(0, 3, (n,)) + torch.randperm(n)  # ok: TL202


def demonstrate():
    x = torch.ones(2, 2)
    torch.use_deterministic_algorithms(True)
    try:
        for bad in (summed([x[0, :1]]), joined()[2:], shifted(), of_a_shape()):
            assert bad.isnan().all()
        assert not compared(3).any()
        for good in (from_zero([x[0, :1]]), zeroed([x[0, :1]]), filled_row_by_row([x[0]]), filled_by_a_view([x[0]] * 2)):
            assert good.isfinite().all()
        for good in (random_numbers(), written_by_a_helper(2), written_by_numpy(2), by_torch_empty(2), of_nothing()):
            assert good.isfinite().all()
        assert only_its_shape(x[0]).tolist() == x.tolist()
    finally:
        torch.use_deterministic_algorithms(False)
    assert given_as_out(2).tolist() == [1, 2]
    assert padded([torch.tensor([1, 2])]).tolist() == [[2, 3, 1]]
