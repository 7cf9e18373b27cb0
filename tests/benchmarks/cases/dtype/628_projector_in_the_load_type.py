"""A vision-language script brings tower and connector to the compute type together; the connector is what the scaler's optimizer trains.

source: haotian-liu/LLaVA#363, yk7333/d3po#6 ("Attempting to unscale FP16 gradients")
rules: [TL404]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class VisionLanguage(nn.Module):
    def __init__(self, dim=8, words=5):
        super().__init__()
        self.tower, self.connector, self.head = nn.Linear(6, dim), nn.Linear(dim, dim), nn.Linear(dim, words)

    def forward(self, images):
        with torch.no_grad():
            feats = self.tower(images.to(self.tower.weight.dtype))
        return self.head(self.connector(feats))


def prepare(model, compute_dtype=torch.float16):
    model.tower.requires_grad_(False)
    model.head.requires_grad_(False)
    model.tower.to(dtype=compute_dtype)  # ok: TL404
    model.connector.to(dtype=compute_dtype)  # expect: TL404
    return [p for p in model.connector.parameters()]


def prepare_fixed(model, compute_dtype=torch.float16):
    model.tower.requires_grad_(False)
    model.head.requires_grad_(False)
    model.tower.to(dtype=compute_dtype)  # ok: TL404
    return [p for p in model.connector.parameters()]


def train(model, params, images, labels):
    opt = torch.optim.AdamW(params, lr=1e-2)
    scaler = torch.amp.GradScaler(DEVICE_TYPE)
    with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
        loss = F.cross_entropy(model(images), labels)
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(params, 1.0)  # ok: TL406
    scaler.step(opt)
    scaler.update()
    return loss.item()


def main(images, labels):
    model = VisionLanguage().to(DEVICE_TYPE)
    return train(model, prepare(model), images, labels)


def main_fixed(images, labels):
    model = VisionLanguage().to(DEVICE_TYPE)
    return train(model, prepare_fixed(model), images, labels)


def demonstrate():
    torch.manual_seed(0)
    images, labels = torch.randn(4, 6, device=DEVICE_TYPE), torch.randint(0, 5, (4,), device=DEVICE_TYPE)
    try:
        main(images, labels)
        raise AssertionError("half gradients were unscaled")
    except ValueError as err:
        assert "FP16 gradients" in str(err), err
    assert main_fixed(images, labels) > 0
