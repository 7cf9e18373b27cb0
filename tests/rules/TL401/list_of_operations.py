"""Which operations autocast lowers on every device, and which keep what they are given."""
import torch
import torch.nn.functional as F
from torch import nn


def lowered(x, a):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return [
            torch.mm(x.float(), a),  # expect: TL401
            torch.addmm(a, x.float(), a),  # expect: TL401
            torch.bmm(x.float()[None], a[None]),  # expect: TL401
            F.conv1d(x.float()[None], a[..., None]),  # expect: TL401
            F.scaled_dot_product_attention(x.float()[None], a[None], a[None]),  # expect: TL401
            torch.einsum("ij,jk->ik", x.float(), a),  # expect: TL401
        ]


def kept(x, a):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return [
            F.mse_loss(x.float(), a),  # ok: TL401
            torch.cdist(x.float(), a),  # ok: TL401
            torch.linalg.inv(x.float()),  # ok: TL401
            torch.cumsum(x.float(), -1),  # ok: TL401
            F.layer_norm(x.float(), (3,)),  # ok: TL401
            F.softmax(x.float(), -1),  # ok: TL401
            torch.sigmoid(x.float()),  # ok: TL401
            torch.outer(x.float()[0], a[0]),  # ok: TL401
            x.float().norm(dim=-1),  # ok: TL401
            torch.where(x > 0, x.float(), a),  # ok: TL401
            torch.einsum("ij,ij->ij", x.float(), a),  # ok: TL401
        ]


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
        self.flat = nn.Sequential(nn.Flatten(), nn.Sequential(nn.Linear(3, 3)))
        self.normed = nn.Sequential(nn.LayerNorm(3), nn.Linear(3, 3))
        self.heads = nn.ModuleList([nn.Linear(3, 3)])

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.layers(x.float())  # expect: TL401

    def after_views(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.flat(x.float())  # expect: TL401

    def norm_first(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.normed(x.float())  # ok: TL401

    def by_index(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.heads[0](x.float())  # expect: TL401


def demonstrate():
    x = torch.eye(3)
    assert all(result.dtype == torch.bfloat16 for result in lowered(x.bfloat16(), x))
    assert all(result.dtype == torch.float32 for result in kept(x.bfloat16(), x))
    assert Stack()(x).dtype == Stack().by_index(x).dtype == Stack().after_views(x).dtype == torch.bfloat16
    assert Stack().norm_first(x).dtype == torch.bfloat16
