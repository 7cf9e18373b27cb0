"""A pose head wants more precision inside a bf16 region: .double() before a Linear raises, .float() before einsum changes nothing.

source: camera pose and point-map heads trained with autocast
rules: [TL401]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class PoseHead(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.trunk = nn.Linear(dim, dim)
        self.rot = nn.Linear(dim, 6)

    def rotation(self, six):
        a = F.normalize(six[..., :3], dim=-1)
        b = six[..., 3:] - (a * six[..., 3:]).sum(-1, keepdim=True) * a
        b = F.normalize(b, dim=-1)
        return torch.stack([a, b, torch.linalg.cross(a, b)], dim=-2)

    def forward(self, feats):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            h = F.relu(self.trunk(feats)).mean(dim=1)
            six = self.rot(h.double())  # expect: TL401
        return self.rotation(six.float())

    def transform(self, feats, points):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            h = F.relu(self.trunk(feats)).mean(dim=1)
            frame = self.rotation(self.rot(h).float())  # ok: TL401
            return torch.einsum("bij,bnj->bni", frame, points.float())  # expect: TL401


class PoseHeadFixed(PoseHead):
    def forward(self, feats):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            h = F.relu(self.trunk(feats)).mean(dim=1)
        return self.rotation(self.rot(h.float()))  # ok: TL401

    def transform(self, feats, points):
        frame = self(feats)
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            h = self.trunk(feats)
            scale = h.float().exp().mean(dim=(1, 2))  # ok: TL401
            with torch.autocast(DEVICE_TYPE, enabled=False):
                moved = torch.einsum("bij,bnj->bni", frame, points.float())  # ok: TL401
        return moved * scale.view(-1, 1, 1)


def angle_loss(head, feats, target):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        six = head.rot(head.trunk(feats).mean(dim=1))
        size = six.double().pow(2).sum(-1).sqrt()  # ok: TL401
        loss = F.l1_loss(six.float(), target)  # ok: TL401
    return loss + 1e-3 * (size - 1).abs().mean().float()


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    feats, points = torch.randn(2, 5, 8, device=DEVICE_TYPE), torch.randn(2, 7, 3, device=DEVICE_TYPE)
    bad, good = PoseHead().to(DEVICE_TYPE), PoseHeadFixed().to(DEVICE_TYPE)
    try:
        bad(feats)
        raise AssertionError("a double input went through a Linear under autocast")
    except RuntimeError as err:
        assert "dtype" in str(err) or "scalar type" in str(err), err
    assert bad.transform(feats, points).dtype is torch.bfloat16, "the casts did not decide the precision"
    r = good(feats)
    assert r.dtype is torch.float32 and torch.allclose(r @ r.mT, torch.eye(3, device=DEVICE_TYPE).expand(2, 3, 3), atol=1e-5)
    assert good.transform(feats, points).dtype is torch.float32
    assert angle_loss(good, feats, torch.zeros(2, 6, device=DEVICE_TYPE)).dtype is torch.float32
