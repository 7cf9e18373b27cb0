"""The index argument of gather, scatter, index_select, index_add and take must hold integers, their data need not."""
import torch


def gathered(x):
    ids = torch.zeros(2, 1)  # expect: TL201
    return x.gather(1, ids) + torch.gather(x, 1, ids)


def scattered(labels: list[int]):
    ids = torch.Tensor(labels).unsqueeze(1)  # expect: TL201
    return torch.zeros(len(labels), 4).scatter_(1, ids, 1.0)


def selected(x):
    ids = torch.ones(1)  # expect: TL201
    return torch.index_select(x, 0, ids)


def added(x):
    ids = torch.ones(1)  # expect: TL201
    return x.index_add(0, index=ids, source=x[:1])


def taken(x: torch.Tensor):
    return x.take(torch.rand(2))  # expect: TL201


def taken_from_unknown(table):
    return table.take(torch.rand(2))  # ok: TL201  nothing says that it is a tensor


def data_is_floating(x):
    ids = torch.tensor([[0], [1]])
    source = torch.ones(2, 1)  # ok: TL201  what is scattered, not where
    picked = torch.rand(2, 3).gather(1, ids)  # ok: TL201
    total = torch.zeros(3).scatter_add(0, torch.tensor([1]), torch.ones(1))  # ok: TL201
    return x.scatter(1, ids, source), picked, total, x.index_fill(1, torch.tensor([0]), 0.5)  # ok: TL201


class Table:
    """No tensor: its take() means something else."""

    def take(self, amount):
        return amount


def taken_from_table(table: Table):
    return table.take(torch.rand(2))  # ok: TL201


def demonstrate():
    x = torch.rand(2, 3)
    calls = (gathered, selected, added, taken, lambda _: scattered([0, 1]))
    for call in calls:
        try:
            call(x)
            raise AssertionError("floating indices were accepted")
        except (IndexError, RuntimeError):
            pass
    assert data_is_floating(x)[0].shape == (2, 3)
    assert taken_from_table(Table()).shape == (2,)
