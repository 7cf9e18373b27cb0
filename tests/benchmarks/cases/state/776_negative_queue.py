"""Contrastive pre-training: the queue of negatives is overwritten after the logits have read it; the last batch's centre is kept with its graph.

source: written from scratch; the clone() that prevents the first fault is in the well-known implementations
rules: [TL102, TL121]
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Contrast(nn.Module):
    def __init__(self, n_in: int = 6, dim: int = 4, slots: int = 8, temperature: float = 0.2):
        super().__init__()
        self.temperature = temperature
        self.query = nn.Linear(n_in, dim)
        self.key = nn.Linear(n_in, dim).requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(dim, slots), dim=0))
        self.register_buffer("cursor", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def advance(self, keys: torch.Tensor) -> torch.Tensor:
        slots = (self.cursor + torch.arange(keys.shape[0], device=keys.device)) % self.queue.shape[1]
        self.cursor.add_(keys.shape[0]).remainder_(self.queue.shape[1])  # ok: TL121
        return slots

    def negatives(self) -> torch.Tensor:
        return self.queue

    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        q = F.normalize(self.query(a), dim=1)
        with torch.no_grad():
            k = F.normalize(self.key(b), dim=1)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.negatives()], dim=1) / self.temperature
        self.enqueue(k)
        return F.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long, device=logits.device))


class OverwritingContrast(Contrast):
    @torch.no_grad()
    def enqueue(self, keys):
        self.queue[:, self.advance(keys)] = keys.t()  # expect: TL121


class SnapshotContrast(Contrast):
    """The logits work on a copy, so the write is free."""

    def negatives(self):
        return self.queue.clone()

    @torch.no_grad()
    def enqueue(self, keys):
        self.queue[:, self.advance(keys)] = keys.t()  # ok: TL121


class RebindingContrast(Contrast):
    @torch.no_grad()
    def enqueue(self, keys):
        slots = self.advance(keys)
        self.queue = self.queue.index_copy(1, slots, keys.t())  # ok: TL121, TL102


class CentreDrift(nn.Module):
    """Encoder with a penalty on how far the batch centre moved since the previous training step."""

    def __init__(self, n_in: int = 6, dim: int = 4):
        super().__init__()
        self.encode = nn.Linear(n_in, dim)
        self.last_centre = None
        self.last_penalty = 0.0

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        z = self.encode(x)
        penalty = z.new_zeros(())
        if self.training:
            centre = z.mean(0)
            if self.last_centre is not None:
                penalty = (centre - self.last_centre).pow(2).sum()
            self.last_centre = centre  # expect: TL102
            self.last_penalty = penalty.item()  # ok: TL102
        return z, penalty


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    for cls, works in ((OverwritingContrast, False), (SnapshotContrast, True), (RebindingContrast, True)):
        net = cls()
        before = net.queue.clone()
        try:
            for _ in range(2):
                net(torch.randn(3, 6), torch.randn(3, 6)).backward()
            ok = True
        except RuntimeError as exc:
            assert "inplace operation" in str(exc), exc
            ok = False
        assert ok is works, cls
        if works:
            assert int(net.cursor) == 6 and not torch.equal(net.queue, before)
    net = CentreDrift()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    try:
        for _ in range(3):
            z, penalty = net(torch.randn(5, 6))
            opt.zero_grad()
            (z.pow(2).mean() + penalty).backward()
            opt.step()
        raise AssertionError("expected a second backward through the previous batch")
    except RuntimeError as exc:
        assert "second time" in str(exc) or "inplace" in str(exc), exc
    fresh = CentreDrift()
    fresh.load_state_dict(net.state_dict())
    x = torch.randn(2, 6)
    assert torch.equal(net.eval()(x)[0], fresh.eval()(x)[0]), "nothing that evaluation needs is missing from the checkpoint"
