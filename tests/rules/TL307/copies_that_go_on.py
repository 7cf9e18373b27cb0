"""Only a copy to another device can go on by itself: non_blocking=True tells where .to() leads, whatever its target is called."""

import torch


def wide(volume, place):
    return volume.float().to(place, non_blocking=True) / 255  # note: TL307


def narrow(volume, place):
    return volume.to(place, non_blocking=True).float() / 255  # ok: TL307


def beside(volume, other):
    other = torch.zeros(2)
    return volume.float().to(other, non_blocking=True) / 255  # ok: TL307  where the other tensor is


def typed(volume, kind):
    return volume.float().to(kind) / 255  # ok: TL307  it may be a dtype


def blocking(volume, place):
    return volume.float().to(place, non_blocking=False) / 255  # ok: TL307


def demo():
    volume = torch.zeros(2, dtype=torch.uint8)
    assert torch.equal(wide(volume, "cpu"), narrow(volume, "cpu"))
    assert beside(volume, None).dtype is typed(volume, torch.float32).dtype is blocking(volume, "cpu").dtype
