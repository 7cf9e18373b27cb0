"""A forward pass makes a tensor on the CPU, in each way there is, and combines it with the input or a parameter."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import full, nn
from torch.autograd import Variable


class Padding(nn.Module):
    def forward(self, x):
        row = torch.zeros(x.size(0), 1)  # expect: TL204
        return torch.cat((row, x), dim=1)


class Places(nn.Module):
    def __init__(self):
        super().__init__()
        self.places = nn.Embedding(8, 4)

    def forward(self, ids):
        place = torch.arange(ids.shape[1]).unsqueeze(0)  # expect: TL204
        return self.places(place) + ids[..., None]


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTM(4, 4, batch_first=True)

    def forward(self, x):
        h, c = torch.zeros(1, x.size(0), 4), torch.zeros(1, x.size(0), 4)  # expect: TL204
        return self.cell(x, (h, c))[0]


class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))  # ok: TL204  registered: it moves with the module

    def forward(self, x):
        noise = Variable(torch.empty(x.size(0), 4).normal_())  # expect: TL204
        return x + self.scale * noise


class Weighted(nn.Module):
    def forward(self, x, y):
        return F.cross_entropy(x, y, weight=torch.tensor([0.25, 0.25, 0.25, 0.25]))  # expect: TL204


class Causal(nn.Module):
    def forward(self, q: torch.Tensor, k: torch.Tensor):
        scores = q @ k.transpose(-2, -1)
        hidden = torch.ones(scores.shape[-2:]).triu(1).bool()  # expect: TL204
        return scores.masked_fill(hidden, -1e4).softmax(-1)


class Lengths(nn.Module):
    def forward(self, x, lengths):
        steps = torch.arange(x.size(1))  # expect: TL204
        return x * (steps[None, :] < lengths[:, None])


class FromNumpy(nn.Module):
    def forward(self, x):
        window = torch.from_numpy(np.ones(x.shape[-1], dtype="float32"))  # expect: TL204
        return x.mul(window)


class OneElement(nn.Module):
    def forward(self, x):
        half = full((1,), 0.5)  # expect: TL204
        return x * half


class Reads(nn.Module):
    def forward(self, x):
        rows = torch.arange(x.size(0))  # ok: TL204  torch moves an index
        first = x[rows, 0]
        out = torch.zeros_like(x)  # ok: TL204  made like the input
        out[0] = torch.ones(x.size(1))  # ok: TL204  assigned to a part
        out.copy_(torch.ones(x.size(1)))  # ok: TL204  copied
        bias = torch.zeros(x.size(1)).to(x)  # ok: TL204
        gain = torch.ones(x.size(1)).type_as(x)  # ok: TL204
        more = x.new_ones(x.size(1))  # ok: TL204
        last = torch.eye(x.size(1), device=x.device)  # ok: TL204
        return (out + bias) * gain @ last + more + first[:, None]


def demonstrate():
    there = torch.device("cuda" if torch.cuda.is_available() else "meta")
    with there:
        x, ids = torch.ones(2, 4), torch.zeros(2, 4, dtype=torch.long)
        long = torch.ones(2, dtype=torch.long)
        models = Padding(), Noisy(), Causal(), Lengths(), OneElement(), Weighted(), Places(), Recurrent(), Reads()
    for model, inputs in zip(
        models, ((x,), (x,), (x, x), (x, long), (x,), (x, long), (ids,), (x[:, None],), (x,)), strict=True
    ):
        try:
            model(*inputs)
        except (RuntimeError, AssertionError) as error:
            assert not isinstance(model, Reads) and "device" in str(error), (model, error)
        else:
            assert isinstance(model, Reads | Recurrent | Places), model  # where there is no GPU, these do not look
