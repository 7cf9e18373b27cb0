"""A feature loss puts its network in eval mode once, the epoch's train() undoes it; the validation pass keeps every graph.

source: jfzhang95/pytorch-deeplab-xception#140 (frozen part wakes up), hszhao/semseg#60 (validation memory); written from scratch
rules: [TL118, TL304]
"""
import torch
import torch.nn.functional as F
from torch import nn


class FeatureLoss(nn.Module):
    """Compares images by the activations of a fixed network."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(0.3))
        self.features.requires_grad_(False)
        self.features.eval()  # expect: TL118

    def forward(self, fake, real):
        return F.l1_loss(self.features(fake), self.features(real))


class PinnedFeatureLoss(FeatureLoss):
    def __init__(self):
        nn.Module.__init__(self)
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(0.3))
        self.features.requires_grad_(False)
        self.features.eval()  # ok: TL118

    def train(self, mode: bool = True):  # ok: TL108
        super().train(mode)
        self.features.eval()  # ok: TL118
        return self


class Restorer(nn.Module):
    def __init__(self, loss: nn.Module):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.Conv2d(4, 1, 3, padding=1))
        self.loss = loss

    def forward(self, noisy):
        return noisy - self.net(noisy)


def fit(model: Restorer, pairs, epochs: int = 1) -> None:
    opt = torch.optim.SGD(model.net.parameters(), lr=0.01)
    for _ in range(epochs):
        model.train()
        for noisy, clean in pairs:
            loss = model.loss(model(noisy), clean)
            opt.zero_grad()
            loss.backward()
            opt.step()


def validate(model: Restorer, pairs) -> list[torch.Tensor]:
    model.eval()  # expect: TL304
    errors = []
    for noisy, clean in pairs:
        errors.append(F.mse_loss(model(noisy), clean))
    return errors


def validate_quietly(model: Restorer, pairs) -> list[torch.Tensor]:
    model.eval()  # ok: TL304
    errors = []
    with torch.no_grad():
        for noisy, clean in pairs:
            errors.append(F.mse_loss(model(noisy), clean))
    return errors


def sharpen(model: Restorer, noisy: torch.Tensor, steps: int = 2) -> torch.Tensor:
    """Refines the image itself by the gradient of the score; eval mode with gradients on purpose."""
    model.eval()  # ok: TL304
    image = noisy.clone().requires_grad_(True)
    for _ in range(steps):
        score = F.mse_loss(model(image), image)
        (grad,) = torch.autograd.grad(score, image)
        image = (image - 0.1 * grad).detach().requires_grad_(True)
    return image.detach()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    pairs = [(torch.randn(2, 1, 8, 8) + 3, torch.randn(2, 1, 8, 8) + 3) for _ in range(2)]
    for cls, fixed in ((FeatureLoss, False), (PinnedFeatureLoss, True)):
        model = Restorer(cls())
        before = model.loss.features[1].running_mean.clone()
        assert not model.loss.features[3].training
        fit(model, pairs)
        assert torch.equal(model.loss.features[1].running_mean, before) is fixed, cls
        assert model.loss.features[3].training is not fixed
    assert all(e.requires_grad for e in validate(model, pairs)), "every graph of the pass stays alive"
    assert not any(e.requires_grad for e in validate_quietly(model, pairs))
    assert sharpen(model, pairs[0][0]).shape == (2, 1, 8, 8)
