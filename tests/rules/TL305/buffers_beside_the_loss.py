"""A buffer has no gradient to lose: detach() of it cuts nothing."""
import torch
from torch import nn
from torch.nn import functional as F


class Contrast(nn.Module):
    def __init__(self, encoder: nn.Module, dim: int = 4, size: int = 6):
        super().__init__()
        self.encoder = encoder
        self.register_buffer("queue", F.normalize(torch.randn(dim, size), dim=0))

    def compare(self, query, key, others):
        near = torch.einsum("nc,nc->n", [query, key]).unsqueeze(-1)
        far = torch.einsum("nc,ck->nk", [query, others])
        scores = torch.cat([near, far], dim=1)
        return F.cross_entropy(scores, torch.zeros(len(query), dtype=torch.long, device=query.device))

    @torch.no_grad()
    def keep(self, keys):
        self.queue[:, : len(keys)] = keys.T

    def forward(self, x, other):
        query = F.normalize(self.encoder(x), dim=-1)
        with torch.no_grad():
            key = F.normalize(self.encoder(other), dim=-1)
        loss = 0
        loss += self.compare(query, key, self.queue.clone().detach())  # ok: TL305
        self.keep(key)
        return loss


def fit(encoder, pairs):
    model = Contrast(encoder)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, other in pairs:
        optimizer.zero_grad()
        model(x, other).backward()
        optimizer.step()
    return model


def fit_flat(encoder, pairs, optimizer):
    for x, y in pairs:
        out = encoder(x)
        size = out.pow(2).mean()
        size = size.detach()  # expect: TL305
        (F.mse_loss(out, y) + size).backward()
        optimizer.step()


def demonstrate():
    encoder = nn.Linear(4, 4)
    model = fit(encoder, [(torch.randn(2, 4), torch.randn(2, 4))])
    assert not model.queue.requires_grad
    assert encoder.weight.grad.abs().sum() > 0
    fit_flat(encoder, [(torch.randn(2, 4), torch.randn(2, 4))], torch.optim.SGD(encoder.parameters(), lr=0.1))
