"""A prototype head scores against a buffer and pulls the buffer towards the batch before the loss is backpropagated.

source: reports of "modified by an inplace operation" in centre/prototype losses (e.g. BasicSR#541 buffers), facebookresearch/moco#21
rules: [TL121]
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


class PrototypeHead(nn.Module):
    def __init__(self, dim: int = 3, classes: int = 2, pull: float = 0.1):
        super().__init__()
        self.embed = nn.Linear(4, dim)
        self.pull_rate = pull
        self.register_buffer("protos", F.normalize(torch.randn(classes, dim), dim=-1))
        self.register_buffer("seen", torch.zeros(classes))

    def pull(self, z: torch.Tensor, y: torch.Tensor) -> None:
        raise NotImplementedError

    def forward(self, x, y=None):
        z = self.embed(x)
        logits = F.linear(F.normalize(z, dim=-1), self.protos)
        if self.training and y is not None:
            self.pull(z.detach(), y)
        return logits if y is None else F.cross_entropy(logits, y)

    def target(self, z, y):
        hot = F.one_hot(y, len(self.protos)).to(z)
        return (hot.T @ z) / hot.sum(0).clamp_min(1)[:, None]


class PullingHead(PrototypeHead):
    @torch.no_grad()
    def pull(self, z, y):
        self.seen += torch.bincount(y, minlength=len(self.protos))  # ok: TL121  (no op of this forward has saved it)
        self.protos.lerp_(self.target(z, y), self.pull_rate)  # expect: TL121


class RebindingHead(PrototypeHead):
    @torch.no_grad()
    def pull(self, z, y):
        self.protos = torch.lerp(self.protos, self.target(z, y), self.pull_rate)  # ok: TL121, TL102


class PullFirstHead(PrototypeHead):
    """The buffer moves before it is read."""

    @torch.no_grad()
    def pull(self, z, y):
        self.protos.lerp_(self.target(z, y), self.pull_rate)  # ok: TL121

    def forward(self, x, y=None):
        z = self.embed(x)
        if self.training and y is not None:
            self.pull(z.detach(), y)
        logits = F.linear(F.normalize(z, dim=-1), self.protos)
        return logits if y is None else F.cross_entropy(logits, y)


class PullOnCloneHead(PullFirstHead):
    """Scores against a copy, so the original may move at once."""

    def forward(self, x, y=None):
        z = self.embed(x)
        logits = F.linear(F.normalize(z, dim=-1), self.protos.clone())
        if self.training and y is not None:
            self.pull(z.detach(), y)
        return logits if y is None else F.cross_entropy(logits, y)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    x, y = torch.randn(6, 4), torch.tensor([0, 1, 0, 1, 0, 1])
    for cls, works in ((PullingHead, False), (RebindingHead, True), (PullFirstHead, True), (PullOnCloneHead, True)):
        head = cls()
        before = head.protos.clone()
        loss = head(x, y)
        assert not torch.equal(head.protos, before)
        try:
            loss.backward()
            ok = True
        except RuntimeError as exc:
            assert "inplace" in str(exc), exc
            ok = False
        assert ok is works, cls
