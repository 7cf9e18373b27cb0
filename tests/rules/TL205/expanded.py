"""expand() repeats a dimension without memory: a view that merges it with another is refused."""

import torch


def pairs(x, count):
    batch, width = x.shape
    return x.unsqueeze(1).expand(batch, count, width).view(batch * count, width)  # expect: TL205


def by_none(x):
    return x[:, None].expand(-1, 4, -1, -1).view(-1, x.size(1), x.size(2))  # expect: TL205


def in_front(x):
    batch, length, width = x.shape
    return x[None].expand(3, batch, length, width).view(3 * batch, length, width)  # expect: TL205


def grid(size):
    rows = torch.arange(size).unsqueeze(1).expand(size, 5)
    return rows.view(-1)  # expect: TL205


def repeated(x, count):
    batch, width = x.shape
    return x.unsqueeze(1).repeat(1, count, 1).view(batch * count, width)  # ok: TL205  repeat() copies


def copied(x, count):
    batch, width = x.shape
    return x.unsqueeze(1).expand(batch, count, width).contiguous().view(batch * count, width)  # ok: TL205


def splits_another(x, count):
    batch, width = x.shape
    return x.unsqueeze(1).expand(batch, count, width).view(batch, count, 2, width // 2)  # ok: TL205


def combined(x):
    mask = torch.ones(2, 1, 4).expand(2, 3, 4)
    return (x * mask).view(2, 12)  # ok: TL205  the product has memory of its own


def not_known(x, size):
    return x.expand(size).view(-1)  # ok: TL205


def demonstrate():
    x = torch.rand(2, 4)
    refused = (
        lambda: pairs(x, 3),
        lambda: by_none(torch.rand(2, 3, 4)),
        lambda: in_front(torch.rand(2, 3, 4)),
        lambda: grid(3),
    )
    for call in refused:
        try:
            call()
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    repeated(x, 3), copied(x, 3), splits_another(x, 3), combined(torch.rand(2, 3, 4))
