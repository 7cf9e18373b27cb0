"""view() after transpose, permute, .mT, movedim: it merges dimensions that lie apart in memory."""

import torch


def by_transpose(x):
    return x.transpose(1, 2).view(x.size(0), -1)  # expect: TL205


def by_permute(x):
    batch, channels, height, width = x.shape
    pixels = x.permute(0, 2, 3, 1)
    return pixels.view(batch * height * width, channels)  # expect: TL205


def by_function(x):
    return torch.permute(x, (1, 0, 2)).view(-1, x.shape[2])  # expect: TL205


def by_swap(x):
    length, batch, width = x.shape
    return torch.swapaxes(x, 0, 1).view(batch * length, width)  # expect: TL205


def by_moved_dimension(x):
    batch, length, width = x.shape
    return x.movedim(2, 0).view(width * batch, length)  # expect: TL205


def by_keyword(x):
    return x.transpose(dim0=1, dim1=2).view(x.shape[0], -1)  # expect: TL205


def by_size_of_tuple(x):
    size = (x.size(0), -1)
    return x.permute([0, 2, 1]).view(size)  # expect: TL205


def by_starred_shape(x):
    return x.transpose(1, 2).view(*x.shape[:1], -1)  # expect: TL205


def heads_together(x):
    batch, length, width = x.shape
    heads = x.view(batch, length, 2, width // 2).transpose(1, 2)
    mixed = heads.softmax(-1)
    return mixed.transpose(1, 2).view(batch, length, width)  # expect: TL205


def heads_together_in_order(x):
    batch, length, width = x.shape
    heads = x.view(batch, length, 2, width // 2).transpose(1, 2)
    mixed = heads.softmax(-1)
    return mixed.transpose(1, 2).contiguous().view(batch, length, width)  # ok: TL205


def by_reshape(x):
    return x.transpose(1, 2).reshape(x.size(0), -1)  # ok: TL205


def by_flatten(x):
    return x.permute(0, 2, 1).flatten(1).view(-1)  # ok: TL205  flatten() copied


def neighbours_stay(x):
    batch, channels, height, width = x.shape
    return x.permute(0, 2, 3, 1).view(batch, -1, channels)  # ok: TL205  height and width are still neighbours


def neighbours_by_name(x):
    batch, channels, height, width = x.shape
    return x.permute(2, 3, 0, 1).view(height * width, batch, channels)  # ok: TL205


def splits_only(x):
    batch, length, width = x.shape
    return x.transpose(1, 2).view(batch, 2, width // 2, length)  # ok: TL205


def back_in_order(x):
    return x.transpose(1, 2).relu().transpose(1, 2).view(x.size(0), -1)  # ok: TL205


def one_dimension_of_size_one(x):
    batch, length, width = x.shape
    return x.view(batch, length, 1, width).transpose(1, 2).view(batch, -1)  # ok: TL205


def as_other_dtype(x):
    return x.transpose(1, 2).view(torch.int32)  # ok: TL205


def not_known(x, order):
    return x.permute(order).view(x.size(0), -1)  # ok: TL205


def demonstrate():
    x = torch.rand(2, 3, 4)
    image = torch.rand(2, 3, 4, 5)
    refused = (
        by_transpose,
        by_function,
        by_swap,
        by_moved_dimension,
        by_keyword,
        by_size_of_tuple,
        by_starred_shape,
        heads_together,
    )
    for call in refused:
        try:
            call(x)
            raise AssertionError(call.__name__)
        except RuntimeError as error:
            assert "view size is not compatible" in str(error)
    try:
        by_permute(image)
        raise AssertionError("merged")
    except RuntimeError as error:
        assert "view size is not compatible" in str(error)
    for call in (heads_together_in_order, by_reshape, by_flatten, splits_only, back_in_order, as_other_dtype):
        call(x)
    one_dimension_of_size_one(x)
    neighbours_stay(image)
    neighbours_by_name(image)
