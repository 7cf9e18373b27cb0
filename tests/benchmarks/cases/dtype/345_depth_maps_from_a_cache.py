"""Depth maps sit in a cache; two readers take as_tensor of the stored array and blank what they do not want, one after the other.

source: pytorch/vision#680 kind; depth data sets with an in-memory cache and `depth[depth > far] = 0`
rules: [TL308]
"""
import numpy as np
import torch


class Shelf:
    """Loads a map once; later calls get the stored array."""

    def __init__(self, loader):
        self.loader, self.kept = loader, {}

    def __getitem__(self, name):
        if name not in self.kept:
            self.kept[name] = self.loader(name)
        return self.kept[name]


class View(torch.utils.data.Dataset):
    def __init__(self, shelf, names, near=0.0, far=10.0):
        self.shelf, self.names, self.near, self.far = shelf, names, near, far

    def __len__(self):
        return len(self.names)

    def cut(self, array):
        depth = torch.as_tensor(array, dtype=torch.float32)
        depth[(depth < self.near) | (depth > self.far)] = 0.0  # expect: TL308
        return depth

    def __getitem__(self, i):
        depth = self.cut(self.shelf[self.names[i]])
        return {"depth": depth, "valid": depth > 0}


class ViewFixed(View):
    def cut(self, array):
        depth = torch.tensor(array, dtype=torch.float32)
        depth[(depth < self.near) | (depth > self.far)] = 0.0  # ok: TL308
        return depth


class ViewMillimetres(View):
    """Stored as 16-bit millimetres: the division makes the tensor that is written."""

    def cut(self, array):
        depth = torch.from_numpy(array) / 1000.0
        depth[(depth < self.near) | (depth > self.far)] = 0.0  # ok: TL308
        return depth


class ViewMasked(View):
    def cut(self, array):
        depth = torch.as_tensor(array, dtype=torch.float32)
        keep = (depth >= self.near) & (depth <= self.far)
        keep &= depth.isfinite()  # ok: TL308
        return torch.where(keep, depth, 0.0)


def demonstrate():
    stored = np.array([[1.0, 4.0, 9.0]], dtype=np.float32)
    for kind, want in ((View, 0), (ViewFixed, 1), (ViewMasked, 1)):
        shelf = Shelf(lambda name: stored.copy())
        close, distant = kind(shelf, ["a"], far=5.0), kind(shelf, ["a"], near=5.0)
        assert int(close[0]["valid"].sum()) == 2
        assert int(distant[0]["valid"].sum()) == want, "the far points were blanked by the near reader"
    shelf = Shelf(lambda name: (stored * 1000).astype(np.int16))
    close, distant = ViewMillimetres(shelf, ["a"], far=5.0), ViewMillimetres(shelf, ["a"], near=5.0)
    assert int(close[0]["valid"].sum()) == 2 and int(distant[0]["valid"].sum()) == 1
