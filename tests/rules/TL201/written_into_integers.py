"""Written into an integer tensor, a float becomes an integer; only the tensor that indexes counts."""
import torch


def assigned(table, confidence: torch.Tensor):
    target = torch.zeros(3, dtype=torch.long)
    classes = torch.ones(3)  # ok: TL201  stored in an int64 tensor
    target[:] = classes
    target[0] = confidence.mean() / 2  # ok: TL201
    return table[target]


def copied(table):
    ids = torch.empty(2, dtype=torch.int32)
    ids.copy_(torch.ones(2))  # ok: TL201
    return table[ids]


def assigned_to_floats(table):
    target = torch.zeros(3)  # expect: TL201
    target[:] = torch.tensor([0, 1, 2])
    return table[target]


def demonstrate():
    table = torch.ones(4)
    assert assigned(table, table).shape == (3,)
    assert copied(table).shape == (2,)
    try:
        assigned_to_floats(table)
        raise AssertionError("floating indices were accepted")
    except IndexError:
        pass
