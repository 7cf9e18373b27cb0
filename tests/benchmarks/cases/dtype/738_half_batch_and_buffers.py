"""A detector's fp16 evaluation halves everything in the batch, image ids too, and every buffer through .data.

source: huggingface/transformers#5953 (same kind of loss, other place)
rules: [TL301]
"""
import torch
from torch import nn


class Detector(nn.Module):
    def __init__(self, levels=3):
        super().__init__()
        self.head = nn.Linear(4, 2)
        self.register_buffer("offsets", torch.arange(levels) * 2500 + 1)
        self.register_buffer("scale", torch.ones(levels))

    def locate(self, level, index):
        return self.offsets[level] + index


def to_half(batch, device):
    return {name: value.half().to(device) for name, value in batch.items()}  # expect: TL301


def shrink(model):
    for p in model.parameters():
        p.data = p.data.half()  # ok: TL301
    for buf in model.buffers():
        buf.data = buf.data.half()  # expect: TL301
    return model


def to_half_fixed(batch, device):
    out = {}
    for name, value in batch.items():
        value = value.to(device)
        out[name] = value.half() if torch.is_floating_point(value) else value  # ok: TL301
    return out


def shrink_fixed(model):
    return model.half()  # ok: TL301


def shrink_by_hand(model):
    for p in model.parameters():
        p.data = p.data.half()  # ok: TL301
    for buf in model.buffers():
        if buf.dtype != torch.float32:
            continue
        buf.data = buf.data.half()  # ok: TL301
    return model


def evaluate(model, loader, device="cpu"):
    found = {}
    model.eval()
    with torch.no_grad():
        for batch in loader:
            batch = to_half_fixed(batch, device)
            scores = model.head(batch["image"])
            for image_id, score in zip(batch["image_id"].tolist(), scores):
                found[image_id] = score.argmax().item()
    return found


def demonstrate():
    torch.manual_seed(0)
    batch = {"image": torch.randn(2, 4), "image_id": torch.tensor([397133, 4097])}
    bad = to_half(batch, "cpu")
    assert bad["image_id"].isinf()[0] and bad["image_id"][1] == 4096, bad["image_id"]
    good = to_half_fixed(batch, "cpu")
    assert torch.equal(good["image_id"], batch["image_id"]) and good["image"].dtype is torch.float16
    model = shrink(Detector())
    assert model.offsets.dtype is torch.float16 and model.offsets[1] == 2500  # was 2501
    for fn in (shrink_fixed, shrink_by_hand):
        model = fn(Detector())
        assert model.locate(1, 3).item() == 2504 and model.scale.dtype is torch.float16
        assert model.head.weight.dtype is torch.float16
    assert sorted(evaluate(shrink_fixed(Detector()), [batch])) == [4097, 397133]
