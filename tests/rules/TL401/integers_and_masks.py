"""Integers and masks are converted, not rounded: their casts are no findings."""
import torch


def masked(a, labels):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mask = (labels >= 0).float()  # ok: TL401
        hot = torch.nn.functional.one_hot(labels, 4).float()  # ok: TL401
        steps = torch.arange(4).half()  # ok: TL401
        counts = labels.long().float()  # ok: TL401
        return mask @ hot + counts.sum() + steps.float().sum(), hot.t() @ hot


def weighted(a, labels):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        rates = torch.rand(4, device=a.device).float()  # expect: TL401
        return a @ rates[:, None]


def demonstrate():
    labels = torch.tensor([0, 1, 2])
    assert masked(None, labels)[1].shape == (4, 4)
    assert weighted(torch.rand(3, 4), labels).dtype == torch.bfloat16
