"""Backbone and head have an optimizer each; after the scaled backward the head's optimizer is stepped without the scaler.

source: fine-tuning scripts that were given AMP later
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


class Finetune:
    def __init__(self, dim=4, classes=3, use_amp=True):
        self.backbone = nn.Linear(dim, 8).to(DEVICE_TYPE)
        self.head = nn.Linear(8, classes).to(DEVICE_TYPE)
        self.opt_backbone = torch.optim.SGD(self.backbone.parameters(), lr=0.01)
        self.opt_head = torch.optim.SGD(self.head.parameters(), lr=0.1)
        self.use_amp = use_amp
        self.scaler = torch.amp.GradScaler(DEVICE_TYPE, enabled=use_amp)

    def loss(self, x, y):
        with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16, enabled=self.use_amp):
            return F.cross_entropy(self.head(torch.relu(self.backbone(x))), y)

    def clear(self):
        self.opt_backbone.zero_grad()
        self.opt_head.zero_grad()

    def step(self, x, y):
        self.clear()
        self.scaler.scale(self.loss(x, y)).backward()
        self.scaler.step(self.opt_backbone)
        self.opt_head.step()  # expect: TL406
        self.scaler.update()


class FinetuneFixed(Finetune):
    def step(self, x, y):
        self.clear()
        self.scaler.scale(self.loss(x, y)).backward()
        self.scaler.step(self.opt_backbone)
        self.scaler.step(self.opt_head)  # ok: TL406
        self.scaler.update()  # ok: TL406


class FinetuneBranches(Finetune):
    def step(self, x, y):
        self.clear()
        loss = self.loss(x, y)
        if self.use_amp:
            self.scaler.scale(loss).backward()
            for opt in (self.opt_backbone, self.opt_head):
                self.scaler.step(opt)
            self.scaler.update()
        else:
            loss.backward()
            self.opt_backbone.step()  # ok: TL406
            self.opt_head.step()  # ok: TL406


def probe_epoch(backbone, probe, batches, lr=0.1):
    """A float32 linear probe on frozen features: no scaler anywhere."""
    opt = torch.optim.SGD(probe.parameters(), lr=lr)
    for x, y in batches:
        with torch.no_grad(), torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
            feats = backbone(x)
        opt.zero_grad()
        F.cross_entropy(probe(feats.float()), y).backward()
        nn.utils.clip_grad_norm_(probe.parameters(), 1.0)  # ok: TL406
        opt.step()  # ok: TL406
    return probe


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x = torch.randn(6, 4, device=DEVICE_TYPE)
    y = torch.tensor([0, 1, 2] * 2, device=DEVICE_TYPE)

    def head_change(cls, **kw):
        torch.manual_seed(0)
        run = cls(**kw)
        start = run.head.weight.detach().clone()
        run.step(x, y)
        return (run.head.weight - start).norm().item()

    right = head_change(FinetuneFixed)
    assert head_change(Finetune) > 10000 * right, "the update is 65536 times too large"
    assert abs(head_change(FinetuneBranches) - right) < 1e-4
    assert abs(head_change(FinetuneBranches, use_amp=False) - right) < 0.01
    run = FinetuneFixed()
    probe_epoch(run.backbone, nn.Linear(8, 3).to(DEVICE_TYPE), [(x, y)])
