"""A detection data set turns x, y, w, h into corners in place on as_tensor(annotation): the stored array grows with every epoch.

source: COCO style data sets with `boxes[:, 2:] += boxes[:, :2]`; pytorch/vision#680 kind
rules: [TL308]
"""
import numpy as np
import torch
from torch import nn
from torch.utils.data import Dataset


def corners(ann):
    boxes = torch.as_tensor(ann["bbox"], dtype=torch.float32).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]  # expect: TL308
    return boxes


def corners_new(ann):
    boxes = torch.as_tensor(ann["bbox"], dtype=torch.float32).reshape(-1, 4)
    return torch.cat([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], dim=1)


def corners_of_copy(ann):
    boxes = torch.tensor(ann["bbox"], dtype=torch.float32).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]  # ok: TL308
    return boxes


class Boxes(Dataset):
    def __init__(self, table, convert):
        self.table, self.convert = table, convert

    def __len__(self):
        return len(self.table)

    def __getitem__(self, i):
        return self.convert(self.table[i])


class Centring(nn.Module):
    """Removes the mean of its prototypes for a report; in a float32 model it removes it from the prototypes."""

    def __init__(self, rows=4, dim=2):
        super().__init__()
        self.prototypes = nn.Parameter(torch.rand(rows, dim) + 1)

    @torch.no_grad()
    def spread(self):
        flat = self.prototypes.to(dtype=torch.float32)
        flat.sub_(flat.mean(0))  # expect: TL308
        return flat.norm()

    @torch.no_grad()
    def spread_exact(self):
        flat = self.prototypes.to(dtype=torch.float32, copy=True)
        flat.sub_(flat.mean(0))  # ok: TL308
        return flat.norm()


def demonstrate():
    def second_epoch(convert):
        table = [{"bbox": np.array([[1, 1, 2, 2]], dtype=np.float32)}]
        data = Boxes(table, convert)
        return data[0].tolist() == data[0].tolist()

    assert not second_epoch(corners), "the annotation changed"
    assert second_epoch(corners_new) and second_epoch(corners_of_copy)
    net = Centring()
    before = net.prototypes.detach().clone()
    net.spread_exact()
    assert torch.equal(before, net.prototypes)
    net.spread()
    assert not torch.equal(before, net.prototypes)
