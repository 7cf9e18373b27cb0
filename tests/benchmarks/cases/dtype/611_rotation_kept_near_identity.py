"""A point network regularises its learned transform towards the identity, which is made and sent to cuda inside the loss and forward.

source: LianpoWang/SLIIF#14 and #35 (forward hard-codes cuda), pq-yang/MatAnyone#43; point-cloud transform networks
rules: [TL207]
"""
import torch
from torch import nn


class TransformNet(nn.Module):
    def __init__(self, k=3):
        super().__init__()
        self.k = k
        self.conv = nn.Conv1d(k, 8, 1)
        self.fc = nn.Linear(8, k * k)

    def forward(self, points):
        out = self.fc(self.conv(points).relu().amax(2)).view(-1, self.k, self.k)
        return out + torch.eye(self.k).cuda()  # expect: TL207


class TransformNetTested(TransformNet):
    def forward(self, points):
        out = self.fc(self.conv(points).relu().amax(2)).view(-1, self.k, self.k)
        identity = torch.eye(self.k)
        if points.is_cuda:
            identity = identity.cuda()  # ok: TL207
        return out + identity


class TransformNetFixed(TransformNet):
    def forward(self, points):
        out = self.fc(self.conv(points).relu().amax(2)).view(-1, self.k, self.k)
        return out + torch.eye(self.k, device=points.device, dtype=points.dtype)  # ok: TL207


class OrthogonalPenalty(nn.Module):
    def __init__(self, weight=1e-3):
        super().__init__()
        self.weight = weight

    def forward(self, loss, transform):
        k = transform.size(1)
        identity = torch.eye(k, device="cuda").unsqueeze(0)  # expect: TL207
        return loss + self.weight * (transform @ transform.transpose(1, 2) - identity).norm(dim=(1, 2)).mean()


class OrthogonalPenaltyFixed(OrthogonalPenalty):
    def forward(self, loss, transform):
        identity = torch.eye(transform.size(1)).unsqueeze(0).to(transform)  # ok: TL207
        return loss + self.weight * (transform @ transform.transpose(1, 2) - identity).norm(dim=(1, 2)).mean()


def demonstrate():
    points = torch.randn(2, 3, 10)
    transform = TransformNetFixed()(points)
    for broken in (lambda: TransformNet()(points), lambda: OrthogonalPenalty()(0.0, transform)):
        try:
            broken()
            raise AssertionError("cpu points met a tensor that was sent to cuda")
        except (RuntimeError, AssertionError) as err:  # no cuda in this build, or two devices
            assert "cuda" in str(err).lower() and "met a tensor" not in str(err), err
    assert TransformNetTested()(points).shape == transform.shape
    OrthogonalPenaltyFixed()(0.0, transform).backward()
