"""Sizes, rates and bounds that functions of torch take are numbers, wherever they come from: nothing meets there."""

import argparse

import torch
from torch import nn
from torch.nn import functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def attacked(model, x, epsilon):
    noise = torch.empty(x.shape).uniform_(-epsilon, epsilon).to(device)  # ok: TL204  bounds are numbers
    out = model(x + noise)
    return out, torch.clamp(noise, -epsilon, epsilon)


def cut_out(output, resize, rate):
    masks = (output.detach() > 0).float()
    masks = F.interpolate(F.dropout(masks, rate), size=resize)
    kept = torch.ones(masks.shape)  # ok: TL204  resize is a size
    kept = F.interpolate(kept, size=resize, mode="nearest")
    return kept.to(output.device)


class Cut(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        kept = F.dropout(torch.ones(x.shape), self.rate).to(x.device)  # ok: TL204
        return x * kept * cut_out(x, x.shape[2:], self.rate)


class Bent(nn.Module):
    def forward(self, x):
        weight = torch.ones(3, 3)  # expect: TL204
        return F.linear(x, weight)


class Kept(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        kept = F.dropout(torch.ones(x.shape), self.rate)  # expect: TL204
        return x * kept


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    parser = argparse.ArgumentParser()
    parser.add_argument("--epsilon", default=0.1)
    options = parser.parse_args([])
    assert attacked(nn.Linear(3, 3).to(device), torch.ones(2, 3, device=device), options.epsilon)[0].shape == (2, 3)
    assert Cut(0.5)(torch.ones(2, 1, 8, device="meta")).device.type == "meta"
    with FakeTensorMode():
        x = torch.ones(2, 3, device="cuda")
        for broken in (Bent(), Kept(0.5)):
            try:
                broken(x)
            except RuntimeError as error:
                assert "same device" in str(error)
            else:
                raise AssertionError("tensors of two devices were combined")


if __name__ == "__main__":
    demonstrate()
