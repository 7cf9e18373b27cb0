"""Several dimensions, an ellipsis, None, a write, a nested index: each position is an index; what is stored is none."""
import torch


def in_tuple(x):
    ids = torch.zeros(2)  # expect: TL201
    return x[:, ids]


def behind_ellipsis(x):
    ids = torch.zeros(2)  # expect: TL201
    return x[..., ids]


def written(x):
    ids = torch.zeros(2)  # expect: TL201
    x[ids] = 1.0


def added(x):
    ids = torch.zeros(2)  # expect: TL201
    x[ids] += 1.0


def nested(x):
    ids = torch.zeros(2)  # ok: TL201  it is indexed, and its values are not used as ids
    return x[ids.shape[0] - 1], ids[x.argmax()]


def stored(x):
    values = torch.zeros(2)  # ok: TL201
    x[:, 0] = values
    x[0] = values / 2  # ok: TL201
    return x[None, ..., :1], x[x > values.mean()]


def by_list(x):
    places = [0, 1]
    return x[places], x[[0, 1], [1, 0]]  # ok: TL201


def demonstrate():
    for function in (in_tuple, behind_ellipsis, written, added):
        try:
            function(torch.ones(2, 2))
            raise AssertionError("floating indices were accepted")
        except IndexError:
            pass
    assert nested(torch.tensor([0, 1]))[1].ndim == 0
    assert stored(torch.ones(2, 2))[0].shape == (1, 2, 1)
    assert by_list(torch.ones(2, 2))[0].shape == (2, 2)
