"""An einsum of one operand that sums over nothing is a permute: a view behind it must not merge."""

import torch


def rows(x):
    n, c, h, w = x.shape
    return torch.einsum("nchw->nhwc", x).view(n, h, -1)  # expect: TL205


def rows_copied(x):
    n, c, h, w = x.shape
    return torch.einsum("nchw->nhwc", x).reshape(n, h, -1)  # ok: TL205


def pixels(x):
    n, c, h, w = x.shape
    return torch.einsum("nchw->nhwc", x).view(n, h * w, c)  # ok: TL205  h and w stay adjacent


def sums(x):
    n, c, h, w = x.shape
    return torch.einsum("nchw->nhw", x).view(n, -1)  # ok: TL205  a sum is new memory


def diagonal(x):
    return torch.einsum("nii->ni", x).view(-1)  # ok: TL205  the strides of a diagonal are not followed
