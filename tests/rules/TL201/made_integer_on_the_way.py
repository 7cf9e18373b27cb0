"""Converted before it indexes: .long(), .int(), .to(), type(), int(), item()."""
import torch


def rows(table, x):
    a = torch.rand(3).mul(2).floor().long()  # ok: TL201
    b = torch.zeros(2).int()  # ok: TL201
    c = torch.linspace(0, 2, 3).to(torch.int64)  # ok: TL201
    d = torch.zeros(2).type(torch.LongTensor)  # ok: TL201
    e = torch.ones(2).type(torch.long)  # ok: TL201
    f = int(torch.ones(1).sum() / 2)  # ok: TL201
    g = torch.zeros(2).to(x.device, dtype=torch.long)  # ok: TL201
    h = torch.zeros(2).to(a)  # ok: TL201  it takes the dtype of a
    return table[a], table[b], table[c], table[d], table[e], table[f], table[g], table[h]


def rows_too_late(table):
    steps = torch.linspace(0, 2, 3)  # expect: TL201
    picked = table[steps]
    return picked[steps.long()]


def rows_in_some_cases(table, exact: bool):
    steps = torch.linspace(0, 2, 3)  # ok: TL201  in one branch it is integer
    if exact:
        steps = steps.long()
    return table[steps]


def rows_of_tested(table, start: float):
    steps = torch.full((2,), start)  # ok: TL201  a test of the dtype decides
    if not steps.is_floating_point():
        return table[steps]
    return table[steps.long()]


def demonstrate():
    table = torch.ones(4)
    assert len(rows(table, table)) == 8
    assert rows_in_some_cases(table, True).shape == (3,)
    assert rows_of_tested(table, 1.0).shape == (2,)
    try:
        rows_too_late(table)
        raise AssertionError("floating indices were accepted")
    except IndexError:
        pass
