"""Born in one function and used in another: the finding stands where it is born, once."""
import torch


def positions(count: int) -> torch.Tensor:
    return torch.linspace(0, 3, count)  # expect: TL201


def integer_positions(count: int) -> torch.Tensor:
    return torch.linspace(0, 3, count).long()  # ok: TL201


def select(table, ids):
    return table[ids]


def by_returned(table):
    steps = positions(3)
    first = table[steps]
    return first + table.index_select(0, steps)


def by_passed(table):
    ids = torch.zeros(2)  # expect: TL201
    return select(table, ids)


def by_closure(table):
    ids = torch.zeros(2)  # expect: TL201

    def pick(x):
        return x[ids]

    return pick(table)


def right(table):
    ids = torch.zeros(2)  # ok: TL201  converted before it is passed
    return select(table, ids.long()) + select(table, integer_positions(2))


def demonstrate():
    table = torch.ones(4)
    for function in (by_returned, by_passed, by_closure):
        try:
            function(table)
            raise AssertionError("floating indices were accepted")
        except IndexError:
            pass
    assert right(table).shape == (2,)
