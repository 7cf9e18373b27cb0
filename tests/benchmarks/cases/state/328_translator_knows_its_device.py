"""Sequence-to-sequence model in tutorial style: device and dtype are handed to the constructor and used for every new tensor.

source: translation tutorials with Seq2Seq(encoder, decoder, device), TransformerLensOrg/TransformerLens#1336 (stale device after a move)
rules: [TL119]
"""
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, vocab: int, width: int):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.cell = nn.GRUCell(width, width)
        self.out = nn.Linear(width, vocab)

    def forward(self, token, h):
        h = self.cell(self.embed(token), h)
        return self.out(h), h


class Seq2Seq(nn.Module):
    def __init__(self, vocab: int = 5, width: int = 4, device="cpu", precision=torch.float32):
        super().__init__()
        self.encoder = nn.GRU(width, width, batch_first=True)
        self.decoder = Decoder(vocab, width)
        self.device = device  # expect: TL119
        self.kind = precision  # expect: TL119

    def blank(self, batch: int, steps: int) -> torch.Tensor:
        vocab = self.decoder.out.out_features
        return torch.zeros(batch, steps, vocab, device=self.device, dtype=self.kind)

    def start(self, batch: int) -> torch.Tensor:
        return torch.zeros(batch, dtype=torch.long).to(self.device)

    def forward(self, src, steps: int = 3):
        _, h = self.encoder(self.decoder.embed(src))
        h, token, out = h[0], self.start(len(src)), self.blank(len(src), steps)
        for t in range(steps):
            logits, h = self.decoder(token, h)
            out[:, t] += logits
            token = logits.argmax(-1)
        return out


class FollowingSeq2Seq(nn.Module):
    """Same names, read from a weight; what the user asked for is only logged."""

    def __init__(self, vocab: int = 5, width: int = 4, device="cpu"):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.cell = nn.GRUCell(width, vocab)
        self.requested = str(device)  # ok: TL119

    @property
    def device(self):
        return self.embed.weight.device  # ok: TL119

    @property
    def kind(self):
        return self.embed.weight.dtype  # ok: TL119

    def forward(self, src, steps: int = 3):
        h = torch.zeros(len(src), self.cell.hidden_size, device=self.device, dtype=self.kind)
        for token in src.unbind(1)[:steps]:
            h = self.cell(self.embed(token), h)
        return h


def deploy(target: str, low: bool = True):
    model = Seq2Seq()
    model.to(target)
    return model.to(dtype=torch.bfloat16) if low else model


# ---- demonstration: not part of the graded code ----
def demonstrate():
    src = torch.zeros(2, 3, dtype=torch.long)
    assert Seq2Seq()(src).shape == (2, 3, 5)
    low = deploy("cpu")
    assert low(src).dtype == torch.float32, "the answer is not in the precision of the model"
    assert FollowingSeq2Seq().to(dtype=torch.bfloat16)(src).dtype == torch.bfloat16
    for model, works in ((deploy("meta", low=False), False), (FollowingSeq2Seq().to("meta"), True)):
        try:
            ok = model(src.to("meta")).is_meta
        except RuntimeError:
            ok = False
        assert ok is works
