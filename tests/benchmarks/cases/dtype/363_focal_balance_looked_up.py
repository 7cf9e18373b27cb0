"""A focal loss keeps its class balance as a plain list and turns it into a tensor per call; cuda labels then index a CPU table.

source: focal-loss re-implementations ("indices should be either on cpu or on the same device as the indexed tensor (cpu)")
rules: [TL204]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Weighted(nn.Module):
    """Base of all losses of the project: weigh() says what a sample counts."""

    def __init__(self, balance, reduction="mean"):
        super().__init__()
        self.balance, self.reduction = list(balance), reduction

    def weigh(self, logp, target):
        return 1.0

    def reduce(self, values):
        return {"mean": torch.mean, "sum": torch.sum}[self.reduction](values)

    def forward(self, logits, target):
        logp = F.log_softmax(logits, -1).gather(-1, target[:, None])[:, 0]
        return self.reduce(-self.weigh(logp, target) * logp)


class Focal(Weighted):
    gamma = 2.0

    def table(self, like):
        return torch.as_tensor(self.balance)  # expect: TL204

    def weigh(self, logp, target):
        return self.table(target)[target] * (1 - logp.exp()) ** self.gamma


class FocalFollows(Focal):
    def table(self, like):
        return torch.as_tensor(self.balance, device=like.device)  # ok: TL204


class FocalBuffered(Focal):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.register_buffer("kept", torch.as_tensor(self.balance), persistent=False)  # ok: TL204

    def table(self, like):
        return self.kept


class FocalRatio(Focal):
    """Only a number leaves the tensor."""

    def weigh(self, logp, target):
        spread = torch.as_tensor(self.balance).std().item()  # ok: TL204
        return spread * (1 - logp.exp()) ** self.gamma


def demonstrate():
    balance = (0.25, 0.5, 1.0)
    for cls in (Focal, FocalFollows, FocalBuffered, FocalRatio):
        assert cls(balance)(torch.randn(4, 3), torch.tensor([0, 1, 2, 2])) > 0
    with torch.device("meta"):
        logits, target = torch.randn(4, 3), torch.zeros(4, dtype=torch.long)
    try:
        Focal(balance).to("meta")(logits, target)
        raise AssertionError("a CPU table was combined with values of another device")
    except RuntimeError as err:
        assert "is not on the expected device" in str(err), err
    for cls in (FocalFollows, FocalBuffered, FocalRatio):
        assert cls(balance).to("meta")(logits, target).device.type == "meta"
