"""Serving code: the output matrix is prepared when the decoder enters evaluation, and the cast to the serving dtype comes after that.

source: written from scratch
rules: [TL103, TL303]
"""
import torch
from torch import nn


class SharedTableDecoder(nn.Module):
    """Input and output share one embedding table; the output side is scaled."""

    def __init__(self, vocab: int = 12, dim: int = 6):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.mix = nn.GRU(dim, dim, batch_first=True)
        self.temper = nn.Parameter(torch.ones(dim))
        self.out_table = None

    def output_table(self) -> torch.Tensor:
        return (self.embed.weight * self.temper).t().contiguous()

    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            with torch.no_grad():
                self.out_table = self.output_table()  # expect: TL103
        return self

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        hidden, _ = self.mix(self.embed(tokens))
        return hidden @ (self.output_table() if self.training else self.out_table)


class PlainTagger(nn.Module):
    def __init__(self, vocab: int = 12, dim: int = 6, tags: int = 3):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(dim, tags)

    def forward(self, tokens):
        return self.fc(self.drop(self.embed(tokens)))


def load_decoder(state: dict, low_precision: bool = True) -> SharedTableDecoder:
    decoder = SharedTableDecoder()
    decoder.load_state_dict(state)
    decoder.eval()
    if low_precision:
        decoder = decoder.half()  # expect: TL303
    return decoder


def load_decoder_ordered(state: dict, low_precision: bool = True) -> SharedTableDecoder:
    decoder = SharedTableDecoder()
    decoder.load_state_dict(state)
    if low_precision:
        decoder = decoder.half()  # ok: TL303
    decoder.eval()
    return decoder


def load_tagger(state: dict) -> PlainTagger:
    tagger = PlainTagger()
    tagger.load_state_dict(state)
    tagger.eval()
    return tagger.half()  # ok: TL303


class Service:
    def __init__(self, decoder: SharedTableDecoder, device: str = "cpu", dtype: torch.dtype = torch.float32):
        self.decoder = decoder.to(device=device, dtype=dtype)  # ok: TL303
        self.decoder.eval()

    @torch.inference_mode()
    def next_token(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.decoder(tokens)[:, -1].argmax(-1)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    tokens = torch.tensor([[1, 5, 2]])
    state = SharedTableDecoder().state_dict()
    bad, good = load_decoder(state), load_decoder_ordered(state)
    assert bad.out_table.dtype == torch.float32 and good.out_table.dtype == torch.float16
    try:
        bad(tokens)
        raise AssertionError("expected half activations to clash with the float32 table")
    except RuntimeError as exc:
        assert "dtype" in str(exc) or "Half" in str(exc), exc
    with torch.no_grad():
        assert good(tokens).dtype == torch.float16
        assert load_tagger(PlainTagger().state_dict())(tokens).dtype == torch.float16
    assert Service(SharedTableDecoder(), dtype=torch.float64).next_token(tokens).shape == (1,)
    # the cache itself: a load in evaluation mode keeps the old table
    a, b = SharedTableDecoder().eval(), SharedTableDecoder().eval()
    a.load_state_dict(b.state_dict())
    assert not torch.allclose(a(tokens), b(tokens))
