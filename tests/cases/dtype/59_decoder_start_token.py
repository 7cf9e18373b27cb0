"""The greedy decoder makes its start tokens and its step counters on the default device, several helpers below forward.

source: huggingface/transformers#44782; captioning decoders that build the start symbol in a helper
rules: [TL204]
"""
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, vocab=7, dim=4, bos=1):
        super().__init__()
        self.bos, self.vocab = bos, vocab
        self.embed, self.cell, self.out = nn.Embedding(vocab, dim), nn.GRUCell(dim, dim), nn.Linear(dim, vocab)

    def start(self, memory):
        return torch.full((memory.shape[0],), self.bos)  # expect: TL204

    def penalty(self, step, logits):
        ramp = torch.linspace(0, 1, self.vocab)  # expect: TL204
        return logits - ramp / (step + 1)

    def forward(self, memory, steps=3):
        token, state, said = self.start(memory), memory, []
        for step in range(steps):
            state = self.cell(self.embed(token), state)
            token = self.penalty(step, self.out(state)).argmax(-1)
            said.append(token)
        return torch.stack(said, 1)


class DecoderOnDevice(Decoder):
    def start(self, memory):
        return memory.new_full((memory.shape[0],), self.bos, dtype=torch.long)  # ok: TL204

    def penalty(self, step, logits):
        ramp = torch.linspace(0, 1, self.vocab, device=logits.device)  # ok: TL204
        return logits - ramp / (step + 1)


class DecoderMoved(Decoder):
    """Built without a device, moved before anything else sees it."""

    def start(self, memory):
        token = torch.full((memory.shape[0],), self.bos)  # ok: TL204
        return token.to(memory.device)

    def penalty(self, step, logits):
        ramp = torch.linspace(0, 1, self.vocab).type_as(logits)  # ok: TL204
        half = torch.tensor(0.5)  # ok: TL204
        return logits - ramp * half / (step + 1)

    def vocabulary_order(self):
        return torch.arange(self.vocab).flip(0)  # ok: TL204


# ---- demonstration ----
def demonstrate():
    assert Decoder()(torch.randn(2, 4)).shape == (2, 3)
    bad, good, moved = (cls().to("meta") for cls in (Decoder, DecoderOnDevice, DecoderMoved))
    memory = torch.randn(2, 4, device="meta")
    assert bad.start(memory).device != memory.device
    for call in (lambda: bad(memory), lambda: bad.penalty(0, torch.randn(2, 7, device="meta"))):
        try:
            call()
            raise AssertionError("a CPU tensor met tensors of another device")
        except RuntimeError as err:
            assert "device" in str(err), err
    for model in (good, moved):
        assert model(memory).device.type == "meta"
    assert moved.vocabulary_order().tolist()[0] == 6
