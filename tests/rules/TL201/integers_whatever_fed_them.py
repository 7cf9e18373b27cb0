"""argmax, topk, sort, nonzero and their like give integers, and comparisons give masks, however floating the input."""
import torch


def picked(table):
    scores = torch.rand(4)
    best = scores.argmax(0, keepdim=True)  # ok: TL201
    top = scores.topk(2)[1]  # ok: TL201
    value, index = scores.max(0, keepdim=True)  # ok: TL201
    order = scores.sort()[1]  # ok: TL201
    where = scores.nonzero()[:, 0]  # ok: TL201
    drawn = (scores / scores.sum()).multinomial(2)  # ok: TL201
    mixed = torch.randperm(4)  # ok: TL201
    found = torch.searchsorted(scores.sort().values, scores).clamp(max=3)  # ok: TL201
    high = scores > 0.5  # ok: TL201
    finite = torch.isfinite(scores) & (scores / 2 >= 0)  # ok: TL201
    near = scores.eq(value)  # ok: TL201
    low = (scores / scores.max()).le(0.5)  # ok: TL201
    kept = torch.where(high)[0]  # ok: TL201
    return [table[i] for i in (best, top, index, order, where, drawn, mixed, found, high, finite, near, low, kept)]


def picked_values(table):
    values = torch.rand(4).sort()[0]  # expect: TL201
    return table[values]


def picked_top_values(table):
    values, _ = torch.rand(4).topk(2)  # expect: TL201
    return table[values]


def demonstrate():
    table = torch.ones(4)
    assert len(picked(table)) == 13
    for function in (picked_values, picked_top_values):
        try:
            function(table)
            raise AssertionError("floating indices were accepted")
        except IndexError:
            pass
