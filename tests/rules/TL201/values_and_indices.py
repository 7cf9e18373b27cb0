"""max, min and median give values and indices where a dimension is named, and values alone where it is not."""
import torch


def smallest(costs: torch.Tensor, table: torch.Tensor):
    values, index = torch.min(costs.float(), dim=0)
    return values, table[index]  # ok: TL201  the second of the pair


def hardest(logits: torch.Tensor, table: torch.Tensor, dim: int):
    chosen = logits.softmax(-1).max(dim, keepdim=True)[1]
    return table[chosen]  # ok: TL201  the second of the pair, whatever the dimension


def highest(logits: torch.Tensor, table: torch.Tensor):
    best = logits.float().max()  # expect: TL201
    return table[best]


def demonstrate():
    costs, table = torch.rand(3), torch.arange(3)
    assert smallest(costs, table)[1].dtype is torch.int64
    assert hardest(torch.rand(2, 3), table, 1).shape == (2, 1)
    try:
        highest(costs, table)
        raise AssertionError("a floating index was accepted")
    except IndexError:
        pass
