"""A segmentation loss blanks its void label in 'labels.long()': labels that are long already are the caller's, and lose their void.

source: own construction after nkolot/GraphCMR#7 and pytorch/vision#680 (the original is changed with the copy)
rules: [TL308]
"""
import torch
import torch.nn.functional as F
from torch import nn

VOID = 255


class SegLoss(nn.Module):
    def tidy(self, labels):
        raise NotImplementedError

    def forward(self, logits, labels):
        clean, valid = self.tidy(labels)
        each = F.cross_entropy(logits, clean, reduction="none")
        return (each * valid).sum() / valid.sum().clamp(min=1)


class LongLoss(SegLoss):
    def tidy(self, labels):
        valid = labels != VOID
        labels = labels.long()
        labels[~valid] = 0  # expect: TL308
        return labels, valid


class ToLoss(SegLoss):
    def tidy(self, labels):
        valid = labels.ne(VOID)
        clean = labels.to(torch.int64)
        clean.masked_fill_(~valid, 0)  # expect: TL308
        return clean, valid


class FilledLoss(SegLoss):
    def tidy(self, labels):
        valid = labels != VOID
        return labels.long().masked_fill(~valid, 0), valid  # ok: TL308


class CopyLoss(SegLoss):
    def tidy(self, labels):
        valid = labels != VOID
        clean = labels.to(torch.int64, copy=True)
        clean[~valid] = 0  # ok: TL308
        return clean, valid


class SelectedLoss(SegLoss):
    """A boolean subscript copies, whatever the type was."""

    def forward(self, logits, labels):
        valid = labels != VOID
        kept = labels.long()[valid]
        kept += 0  # ok: TL308
        return F.cross_entropy(logits.movedim(1, -1)[valid], kept)


class MaskLoss(SegLoss):
    """The mask is new: comparing made it."""

    def tidy(self, labels):
        valid = (labels != VOID).float()
        valid *= labels.ne(0).float() * 0.5 + 0.5  # ok: TL308
        return labels.long().clamp(max=2), valid


def validate(net, loss, metric, batches):
    net.eval()
    out = []
    with torch.no_grad():
        for x, y in batches:
            logits = net(x)
            out.append((loss(logits, y).item(), metric(logits, y)))
    return out


def pixel_accuracy(logits, labels):
    valid = labels != VOID
    return (logits.argmax(1) == labels)[valid].float().mean().item()


def demonstrate():
    torch.manual_seed(0)
    net, x = nn.Conv2d(2, 3, 1), torch.randn(1, 2, 4, 4)
    base = torch.randint(0, 3, (1, 4, 4))
    base[:, :2] = VOID
    for cls, clean in (
        (LongLoss, False), (ToLoss, False), (FilledLoss, True), (CopyLoss, True), (SelectedLoss, True), (MaskLoss, True),
    ):
        y = base.clone()
        validate(net, cls(), pixel_accuracy, [(x, y)])
        assert torch.equal(y, base) is clean, cls
    y = base.to(torch.int32)
    validate(net, LongLoss(), pixel_accuracy, [(x, y)])
    assert torch.equal(y, base.to(torch.int32))  # where the type changes, nothing happens to the caller
