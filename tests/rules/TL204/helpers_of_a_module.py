"""What a method gets is a tensor by what the others pass; a network that a module was given moves with it."""
import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.mean = nn.Linear(dim, dim)
        self.spread = nn.Linear(dim, dim)

    def reparameterize(self, mean, spread):
        noise = torch.randn(*mean.shape)  # expect: TL204
        return mean + noise * spread

    def reparameterize_there(self, mean, spread):
        noise = torch.randn(*mean.shape, device=mean.device)  # ok: TL204
        return mean + noise * spread

    def grid(self, sizes):
        return torch.ones(sizes[0]) * sizes[1]  # ok: TL204  numbers

    def forward(self, x):
        mean, spread = self.mean(x), self.spread(x)
        return self.reparameterize(mean, spread), self.reparameterize_there(mean, spread), self.grid((2, 3))


class Denoiser(nn.Module):
    def __init__(self, net, rnn):
        super().__init__()
        self.net = net
        self.rnn = rnn

    @torch.no_grad()
    def sample(self, count, dim):
        x = torch.randn(count, dim)  # expect: TL204
        for _ in range(2):
            x = x - self.net(x)
        return x

    @torch.no_grad()
    def sample_there(self, count, dim):
        x = torch.randn(count, dim, device=next(self.parameters()).device)  # ok: TL204
        return x - self.net(x)

    def padded(self, x, sizes):
        lengths = torch.tensor([4, 2])  # ok: TL204  may be meant for the CPU
        shares = torch.tensor([1.0])  # ok: TL204  so may these
        return self.rnn(x, lengths) + self.rnn(x, lengths=shares)


def overlap_loss(pred, target, classes):
    table = torch.eye(classes)  # expect: TL204
    return 1 - (pred * table[target]).sum()


def overlap_loss_there(pred, target, classes):
    table = torch.eye(classes, device=pred.device)  # ok: TL204
    return 1 - (pred * table[target]).sum()


def scaled_loss(pred, factor=2.0):
    return torch.ones(3).sum() * factor, pred  # ok: TL204


def contrast(z1, z2):
    z = torch.cat([z1, z2])
    scores = z @ z.t()
    own = torch.eye(z.size(0)).bool()  # expect: TL204
    return F.cross_entropy(scores.masked_fill(own, -9.0), torch.arange(z.size(0), device=z.device))


def demonstrate():
    there = torch.device("cuda" if torch.cuda.is_available() else "meta")
    with there:
        x, ids = torch.ones(2, 4), torch.zeros(2, dtype=torch.long)
        encoder, denoiser = Encoder(4), Denoiser(nn.Linear(4, 4), lambda rows, lengths: rows)
    mean = encoder.mean(x)
    for step in (
        lambda: encoder.reparameterize(mean, mean),
        lambda: denoiser.sample(2, 4),
        lambda: overlap_loss(x, ids, 4),
        lambda: contrast(x, x),
    ):
        try:
            step()
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "device" in str(error)
    assert encoder.reparameterize_there(mean, mean).device == denoiser.sample_there(2, 4).device == there
    assert overlap_loss_there(x, ids, 4).device == denoiser.padded(x, 2).device == there
    assert encoder.grid((2, 3)).shape == (2,) and scaled_loss(1.0)[1] == 1.0
