"""Gradual unfreezing: the frozen body is kept in half to save memory, and after the warm-up the same half weights are trained.

source: gradual-unfreezing recipes with GradScaler; huggingface/diffusers#1246, mk-minchul/AdaFace#127 kind
rules: [TL404]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Tuner:
    warm = 1

    def __init__(self):
        self.parts = {"body": nn.Linear(4, 8).to(KIND), "head": nn.Linear(8, 1).to(KIND)}
        self.shrink(self.parts["body"])
        self.opt = torch.optim.SGD(self.parts["head"].parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(KIND, init_scale=4.0)

    def shrink(self, part):
        for p in part.parameters():
            p.requires_grad = False
        part.half()  # expect: TL404

    def thaw(self):
        body = self.parts["body"].requires_grad_(True)
        self.opt.add_param_group({"params": list(body.parameters()), "lr": 0.01})

    def step(self, x, y):
        with torch.autocast(KIND, dtype=torch.float16):
            loss = F.mse_loss(self.parts["head"](self.parts["body"](x).relu()).float(), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad(set_to_none=True)
        return loss.item()

    def fit(self, batches):
        for number, batch in enumerate(batches):
            if number == self.warm:
                self.thaw()
            self.step(*batch)


class ProbeTuner(Tuner):
    """Never thaws: the half body stays a feature extractor."""

    def __init__(self):
        super().__init__()
        self.reader = nn.Linear(4, 8).to(KIND).requires_grad_(False)
        self.reader.half()  # ok: TL404

    def fit(self, batches):
        with torch.no_grad(), torch.autocast(KIND, dtype=torch.float16):
            return [self.reader(x).float().mean() for x, _ in batches]


class WideTuner(Tuner):
    """Frozen or not, the weights stay float32; autocast does the rest."""

    def shrink(self, part):
        part.requires_grad_(False)


def demonstrate():
    torch.manual_seed(0)
    batches = [(torch.randn(6, 4, device=KIND), torch.randn(6, 1, device=KIND)) for _ in range(3)]
    try:
        Tuner().fit(batches)
        raise AssertionError("half gradients were unscaled")
    except ValueError as err:
        assert "unscale FP16 gradients" in str(err)
    assert len(ProbeTuner().fit(batches)) == 3
    WideTuner().fit(batches)
