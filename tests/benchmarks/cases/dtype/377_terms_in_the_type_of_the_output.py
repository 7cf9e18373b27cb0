"""A detector's criterion brings its terms to the type of the class scores before it adds them; that type is half, and the sum is scaled.

source: NVIDIA/apex#798 kind, facebookresearch/pytext#581 (loss in half before the scaler)
rules: [TL405]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Criterion:
    weights = {"box": 5.0, "cls": 1.0}

    def terms(self, out, want):
        yield "box", F.smooth_l1_loss(out["box"].float(), want["box"])
        yield "cls", F.cross_entropy(out["cls"].float(), want["cls"])

    def same(self, value, out):
        return value

    def __call__(self, out, want):
        return sum(self.weights[k] * self.same(v, out) for k, v in self.terms(out, want))


class TidyCriterion(Criterion):
    def same(self, value, out):
        return value.to(out["cls"].dtype)  # expect: TL405


class LoggedCriterion(Criterion):
    """Only what is logged is narrowed."""

    def __call__(self, out, want):
        total = super().__call__(out, want)
        self.last = total.detach().half().item()  # ok: TL405
        return total


class TargetCriterion(Criterion):
    """The targets follow the type of the output, the loss stays wide."""

    def terms(self, out, want):
        box = want["box"].to(out["box"].dtype)  # ok: TL405
        yield "box", F.smooth_l1_loss(out["box"].float(), box.float())
        yield "cls", F.cross_entropy(out["cls"].float(), want["cls"])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({"box": nn.Linear(4, 4), "cls": nn.Linear(4, 3)})

    def forward(self, x):
        return {k: head(x) for k, head in self.heads.items()}


def train(net, criterion, batches):
    opt, scaler = torch.optim.SGD(net.parameters(), lr=0.1), torch.amp.GradScaler(KIND)
    for x, want in batches:
        opt.zero_grad()
        with torch.autocast(KIND, dtype=torch.float16):
            out = net(x)
        scaler.scale(criterion(out, want)).backward()
        scaler.step(opt)
        scaler.update()
    return net


def demonstrate():
    def moved(criterion):
        torch.manual_seed(0)
        net = Net().to(KIND)
        before = net.heads["cls"].weight.detach().clone()
        want = {"box": torch.randn(5, 4, device=KIND), "cls": torch.randint(0, 3, (5,), device=KIND)}
        train(net, criterion, [(torch.randn(5, 4, device=KIND), want)])
        return not torch.equal(before, net.heads["cls"].weight)

    assert not moved(TidyCriterion())  # 65536 does not fit into half: inf, the step is skipped
    assert all(moved(c()) for c in (Criterion, LoggedCriterion, TargetCriterion))
