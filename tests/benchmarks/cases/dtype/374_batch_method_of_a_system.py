"""A system's batch method is decorated as a whole; its regression head is an island, and backward runs before the method returns.

source: pytorch amp notes (backward under autocast is not recommended); system classes with one decorated method per batch
rules: [TL402]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"
region = torch.autocast(device_type=KIND, dtype=torch.bfloat16)


class System(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, dim), nn.Tanh())
        self.head = nn.Linear(dim, 1)

    def fine(self, h):
        with torch.autocast(KIND, enabled=False):
            return self.head(h.float())

    def objective(self, x, y):
        return F.mse_loss(self.fine(self.body(x)), y)

    def on_batch(self, batch):
        raise NotImplementedError


class Whole(System):
    @region
    def on_batch(self, batch):
        loss = self.objective(*batch)
        loss.backward()  # expect: TL402
        return loss.detach()


class Narrow(System):
    """Only the objective is decorated."""

    @region
    def scored(self, batch):
        return self.objective(*batch)

    def on_batch(self, batch):
        loss = self.scored(batch)
        loss.backward()  # ok: TL402
        return loss.detach()


class Closed(System):
    def on_batch(self, batch):
        with region:
            loss = self.objective(*batch)
            logged = loss.item()
        loss.backward()  # ok: TL402
        return loss.new_tensor(logged)


def epoch(system, batches, lr=0.1):
    opt = torch.optim.SGD(system.parameters(), lr=lr)
    for batch in batches:
        opt.zero_grad()
        system.on_batch(batch)
        opt.step()
    return system


def demonstrate():
    torch.manual_seed(0)
    batch = torch.randn(64, 4, device=KIND), torch.randn(64, 1, device=KIND)
    base, grads = System().state_dict(), {}
    for cls in (Whole, Narrow, Closed):
        system = cls()
        system.load_state_dict(base)
        epoch(system.to(KIND), [batch], lr=0.0)
        grads[cls] = system.head.weight.grad
    assert torch.equal(grads[Narrow], grads[Closed])
    rounded = grads[Whole].bfloat16().float()
    assert torch.equal(rounded, grads[Whole])  # the island's gradient has bf16's digits only
    assert not torch.equal(grads[Narrow].bfloat16().float(), grads[Narrow])
