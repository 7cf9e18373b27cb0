"""An empty tensor without a dtype is floating, and cat turns the integers that are joined to it floating."""
import torch


def keep(boxes, groups):
    kept = torch.tensor([])  # expect: TL201
    for ids in groups:
        kept = torch.cat([kept, ids])
    return boxes[kept]


def keep_legacy(boxes, groups):
    kept = torch.Tensor()  # expect: TL201
    for ids in groups:
        kept = torch.cat((kept, ids), dim=0)
    return boxes.index_select(0, kept)


def keep_integers(boxes, groups):
    kept = torch.tensor([], dtype=torch.long)  # ok: TL201
    for ids in groups:
        kept = torch.cat([kept, ids])
    return boxes[kept]


def keep_list(boxes, groups):
    kept = []  # ok: TL201
    for ids in groups:
        kept.append(ids)
    return boxes[torch.cat(kept)]


def order_of(chunks):
    total = torch.tensor([])  # ok: TL201  scores, not ids
    for chunk in chunks:
        total = torch.cat([total, chunk])
    return total[total.argsort()]


def demonstrate():
    boxes, groups = torch.ones(4, 2), [torch.tensor([1]), torch.tensor([2, 3])]
    assert torch.cat([torch.tensor([]), groups[0]]).dtype == torch.float32
    for function in (keep, keep_legacy):
        try:
            function(boxes, groups)
            raise AssertionError("floating indices were accepted")
        except (IndexError, RuntimeError):
            pass
    assert keep_integers(boxes, groups).shape == keep_list(boxes, groups).shape == (3, 2)
    assert order_of([torch.ones(2)]).shape == (2,)
