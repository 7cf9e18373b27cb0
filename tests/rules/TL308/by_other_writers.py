"""A layer that works in place writes into what it gets; so does numpy, and so does one of several branches."""

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.sharp, self.plain = nn.ReLU(inplace=True), nn.ReLU()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return self.sharp(x.float())  # expect: TL308

    def of_layer(self, x):
        return self.sharp(self.layer(x.float()))  # ok: TL308  the layer's result is new

    def by_plain(self, x):
        return self.plain(x.float())  # ok: TL308


def by_array(x):
    values = x.detach().cpu().numpy()
    values[values < 0] = 0  # expect: TL308
    return values


def by_copied_array(x):
    values = x.detach().cpu().numpy().copy()
    values[values < 0] = 0  # ok: TL308
    return values


def by_default(x, weights=None):
    weights = torch.ones_like(x) if weights is None else weights.to(x)
    weights *= 2  # expect: TL308
    return weights


def by_copy_or_cast(weights):
    weights = weights.clone() if weights.is_contiguous() else weights.float()
    weights *= 2  # ok: TL308  one branch copies what the other casts
    return weights


def within(x):
    def lowered(amount):
        values = x.float()
        values -= amount  # expect: TL308
        return values

    return lowered


def each(images, device):
    for image in images:
        image = image.to(device)
        image.sub_(0.5)  # expect: TL308


def each_of_loader(loader, device):
    for image in loader:
        image = image.to(device)
        image.sub_(0.5)  # ok: TL308  a loader makes new batches


def first_of(images):
    wide = [image.float() for image in images]
    wide[0] += 1  # expect: TL308
    wide.append(wide[0])  # ok: TL308  the list is new
    return wide


def to_bytes(x):
    return x.float().mul_(255)  # expect: TL308


def of_bytes(x):
    return x.float().div_(255)  # ok: TL308  bytes are copied


def demonstrate():
    def is_kept(call, x):
        before = x.clone()
        call(x)
        return torch.equal(before, x)

    head = Head()
    x = torch.tensor([[-1.0, 2.0]])
    changed = (head, by_array, lambda t: by_default(t, t), lambda t: within(t)(1), lambda t: each([t], "cpu"))
    for call in (*changed, lambda t: first_of([t]), to_bytes):
        with torch.no_grad():
            assert not is_kept(call, x.clone()), call
    for call in (head.of_layer, head.by_plain, by_copied_array, by_default, by_copy_or_cast):
        assert is_kept(call, x.clone()), call
    each_of_loader([x.clone()], "cpu"), of_bytes(x.clone())
