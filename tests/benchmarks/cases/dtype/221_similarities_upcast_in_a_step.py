"""A contrastive training step upcasts features "for a stable InfoNCE" and multiplies them, inside the region of the step.

source: huggingface/diffusers#13920 (the cast before a contraction is ignored); contrastive trainers with a queue
rules: [TL401]
"""
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Contrast(nn.Module):
    precision = torch.bfloat16

    def __init__(self, dim=8):
        super().__init__()
        self.net = nn.Linear(dim, dim)
        self.register_buffer("queue", F.normalize(torch.randn(16, dim), dim=1))
        self.amp = partial(torch.autocast, DEVICE_TYPE, dtype=self.precision)

    def similarities(self, x):
        with self.amp():
            q = self.net(x)
            wide = {"q": q.float(), "bank": self.queue.float()}  # expect: TL401
            return torch.einsum("bd,nd->bn", wide["q"], wide["bank"])

    def narrow(self, x):
        with self.amp():
            q = self.net(x)
            return torch.mm(q.half(), self.queue.half().t())  # expect: TL401


class ContrastOutside(Contrast):
    def similarities(self, x):
        with self.amp():
            q = self.net(x)
        return q.float() @ self.queue.float().t()  # ok: TL401

    def narrow(self, x):
        with self.amp():
            q = self.net(x)
            return torch.mm(q, self.queue.to(q.dtype).t())  # ok: TL401


class ContrastElementwise(Contrast):
    """What is upcast is normalised, reduced and exponentiated, and these honour it."""

    def similarities(self, x):
        with self.amp():
            q = F.normalize(self.net(x).float(), dim=1)  # ok: TL401
            far = (q[:, None] - self.queue[None]).float().square().sum(-1)  # ok: TL401
            return torch.logsumexp(-far, dim=1, keepdim=True) - far


def demonstrate():
    torch.manual_seed(0)
    x = 500 * torch.randn(4, 8, device=DEVICE_TYPE)
    kinds = [cls().to(DEVICE_TYPE) for cls in (Contrast, ContrastOutside, ContrastElementwise)]
    assert [k.similarities(x).dtype for k in kinds] == [torch.bfloat16, torch.float32, torch.float32]
    state = kinds[0].state_dict()
    kinds[1].load_state_dict(state)
    exact = kinds[1].similarities(x)
    assert (kinds[0].similarities(x) - exact).abs().max() > 0.1, "rounded although it was upcast"
    with torch.no_grad():
        kinds[0].net.weight.mul_(1000)
        kinds[1].net.weight.mul_(1000)
        assert kinds[0].net(x).half().isinf().any()
        assert kinds[1].narrow(x).isfinite().all()
