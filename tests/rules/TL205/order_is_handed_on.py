"""Elementwise operations, slices and clone() hand the order on; products, softmax and gather() make a new one."""

import torch
import torch.nn.functional as F


def by_relu(x):
    batch, channels, height, width = x.shape
    return F.relu(x.permute(0, 2, 3, 1)).view(batch, -1)  # expect: TL205


def by_arithmetic(x):
    y = 1 - x.transpose(1, 2) * 2
    return (y > 0).view(-1)  # expect: TL205


def by_clone(x):
    return x.transpose(1, 2).clone().view(x.size(0), -1)  # expect: TL205


def by_cast(x):
    return x.transpose(1, 2).double().detach().view(x.size(0), -1)  # expect: TL205


def by_slice(x):
    return x.transpose(1, 2)[:, :2].view(x.size(0), -1)  # expect: TL205


def by_where(x):
    turned = x.transpose(1, 2)
    return torch.where(turned > 0, turned, 0.0).view(x.size(0), -1)  # expect: TL205


def second_operand(x, y):
    batch, length, width = x.shape
    return (x * y.view(batch, width, length).transpose(1, 2)).view(batch, -1)  # ok: TL205  the first operand decides


def by_product(x):
    return (x.transpose(1, 2) @ x).view(x.size(0), -1)  # ok: TL205


def by_linear(x, weight):
    return F.linear(x.transpose(1, 2), weight).view(x.size(0), -1)  # ok: TL205


def by_softmax(x):
    return x.transpose(1, 2).softmax(-1).view(x.size(0), -1)  # ok: TL205


def by_masked_fill(x):
    turned = x.transpose(1, 2)
    return turned.masked_fill(turned > 1, 0.0).view(x.size(0), -1)  # ok: TL205


def by_sum(x):
    return x.transpose(1, 2).sum(-1).view(-1)  # ok: TL205


def one_element_taken(x):
    return x.transpose(0, 1)[0].view(-1)  # ok: TL205  a row that lies in one piece, if x has two dimensions


def of_batch(x):
    return torch.bmm(x, x.transpose(1, 2)).transpose(1, 2).view(x.size(0), -1)  # expect: TL205


def demonstrate():
    x = torch.rand(2, 3, 4)
    for call in (by_arithmetic, by_clone, by_cast, by_slice, by_where, of_batch):
        try:
            call(x)
            raise AssertionError(call.__name__)
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    try:
        by_relu(torch.rand(2, 3, 4, 5))
        raise AssertionError("merged")
    except RuntimeError as error:
        assert "view size is not compatible" in str(error)
    second_operand(x, torch.rand(2, 12))
    by_linear(x, torch.rand(5, 3))
    for call in (by_product, by_softmax, by_masked_fill, by_sum):
        call(x)
