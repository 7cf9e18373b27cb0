"""int32, uint8 and bool index as well: only floating and complex values are refused."""
import torch


def picked(table):
    short = torch.tensor([0, 1], dtype=torch.int32)  # ok: TL201
    byte = torch.tensor([1, 0, 1], dtype=torch.uint8)  # ok: TL201  a mask of the old kind
    mask = torch.ones(3, dtype=torch.bool)  # ok: TL201
    return table[short].sum() + table[byte.bool()].sum() + table[mask].sum()


def picked_halves(table):
    half = torch.tensor([0, 1], dtype=torch.float16)  # expect: TL201
    return table[half]


def demonstrate():
    table = torch.ones(3)
    assert picked(table) == 7
    try:
        picked_halves(table)
        raise AssertionError("floating indices were accepted")
    except IndexError:
        pass
