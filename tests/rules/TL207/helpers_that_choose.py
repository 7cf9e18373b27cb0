"""A method or a function puts what it makes on a device of its own choice; the one that calls it computes with it."""

import torch
from torch import nn

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def best_device():
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("cpu")


CHOSEN = best_device()


def drawn(sizes):
    noise = torch.randn(*sizes)
    if torch.cuda.is_available():
        noise = noise.cuda()  # expect: TL207
    return noise


class Noisy(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.dim = dim
        self.mean, self.rnn = nn.Linear(dim, dim), nn.GRU(dim, dim, batch_first=True)

    def noise(self, mean):
        return drawn(mean.shape)

    def noise_there(self, mean):
        return torch.randn_like(mean)  # ok: TL207

    def first(self, x):
        return torch.zeros(1, x.shape[0], self.dim, device=DEVICE)  # expect: TL207

    def first_there(self, x):
        return torch.zeros(1, x.shape[0], self.dim, device=x.device)  # ok: TL207

    def forward(self, x):
        mean = self.mean(x)
        return self.rnn(mean + self.noise(mean), self.first(x))[0] + self.noise_there(mean)

    def by_function(self, x):
        return self.mean(x) * torch.ones(4, device=CHOSEN)  # expect: TL207

    def where_asked(self, x):
        scale = torch.ones(4)
        if x.is_cuda:
            scale = scale.cuda()  # ok: TL207
        return self.mean(x) * scale + self.first_there(x)

    def skipped(self, x):
        out = self.mean(x)
        if self.training and torch.rand(()) < 2:
            extra = torch.zeros(x.shape[0], 4).cuda()  # expect: TL207
        else:
            extra = out
        return torch.cat([x, extra], 1)

    def skipped_there(self, x):
        extra = torch.zeros(x.shape[0], 4).to(x.device) if self.training else x  # ok: TL207
        return torch.cat([x, extra], 1)


class Decoder(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.decoder = nn.Linear(dim, dim)

    def decode(self, z):
        return self.decoder(z)

    def sample(self, count, current_device):
        z = torch.randn(count, 4)
        z = z.cuda(current_device)  # expect: TL207
        return self.decode(z)

    def sample_there(self, count, current_device):
        z = torch.randn(count, 4).to(current_device)  # ok: TL207
        return self.decode(z)

    def beside(self, x):
        return self.decoder(x) + torch.ones(4).cuda(x.device)  # expect: TL207

    def beside_where_asked(self, x):
        scale = torch.ones(4)
        if x.device.type == "cuda":
            scale = scale.cuda(x.device)  # ok: TL207
        return self.decoder(x) + scale


def neighbours(x, count=2):
    batch, length = x.size(0), x.size(2)
    rows = nearest(x, count)
    device = torch.device("cuda")
    base = torch.arange(0, batch, device=device).view(-1, 1, 1) * length  # expect: TL207
    return rows + base


def nearest(x, count):
    return torch.matmul(x.transpose(2, 1), x).topk(k=count, dim=-1)[1]


class Graph(nn.Module):
    def forward(self, x):
        return neighbours(x)


def demonstrate():
    """The meta device is neither the CPU nor CUDA."""
    x, module, sampler = torch.zeros(2, 4, device="meta"), Noisy().to("meta"), Decoder().to("meta")
    refused = [lambda: module.mean(x) + module.noise(x), lambda: module.by_function(x)]
    for call in refused:
        try:
            call()
            raise AssertionError("two devices were added")
        except RuntimeError as error:
            assert "device" in str(error)
    sampler.sample_there(2, "meta"), module.skipped_there(x)
