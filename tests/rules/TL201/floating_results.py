"""floor, round, mean, linspace, zeros and .float() give floats, even where the numbers are whole."""
import torch


def by_floor(table, x: torch.Tensor):
    return table[(x * 3.0).floor()]  # expect: TL201


def by_linspace(table):
    steps = torch.linspace(0, 3, 4)  # expect: TL201
    return table[steps]


def by_round(table):
    steps = torch.rand(2).mul(3).round()  # expect: TL201
    return table[steps]


def by_mean(table, mask: torch.Tensor):
    middle = torch.arange(3).float().mean(0, keepdim=True)  # expect: TL201
    return table[middle]


def by_zeros(table):
    start = torch.zeros(2)  # expect: TL201
    return table[start]


def by_float(table):
    ids = torch.arange(3).float()  # expect: TL201
    return table[ids]


def by_integers(table, x):
    ids = torch.zeros(2, dtype=torch.long)  # ok: TL201
    steps = torch.arange(2)  # ok: TL201
    again = torch.zeros_like(ids)  # ok: TL201
    total = torch.ones(2, dtype=torch.bool).sum(0, keepdim=True)  # ok: TL201
    drawn = torch.randint(0, 3, (2,))  # ok: TL201
    full = torch.full((2,), 1)  # ok: TL201
    return table[ids] + table[steps] + table[again] + table[total] + table[drawn] + table[full]


def demonstrate():
    table = torch.ones(4, 2)
    for function in (by_linspace, by_round, by_zeros, by_float):
        try:
            function(table)
            raise AssertionError("floating indices were accepted")
        except IndexError:
            pass
    assert by_integers(table, None).shape == (2, 2)
