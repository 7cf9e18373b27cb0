"""An explicit dtype decides, whatever the values are; the result of an integer and a float is floating."""
import torch


def with_dtype(table, size: int):
    a = torch.linspace(0, 2, size, dtype=torch.long)  # ok: TL201
    b = torch.ones(size, dtype=torch.int32)  # ok: TL201
    c = torch.tensor([0.0, 1.0], dtype=torch.long)  # ok: TL201
    d = torch.zeros_like(table, dtype=torch.long)  # ok: TL201
    e = table.new_zeros(size, dtype=torch.long)  # ok: TL201
    f = torch.arange(0, size, 2)  # ok: TL201
    g = torch.arange(size) * 2 // 3  # ok: TL201
    h = torch.empty(size, dtype=table.long().dtype).zero_()  # ok: TL201
    return [table[i] for i in (a, b, c, d, e, f, g, h)]


def with_floats(table, size: int):
    a = torch.arange(0.0, size, 1.0)  # expect: TL201
    return table[a]


def mixed(table, size: int):
    a = torch.arange(size) * 0.5  # expect: TL201
    return table[a]


def square_root(table):
    a = torch.arange(3).sqrt()  # expect: TL201
    return table[a]


def of_list(table):
    a = torch.tensor([0.0, 1.0])  # expect: TL201
    return table[a]


def demonstrate():
    table = torch.zeros(4)
    assert len(with_dtype(table, 3)) == 8
    for function in (lambda t: with_floats(t, 3), lambda t: mixed(t, 3), square_root, of_list):
        try:
            function(table)
            raise AssertionError("floating indices were accepted")
        except IndexError:
            pass
