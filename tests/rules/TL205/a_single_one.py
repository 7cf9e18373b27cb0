"""A dimension of one element, of a slice or a recurrent layer, has no place in memory: any view may merge it."""

import torch
from torch import nn
from torch.utils.data import DataLoader


def precision(scores, target, topk=(1,)):
    _, found = scores.topk(max(topk), 1, True, True)
    correct = found.t().eq(target.view(1, -1).expand_as(found.t()))
    return [correct[:k].view(-1).float().sum() for k in topk]  # ok: TL205  nobody asks for more than the first


def precision_of_several(scores, target, topk=(1,)):
    _, found = scores.topk(max(topk), 1, True, True)
    correct = found.t().eq(target.view(1, -1).expand_as(found.t()))
    return [correct[:k].view(-1).float().sum() for k in topk]  # expect: TL205


def evaluated(scores, target):
    return precision(scores, target, topk=(1,)), precision(scores, target)


def validated(scores, target):
    return precision_of_several(scores, target, topk=(1, 2)), precision_of_several(scores, target)


def heads(x):
    turned = x.t()
    return turned[:1].view(-1), turned[0:1].view(-1)  # ok: TL205  one row


def two_heads(x):
    turned = x.t()
    return turned[:2].view(-1)  # expect: TL205


class Pointer(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.dim = dim
        self.steps = nn.LSTM(dim, dim, batch_first=True)

    def forward(self, x, state):
        out, _ = self.steps(x.unsqueeze(1), state)
        return out.view(-1, self.dim)  # ok: TL205  one step

    def read(self, rows):
        out, _ = self.steps(rows)
        return out.view(-1, self.dim)  # expect: TL205

    def read_one(self, row):
        out, _ = self.steps(row.unsqueeze(0))
        return out.view(-1, self.dim)  # ok: TL205  a batch of one


def volumes(loader):
    for _, (picture, labels) in enumerate(loader):
        picture, labels = picture.float(), labels.long().permute(1, 0, 2, 3)
        yield picture, labels.view(-1, 1)  # ok: TL205  a volume at a time


def pictures(loader):
    for _, (picture, labels) in enumerate(loader):
        picture, labels = picture.float(), labels.long().permute(1, 0, 2, 3)
        yield picture, labels.view(-1, 1)  # expect: TL205


def tested(data):
    one_by_one = DataLoader(data, batch_size=1, shuffle=False)
    return list(volumes(one_by_one)), list(volumes(DataLoader(data, batch_size=1)))


def trained(data):
    return list(pictures(DataLoader(data, batch_size=2))), list(pictures(DataLoader(data, batch_size=1)))


def demonstrate():
    scores, target, pointer = torch.rand(3, 5), torch.zeros(3, dtype=torch.long), Pointer()
    evaluated(scores, target), heads(torch.rand(3, 4))
    state = (torch.zeros(1, 2, 4), torch.zeros(1, 2, 4))
    assert pointer(torch.rand(2, 4), state).shape == (2, 4) and pointer.read_one(torch.rand(3, 4)).shape == (3, 4)
    volumes_given = [(torch.rand(3, 4, 4), torch.rand(3, 4, 4)) for _ in range(2)]
    assert len(tested(volumes_given)[0]) == 2
    refused = [lambda: trained(volumes_given), lambda: validated(scores, target), lambda: two_heads(torch.rand(3, 4))]
    if not pointer.steps(torch.rand(2, 3, 4))[0].is_contiguous():
        refused.append(lambda: pointer.read(torch.rand(2, 3, 4)))
    for call in refused:
        try:
            call()
            raise AssertionError("the view was legal")
        except RuntimeError as error:
            assert "view" in str(error)
