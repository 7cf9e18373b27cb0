"""The first dimensions are repeated and merged; how many follow, `*rest` says, is not known and makes no difference."""
import torch


def widened(x, count):
    rows, *rest = x.shape
    wide = x.unsqueeze(1).expand(rows, count, *rest)
    return wide.view(rows * count, *rest)  # expect: TL205


def widened_each(fields, count):
    return {name: widened(x, count) for name, x in fields.items()}


def widened_copy(x, count):
    rows, *rest = x.shape
    return x.unsqueeze(1).repeat(1, count, *(1 for _ in rest)).view(rows * count, *rest)  # ok: TL205


def widened_again(x, count):
    rows, *rest = x.shape
    wide = x.unsqueeze(1).expand(rows, count, *rest)
    return wide.reshape(rows * count, *rest)  # ok: TL205


def split(x, parts):
    rows, *rest = x.shape
    return x.view(parts, rows // parts, *rest).view(rows, *rest)  # ok: TL205


def demonstrate():
    x = torch.rand(2, 3, 4)
    for refused in (lambda: widened(x, 2), lambda: widened_each({"x": x}, 2)):
        try:
            refused()
            raise AssertionError("merged")
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    assert widened_copy(x, 2).shape == widened_again(x, 2).shape == (4, 3, 4)
    assert split(x, 2).shape == x.shape
