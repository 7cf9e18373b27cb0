"""einsum() leaves its result in the order of its matrix product, batch dimensions first."""

import torch


def heads(weights, value):
    mixed = torch.einsum("bhij,bhjd->bihd", weights, value)
    batch, length, count, width = mixed.shape
    return mixed.view(batch, length, count * width)  # expect: TL205


def heads_copied(weights, value):
    mixed = torch.einsum("bhij,bhjd->bihd", weights, value)
    return mixed.reshape(mixed.size(0), mixed.size(1), -1)  # ok: TL205


def scores(query, key):
    found = torch.einsum("bhid,bhjd->bhij", query, key)
    return found.view(found.size(0), -1)  # ok: TL205  the order of the product itself


def turned(left, right):
    found = torch.einsum("ij,jk->ki", left, right)
    return found.view(-1)  # ok: TL205  torch swaps the operands


def demonstrate():
    x = torch.rand(2, 3, 4, 4)
    try:
        heads(x, x)
        raise AssertionError("merged")
    except RuntimeError as error:
        assert "view size is not compatible" in str(error)
    heads_copied(x, x), scores(x, x), turned(torch.rand(2, 3), torch.rand(3, 4))
