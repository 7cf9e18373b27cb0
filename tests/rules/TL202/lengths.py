"""What is called a length may be one number, or the lengths of all rows: what is done with it says which."""
import torch
from torch.autograd import Variable


def mean_length(length):
    length = Variable(torch.LongTensor(length))  # note: TL202  nothing says that it is one number
    return length.float().sum() / length.numel()


def longest(width):
    assert len(width) > 1
    return torch.LongTensor(width).max()  # note: TL202  what has a len() is a list


def first_rows(count):
    first = count[0]
    return torch.LongTensor(count) - first  # note: TL202  what is subscripted is a list


def of_batch(batch):
    return torch.stack([torch.FloatTensor(batch) for _ in range(2)]).sum() + sum(batch)  # note: TL202


def doubled(rows, size):
    rows = [row * 2 for row in rows]
    sizes = [one for one in size]
    return torch.LongTensor(size) + len(rows) + len(sizes)  # note: TL202  what is iterated is a list


def positions(length):
    total = torch.LongTensor(length)  # expect: TL202  counted with
    for step in range(length):
        total = total + step
    return total


def weights_of(hidden, features=4):
    start = torch.FloatTensor(features)  # expect: TL202  a number by its default
    return start + torch.Tensor(hidden)  # expect: TL202  a number where it is called


def weights():
    return weights_of(4)


def of_a_size(size):
    return torch.Tensor(size) + 1  # expect: TL202


def said_of_lengths(length, width, count):
    lengths = torch.tensor(length)  # ok: TL202
    widest = torch.as_tensor(width).max()  # ok: TL202
    return lengths.sum() / 2 + widest + torch.asarray(count).sum()  # ok: TL202


def said_of_sizes(length, features, size):
    total = torch.zeros(length, dtype=torch.long)  # ok: TL202
    start = torch.zeros(features)  # ok: TL202
    return total.sum() + start.sum() + torch.ones(size).sum()  # ok: TL202


def reserved(length, features=4):
    total = torch.empty(length).zero_()  # ok: TL202
    start = torch.empty(features).fill_(1.0)  # ok: TL202
    return total.sum() + start.sum()


def like_a_batch(batch, hidden):
    start = torch.stack([torch.tensor(row) for row in batch])  # ok: TL202
    return start.new_zeros(hidden) + start.sum()  # ok: TL202


def demonstrate():
    assert said_of_lengths([2, 4], [3, 5], [1, 1]) == 10 and said_of_sizes(2, 3, 4) == 4
    assert reserved(2) == 4 and like_a_batch([1.0, 2.0], 2).tolist() == [3.0, 3.0]
    assert mean_length([2, 4]) == 3 and longest([2, 4]) == 4 and first_rows([2, 4])[1] == 2
    assert of_batch([1.0, 2.0]) == 9 and doubled([1], [2, 4])[0] == 5
    assert positions(3).shape == weights()[:3].shape == of_a_size(3).shape == (3,)
