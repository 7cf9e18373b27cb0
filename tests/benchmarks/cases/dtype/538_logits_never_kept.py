"""A classifier computes its loss without keeping the logits: forward and backward both multiply, and backward has left the region.

source: apple/ml-cross-entropy#46 (support for autocast), laekov/fastmoe and shawntan/scattermoe#17 kind (mixed types in backward)
rules: [TL407]
"""
import torch
from torch import nn
from torch.amp import custom_bwd, custom_fwd

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def slope(logits, labels):
    p = logits.float().softmax(-1)
    p[torch.arange(len(labels), device=labels.device), labels] -= 1
    return p / len(labels)


class FrugalLoss(torch.autograd.Function):  # expect: TL407
    @staticmethod
    def forward(ctx, h, w, labels):
        logits = torch.mm(h, w.t())
        ctx.save_for_backward(h, w, labels)
        return nn.functional.cross_entropy(logits.float(), labels)

    @staticmethod
    def backward(ctx, grad):
        h, w, labels = ctx.saved_tensors
        d = slope(torch.mm(h.to(w.dtype), w.t()), labels) * grad
        return d.to(h.dtype) @ w, d.t() @ h, None


class FrugalLossDecorated(torch.autograd.Function):  # ok: TL407
    @staticmethod
    @custom_fwd(device_type=KIND)
    def forward(ctx, h, w, labels):
        logits = torch.mm(h, w.t())
        ctx.save_for_backward(h, w, labels)
        return nn.functional.cross_entropy(logits.float(), labels)

    @staticmethod
    @custom_bwd(device_type=KIND)
    def backward(ctx, grad):
        h, w, labels = ctx.saved_tensors
        d = slope(torch.mm(h, w.t()), labels) * grad
        return d @ w, d.t() @ h, None


class Turned(torch.autograd.Function):  # ok: TL407
    """Gradient reversal: elementwise, autocast has no business here."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.weight = weight
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.weight * grad, None


class Model(nn.Module):
    def __init__(self, loss, dim: int = 4, classes: int = 5):
        super().__init__()
        self.body = nn.Linear(dim, dim)
        self.words = nn.Parameter(torch.randn(classes, dim))
        self.loss = loss

    def forward(self, x, labels):
        h = Turned.apply(self.body(x), -1.0)
        return self.loss.apply(h, self.words, labels)


def train_step(model, opt, x, labels):
    opt.zero_grad()
    with torch.autocast(KIND, dtype=torch.bfloat16):
        loss = model(x, labels)
    loss.backward()
    opt.step()
    return loss.detach()


def build(frugal=True):
    return Model(FrugalLoss if frugal else FrugalLossDecorated).to(KIND)


def demonstrate():
    x, labels = torch.randn(6, 4, device=KIND), torch.randint(0, 5, (6,), device=KIND)
    model = build()
    try:
        train_step(model, torch.optim.SGD(model.parameters(), lr=0.1), x, labels)
        raise AssertionError("bf16 features met float32 slopes in backward")
    except RuntimeError as err:
        assert "dtype" in str(err), err
    model = build(frugal=False)
    assert train_step(model, torch.optim.SGD(model.parameters(), lr=0.1), x, labels).isfinite()
    plain = build()
    plain(x, labels).backward()  # without autocast the first one is right
    assert plain.words.grad.isfinite().all()
