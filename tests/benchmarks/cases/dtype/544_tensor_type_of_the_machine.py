"""A GAN script chooses one tensor type for the whole file, by asking the machine; labels of that type meet pictures of another place.

source: widely copied GAN scripts (Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor); aaron-y-chen/deeplog#6 kind
rules: [TL207]
"""
import torch
from torch import nn

cuda = torch.cuda.is_available()
Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
DEVICE = torch.device("cuda" if cuda else "cpu")


class Judge(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))

    def forward(self, x):
        return self.net(x)


class SmoothJudge(Judge):
    """Blurs its input while it learns; the noise goes to the card of the file."""

    def forward(self, x):
        if self.training:
            x = x + 0.1 * torch.randn(x.shape, device=DEVICE)  # expect: TL207
        return self.net(x)


class LikeJudge(Judge):
    def forward(self, x):
        if self.training:
            x = x + 0.1 * torch.randn(x.shape, device=x.device)  # ok: TL207
        return self.net(x)


def judge_loss(judge, real, fake):
    valid = Tensor(real.size(0), 1).fill_(1.0)  # expect: TL207
    wrong = torch.zeros_like(valid)
    bce = nn.functional.binary_cross_entropy_with_logits
    return bce(judge(real), valid) + bce(judge(fake), wrong)


def judge_loss_fixed(judge, real, fake):
    valid = torch.ones(real.size(0), 1, device=real.device)  # ok: TL207
    bce = nn.functional.binary_cross_entropy_with_logits
    return bce(judge(real), valid) + bce(judge(fake), torch.zeros_like(valid))


def judge_loss_asking(judge, real, fake):
    """Asks the pictures, not the machine."""
    kind = torch.cuda.FloatTensor if real.is_cuda else torch.FloatTensor
    valid = kind(real.size(0), 1).fill_(1.0)  # ok: TL207
    bce = nn.functional.binary_cross_entropy_with_logits
    return bce(judge(real), valid) + bce(judge(fake), torch.zeros_like(valid))


def judge_loss_from_outputs(judge, real, fake):
    seen, made = judge(real), judge(fake)
    bce = nn.functional.binary_cross_entropy_with_logits
    return bce(seen, torch.ones_like(seen)) + bce(made, made.new_zeros(made.shape))  # ok: TL207


def demonstrate():
    x = torch.randn(3, 4)
    for loss, works in ((judge_loss, False), (judge_loss_fixed, True), (judge_loss_from_outputs, True)):
        try:
            assert loss(Judge().to("meta"), x.to("meta"), x.to("meta")).is_meta
            ok = True
        except RuntimeError as err:
            assert "device" in str(err), err
            ok = False
        assert ok is works, loss
    assert judge_loss_asking(Judge(), x, x).isfinite()
    for cls, works in ((SmoothJudge, False), (LikeJudge, True)):
        try:
            assert cls().to("meta")(x.to("meta")).is_meta
            ok = True
        except RuntimeError as err:
            assert "device" in str(err), err
            ok = False
        assert ok is works, cls
