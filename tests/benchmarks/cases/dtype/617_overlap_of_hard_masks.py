"""An overlap loss rounds its prediction and casts it to integers, because the score that is reported does the same.

source: forum and issue reports "element 0 of tensors does not require grad" for hand-written dice losses
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


def dice(pred, mask, eps=1.0):
    inter = (pred * mask).sum()
    return (2 * inter + eps) / (pred.sum() + mask.sum() + eps)


class DiceLoss(nn.Module):
    def forward(self, logits, mask):
        pred = torch.sigmoid(logits).round().long()  # expect: TL305
        return 1 - dice(pred, mask)


class SoftDiceLoss(nn.Module):
    def forward(self, logits, mask):
        pred = torch.sigmoid(logits).type(torch.float32)  # ok: TL305
        return 1 - dice(pred, mask.float())


class BoundaryLoss(nn.Module):
    """The hard prediction only chooses which pixels count; the loss flows through the logits."""

    def forward(self, logits, mask):
        hard = (logits > 0).long()  # ok: TL305
        wrong = (hard != mask).float()
        weight = 1 + wrong
        return (weight * F.binary_cross_entropy_with_logits(logits, mask.float(), reduction="none")).mean()


class Trainer:
    def __init__(self, net, criterion):
        self.net, self.criterion = net, criterion
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def step(self, image, mask):
        logits = self.net(image)
        loss = self.criterion(logits, mask)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        score = dice((logits.detach() > 0).int(), mask)  # ok: TL305
        return loss.item(), score.item()


def demonstrate():
    torch.manual_seed(0)
    image, mask = torch.randn(1, 1, 6, 6), torch.randint(0, 2, (1, 1, 6, 6))
    try:
        Trainer(nn.Conv2d(1, 1, 3, padding=1), DiceLoss()).step(image, mask)
        raise AssertionError("gradient through an integer mask")
    except RuntimeError as err:
        assert "does not require grad" in str(err), err
    for criterion in (SoftDiceLoss(), BoundaryLoss()):
        net = nn.Conv2d(1, 1, 3, padding=1)
        Trainer(net, criterion).step(image, mask)
        assert net.weight.grad.abs().sum() > 0
