"""A metric-learning loss sends its class numbers and its annealing noise to cuda because a setting says so, not the features.

source: center-loss re-implementations with a use_gpu flag; AdaCos style margins with `.cuda()` in forward
rules: [TL207]
"""
import torch
from torch import nn


class Centres(nn.Module):
    def __init__(self, classes, dim, use_gpu=True):
        super().__init__()
        self.classes, self.use_gpu = classes, use_gpu
        self.points = nn.Parameter(torch.randn(classes, dim))

    def numbers(self, like):
        ids = torch.arange(self.classes)
        if self.use_gpu:
            ids = ids.cuda()  # expect: TL207
        return ids

    def forward(self, feats, labels):
        far = torch.cdist(feats, self.points)
        mine = labels[:, None].eq(self.numbers(feats)[None])
        return (far * mine).sum() / len(feats)


class CentresWithNoise(Centres):
    def numbers(self, like):
        return torch.arange(self.classes, device=like.device)  # ok: TL207

    def forward(self, feats, labels):
        wobble = torch.randn(feats.shape).to("cuda")  # expect: TL207
        return super().forward(feats + 0.01 * wobble, labels)


class CentresFollow(Centres):
    def numbers(self, like):
        ids = torch.arange(self.classes)
        if like.is_cuda:
            ids = ids.cuda()  # ok: TL207
        return ids


def setup(net, want="cuda"):
    return net.cuda() if want == "cuda" and torch.cuda.is_available() else net  # ok: TL207


def demonstrate():
    feats, labels = torch.randn(4, 3), torch.tensor([0, 1, 1, 0])
    assert setup(CentresFollow(2, 3))(feats.to(setup(nn.Linear(1, 1)).weight.device), labels) >= 0
    if torch.cuda.is_available():
        return
    for cls in (Centres, CentresWithNoise):
        try:
            cls(2, 3)(feats, labels)
            raise AssertionError("CPU features, yet cuda was asked")
        except (AssertionError, RuntimeError) as err:
            assert "cuda" in str(err).lower() and "yet" not in str(err), err
