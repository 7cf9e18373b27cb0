"""Tensor.unfold cuts windows without a copy: only windows that lie one after the other can be joined by a view."""
import torch
import torch.nn.functional as F


def patches(picture, size):
    cut = picture.unfold(1, size, size).unfold(2, size, size)
    return cut.view(cut.size(0), -1, size, size)  # expect: TL205


def patches_copied(picture, size):
    cut = picture.unfold(1, size, size).unfold(2, size, size)
    return cut.contiguous().view(cut.size(0), -1, size, size)  # ok: TL205


def rows(picture, size):
    cut = picture.unfold(1, size, size).permute(0, 1, 3, 2)
    return cut.view(*cut.shape[:2], size, -1)  # ok: TL205  joins nothing


def frames(wave, size):
    return wave.unfold(1, size, size).view(wave.size(0), -1)  # ok: TL205  the windows are joined again


def overlapping(wave, size, step):
    cut = wave.unfold(1, size, step)
    return cut.view(wave.size(0), -1)  # expect: TL205


def all_windows(wave, size, step):
    cut = wave.unfold(1, size, step)
    return cut.view(-1, size)  # expect: TL205


def weighted(wave, size, step):
    cut = wave.unfold(1, size, step) * torch.hann_window(size, device=wave.device)
    return cut.view(-1, size)  # ok: TL205  what is computed has memory of its own


def rounded(wave, size, step):
    return wave.unfold(1, size, step).round().view(-1, size)  # ok: TL205


def columns(picture, size):
    cut = F.unfold(picture, size)
    return cut.view(cut.size(0), -1)  # ok: TL205  the function of that name copies


def demonstrate():
    picture, wave = torch.rand(3, 4, 4), torch.rand(2, 8)
    assert patches_copied(picture, 2).shape == (3, 4, 2, 2)
    assert rows(picture, 2).shape == (3, 2, 2, 4)
    assert frames(wave, 2).shape == (2, 8)
    assert columns(picture[None], 2).shape == (1, 108)
    assert weighted(wave, 3, 2).shape == rounded(wave, 3, 2).shape == (6, 3)
    for wrong in (lambda: patches(picture, 2), lambda: overlapping(wave, 4, 2), lambda: all_windows(wave, 3, 2)):
        try:
            wrong()
        except RuntimeError as error:
            assert "view size" in str(error)
            continue
        raise AssertionError("the view was taken")
