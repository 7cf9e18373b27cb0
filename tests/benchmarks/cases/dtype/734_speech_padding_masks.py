"""A speech encoder builds its padding and causal masks on the default device and meets lengths and scores that live elsewhere.

source: m-bain/whisperX#1173 (setting only); pattern seen in many ASR recipes
rules: [TL204]
"""
import torch
from torch import nn


def padding_mask(lengths, size):
    steps = torch.arange(size)  # expect: TL204
    return steps.unsqueeze(0) >= lengths.unsqueeze(1)


def padding_mask_fixed(lengths, size):
    steps = torch.arange(size, device=lengths.device)  # ok: TL204
    return steps.unsqueeze(0) >= lengths.unsqueeze(1)


class Attention(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.qk, self.v = nn.Linear(dim, 2 * dim), nn.Linear(dim, dim)

    def weights(self, x):
        q, k = self.qk(x).chunk(2, dim=-1)
        return q @ k.transpose(1, 2) / x.size(-1) ** 0.5

    def forward(self, x, lengths):
        scores = self.weights(x)
        causal = torch.ones(x.size(1), x.size(1)).tril()  # expect: TL204
        scores = scores.masked_fill(causal == 0, float("-inf"))
        scores = scores.masked_fill(padding_mask(lengths, x.size(1)).unsqueeze(1), float("-inf"))
        return scores.softmax(-1) @ self.v(x)


class AttentionFixed(Attention):
    def forward(self, x, lengths, reverse=False):
        scores = self.weights(x)
        causal = x.new_ones(x.size(1), x.size(1)).tril()  # ok: TL204
        scores = scores.masked_fill(causal == 0, float("-inf"))
        scores = scores.masked_fill(padding_mask_fixed(lengths, x.size(1)).unsqueeze(1), float("-inf"))
        temperature = torch.tensor(0.5)  # ok: TL204
        values = self.v(x)
        if reverse:
            values = values[:, torch.arange(x.size(1) - 1, -1, -1)]  # ok: TL204
        return (scores * temperature).softmax(-1) @ values


def collate(waves):
    # runs in the loader's workers, on CPU tensors
    lengths = torch.tensor([len(w) for w in waves])  # ok: TL204
    batch = torch.zeros(len(waves), int(lengths.max()))  # ok: TL204
    for row, wave in zip(batch, waves):
        row[: len(wave)] = wave
    return batch, lengths


def demonstrate():
    from unittest.mock import patch

    from torch._subclasses.fake_tensor import FakeTensorMode

    x, lengths = torch.randn(2, 4, 8), torch.tensor([4, 2])
    assert Attention()(x, lengths).shape == (2, 4, 8)  # on CPU nothing shows
    assert AttentionFixed()(x, lengths, reverse=True).shape == (2, 4, 8)
    batch, sizes = collate([torch.ones(3), torch.ones(5)])
    assert batch.shape == (2, 5) and sizes.tolist() == [3, 5]
    with FakeTensorMode():
        with torch.device("cuda"), patch.object(nn.Linear, "reset_parameters"):
            bad, good = Attention().requires_grad_(False), AttentionFixed().requires_grad_(False)
        x, lengths = torch.randn(2, 4, 8, device="cuda"), torch.ones(2, dtype=torch.long, device="cuda")
        for call in (lambda: bad(x, lengths), lambda: padding_mask(lengths, 4)):
            try:
                call()
                raise AssertionError("CPU mask met cuda values")
            except RuntimeError as err:
                assert "same device" in str(err), err
        assert good(x, lengths).device.type == "cuda"
        assert padding_mask_fixed(lengths, 4).device.type == "cuda"
