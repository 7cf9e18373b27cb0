"""Video domain adaptation: domain labels built from zeros/ones go to cross_entropy, frame positions from linspace go to index_select.

source: RUCAIBox/RecBole#1283 and ccpem/affinity-vae#222 (float index tensors); the setting is new
rules: [TL201]
"""
import torch
import torch.nn.functional as F
from torch import nn


def sample_clip(video, count):
    steps = torch.linspace(0, video.size(0) - 1, count)  # expect: TL201
    return video.index_select(0, steps)  # use: TL201


def sample_clip_fixed(video, count):
    steps = torch.linspace(0, video.size(0) - 1, count).round().long()
    return video.index_select(0, steps)  # ok: TL201


def middle_frame(video):
    return video[video.size(0) // 2], video[int(video.size(0) / 2)]  # ok: TL201


class DomainHead(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, 2))

    def forward(self, feats):
        return self.net(feats)


def domain_loss(head, source, target):
    logits = head(torch.cat([source, target]))
    labels = torch.cat([torch.zeros(len(source)), torch.ones(len(target))])  # expect: TL201
    return F.cross_entropy(logits, labels)  # use: TL201


def domain_loss_fixed(head, source, target):
    logits = head(torch.cat([source, target]))
    labels = torch.cat([torch.zeros(len(source)), torch.ones(len(target))]).long()
    return F.cross_entropy(logits, labels)  # ok: TL201


def domain_loss_binary(head, source, target):
    logits = head(torch.cat([source, target]))
    labels = torch.cat([torch.zeros(len(source)), torch.ones(len(target))])
    return F.binary_cross_entropy_with_logits(logits[:, 1] - logits[:, 0], labels)  # ok: TL201


def confusion_loss(head, target):
    logits = head(target)
    uniform = torch.full_like(logits, 1.0 / logits.size(1))
    return F.cross_entropy(logits, uniform)  # ok: TL201


def demonstrate():
    torch.manual_seed(0)
    video = torch.randn(30, 3, 4, 4)
    try:
        sample_clip(video, 8)
        raise AssertionError("float positions accepted")
    except (RuntimeError, IndexError) as err:
        assert "index_select" in str(err), err
    assert torch.equal(sample_clip_fixed(video, 8)[-1], video[29])
    first, second = middle_frame(video)
    assert torch.equal(first, second)
    head, src, tgt = DomainHead(), torch.randn(4, 8), torch.randn(3, 8)
    try:
        domain_loss(head, src, tgt)
        raise AssertionError("float class targets accepted")
    except RuntimeError as err:
        assert "Long" in str(err)
    for fn in (domain_loss_fixed, domain_loss_binary):
        assert fn(head, src, tgt).requires_grad
    assert torch.isfinite(confusion_loss(head, tgt))
