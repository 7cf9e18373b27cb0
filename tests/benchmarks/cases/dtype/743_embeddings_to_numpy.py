"""Features for a plot, samples from a generator and bf16 scores go to numpy straight from the network.

source: adjidieng/DETM#11, inferno-pytorch/inferno#195, kymatio/kymatio#826
rules: [TL306]
"""
import argparse

import numpy as np
import torch
from torch import nn


def parse(argv=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args(list(argv))


def save_samples(generator, count):
    z = torch.randn(count, 2)
    return generator(z).numpy()  # expect: TL306


def extract(model, loader, device):
    model = model.to(device).eval()
    feats = []
    with torch.no_grad():
        for batch in loader:
            feats.append(model(batch.to(device)).numpy())  # expect: TL306
    return np.concatenate(feats)


def score_bf16(model, x):
    model = model.to(torch.bfloat16)
    scores = model(x.bfloat16()).detach().cpu()
    return scores.numpy()  # expect: TL306


def save_samples_fixed(generator, count):
    with torch.no_grad():
        fake = generator(torch.randn(count, 2))
    return fake.cpu().numpy()  # ok: TL306


def extract_fixed(model, loader, device):
    model = model.to(device).eval()
    feats, labels = [], []
    with torch.no_grad():
        for batch in loader:
            out = model(batch.to(device)).cpu()
            feats.append(out.numpy())  # ok: TL306
            labels.append(batch[:, 0].numpy())  # ok: TL306
    return np.concatenate(feats), np.concatenate(labels)


def score_bf16_fixed(model, x):
    model = model.to(torch.bfloat16)
    scores = model(x.bfloat16()).detach().float().cpu()
    return scores.numpy()  # ok: TL306


def demonstrate():
    torch.manual_seed(0)
    net, loader = nn.Linear(2, 3), [torch.randn(4, 2), torch.randn(4, 2)]
    try:
        save_samples(net, 4)
        raise AssertionError("numpy took a tensor with a graph")
    except RuntimeError as err:
        assert "requires grad" in str(err)
    try:
        extract(nn.Linear(2, 3).to_empty(device="meta"), loader, "meta")
        raise AssertionError("numpy took a device tensor")
    except TypeError as err:
        assert "Tensor.cpu()" in str(err)
    try:
        score_bf16(nn.Linear(2, 3), loader[0])
        raise AssertionError("numpy has a bfloat16")
    except TypeError as err:
        assert "BFloat16" in str(err)
    assert save_samples_fixed(net, 4).shape == (4, 3)
    assert extract_fixed(net, loader, parse().device)[0].shape == (8, 3)
    assert score_bf16_fixed(nn.Linear(2, 3), loader[0]).dtype == np.float32
