"""topk() makes new memory whatever it is given: its rows, turned over, are out of order."""

import torch


def accuracy_of(network, batches):
    right = 0.0
    for x, target in batches:
        _, best = network(x).topk(5, 1, True, True)
        best = best.t()
        hits = best.eq(target.view(1, -1).expand_as(best))
        first = hits[:1].view(-1).float().sum()  # ok: TL205  one row
        five = hits[:5].view(-1).float().sum()  # expect: TL205
        right += float(first + five)
    return right


def accuracy_by_reshape(network, batches):
    right = 0.0
    for x, target in batches:
        _, best = network(x).topk(5, 1, True, True)
        hits = best.t().eq(target.view(1, -1))
        right += float(hits[:5].reshape(-1).float().sum())  # ok: TL205
    return right


def accuracy_by_rows(network, batches):
    right = 0.0
    for x, target in batches:
        best = network(x).topk(5, 1).indices
        hits = best.eq(target[:, None])
        right += float(hits.view(-1).float().sum())  # ok: TL205
    return right


def demonstrate():
    batches = [(torch.randn(4, 8), torch.randint(8, (4,)))]
    network = torch.nn.Linear(8, 8)
    assert accuracy_by_reshape(network, batches) == accuracy_by_rows(network, batches)
    try:
        accuracy_of(network, batches)
        raise AssertionError("view() took what is out of order")
    except RuntimeError as error:
        assert "view" in str(error)
