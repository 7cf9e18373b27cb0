"""A picture-and-text server rebuilds the processor's dict with one comprehension: every entry becomes half, the token numbers too.

source: vision-language demos that write {k: v.to(device, torch.float16) for k, v in inputs.items()}; huggingface/transformers#5953 kind
rules: [TL301]
"""
import torch
from torch import nn


class Processor:
    """What a tokenizer and an image processor return together."""

    def __init__(self, words):
        self.words = {w: i for i, w in enumerate(words)}

    def __call__(self, text, image):
        ids = torch.tensor([[self.words[w] for w in text.split()]])
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "pixel_values": image[None]}


class Answerer(nn.Module):
    def __init__(self, vocab: int, dim: int = 4):
        super().__init__()
        self.words, self.patch, self.out = nn.Embedding(vocab, dim), nn.Conv2d(3, dim, 2, 2), nn.Linear(dim, vocab)

    def forward(self, input_ids, attention_mask, pixel_values):
        seen = self.patch(pixel_values).flatten(2).mean(-1)
        said = self.words(input_ids) * attention_mask.unsqueeze(-1)
        return self.out(said.mean(1) + seen)


class Server:
    def __init__(self, model, processor):
        self.model, self.processor = model.half().eval(), processor

    def prepare(self, inputs):
        raise NotImplementedError

    @torch.no_grad()
    def ask(self, text, image):
        inputs = self.prepare(self.processor(text, image))
        return self.model(**inputs).float().argmax(-1)


class OneLineServer(Server):
    def prepare(self, inputs):
        return {k: v.to("cpu", torch.float16) for k, v in inputs.items()}  # expect: TL301


class LoopServer(Server):
    def prepare(self, inputs):
        for name in inputs:
            inputs[name] = inputs[name].half()  # expect: TL301
        return inputs


class GuardedServer(Server):
    def prepare(self, inputs):
        return {k: v.half() if torch.is_floating_point(v) else v for k, v in inputs.items()}  # ok: TL301


class NamedServer(Server):
    """Casts the one entry that is a picture."""

    def prepare(self, inputs):
        inputs["pixel_values"] = inputs["pixel_values"].to(torch.float16)  # ok: TL301
        return inputs


class SkippingServer(Server):
    def prepare(self, inputs):
        out = {}
        for name, value in inputs.items():
            if value.dtype != torch.float32:
                out[name] = value
                continue
            out[name] = value.half()  # ok: TL301
        return out


def demonstrate():
    words, image = ["what", "is", "this"], torch.rand(3, 4, 4)
    for cls, works in (
        (OneLineServer, False), (LoopServer, False), (GuardedServer, True), (NamedServer, True), (SkippingServer, True),
    ):
        try:
            assert cls(Answerer(3), Processor(words)).ask("what is this", image).shape == (1,)
            ok = True
        except RuntimeError as err:
            assert "indices" in str(err), err
            ok = False
        assert ok is works, cls
    assert torch.tensor([2049]).half().long().item() == 2048  # where it does not raise, another word is looked up
