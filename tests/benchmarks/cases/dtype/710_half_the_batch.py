"""For fp16 inference a collated batch is converted item by item with .half(): token ids and labels are converted too.

source: issues about fp16 evaluation of text and multi-modal models
rules: [TL301]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Captioner(nn.Module):
    def __init__(self, vocab=4000, dim=8):
        super().__init__()
        self.tokens = nn.Embedding(vocab, dim)
        self.vision = nn.Linear(12, dim)
        self.head = nn.Linear(dim, vocab)

    def forward(self, batch):
        h = self.tokens(batch["input_ids"]) + self.vision(batch["pixels"]).unsqueeze(1)
        return self.head(h)


def evaluate_fp16(model, loader, device="cpu"):
    model = model.half().to(device).eval()  # ok: TL301
    hits = total = 0
    with torch.no_grad():
        for batch in loader:
            batch = {name: value.to(device).half() for name, value in batch.items()}  # expect: TL301
            pred = model(batch).argmax(-1)
            hits += (pred == batch["labels"]).sum()
            total += pred.numel()
    return hits / total


def score_pairs(model, loader):
    scores = []
    with torch.no_grad():
        for batch in loader:
            ids, pixels = [t.to(torch.float16) for t in batch]  # expect: TL301
            scores.append(model({"input_ids": ids, "pixels": pixels}).amax(-1))
    return scores


def evaluate_fixed(model, loader, device="cpu", dtype=torch.float16):
    model = model.to(device, dtype).eval()  # ok: TL301
    hits = total = 0
    with torch.no_grad():
        for batch in loader:
            batch = {name: value.to(device) for name, value in batch.items()}  # ok: TL301
            batch = {k: v.to(dtype) if v.is_floating_point() else v for k, v in batch.items()}  # ok: TL301
            pred = model(batch).argmax(-1)
            hits += (pred == batch["labels"]).sum()
            total += pred.numel()
    return hits / total


def score_pairs_fixed(model, loader):
    scores = []
    with torch.no_grad():
        for batch in loader:
            moved = []
            for t in batch:
                if torch.is_floating_point(t):
                    t = t.to(torch.float16)  # ok: TL301
                moved.append(t)
            ids, pixels = moved
            scores.append(model({"input_ids": ids, "pixels": pixels}).amax(-1))
    return scores


def loss_fp16(model, pixels, input_ids, labels):
    out = model({"pixels": pixels.half(), "input_ids": input_ids})  # ok: TL301
    return F.cross_entropy(out.float().flatten(0, 1), labels.flatten())


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    ids = torch.randint(0, 4000, (2, 3))
    batch = {"input_ids": ids, "pixels": torch.randn(2, 12), "labels": ids}
    pairs = [(ids, batch["pixels"])]
    for broken in (lambda: evaluate_fp16(Captioner(), [batch]), lambda: score_pairs(Captioner().half(), pairs)):
        try:
            broken()
            raise AssertionError("floating token ids were accepted")
        except RuntimeError as err:
            assert "indices" in str(err), err
    assert torch.tensor([2049, 3001]).half().tolist() == [2048.0, 3000.0]  # the ids themselves are lost
    assert score_pairs_fixed(Captioner().half(), pairs)[0].dtype is torch.float16
    assert 0 <= evaluate_fixed(Captioner(), [batch]) <= 1
    assert torch.isfinite(loss_fp16(Captioner().half(), batch["pixels"], ids, ids))
