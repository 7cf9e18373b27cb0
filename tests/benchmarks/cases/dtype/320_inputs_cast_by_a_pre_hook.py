"""A serving wrapper registers a forward pre-hook that casts every positional and keyword tensor to half: token ids go with them.

source: deepspeedai/DeepSpeed#5701, huggingface/accelerate#1405 (input_ids cast to half)
rules: [TL301]
"""
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocab=4096, dim=4):
        super().__init__()
        self.token, self.colour = nn.Embedding(vocab, dim), nn.Linear(3, dim)

    def forward(self, ids, pixels=None):
        x = self.token(ids).mean(1)
        return x if pixels is None else x + self.colour(pixels)


class Served:
    def __init__(self, net, wanted=torch.float16):
        self.net, self.wanted = net.half().eval(), wanted
        self.net.register_forward_pre_hook(self.before, with_kwargs=True)

    def before(self, module, args, kwargs):
        args = tuple(a.to(torch.float16) for a in args)  # expect: TL301
        kwargs = {k: v.half() if torch.is_tensor(v) else v for k, v in kwargs.items()}  # expect: TL301
        return args, kwargs

    @torch.no_grad()
    def __call__(self, *args, **kwargs):
        return self.net(*args, **kwargs).float()


class ServedFixed(Served):
    def fit(self, value):
        if torch.is_tensor(value) and torch.is_floating_point(value):
            return value.to(self.wanted)  # ok: TL301
        return value

    def before(self, module, args, kwargs):
        return tuple(map(self.fit, args)), {k: self.fit(v) for k, v in kwargs.items()}  # ok: TL301


class ServedByName(Served):
    """Knows its batch: only the image is cast."""

    def before(self, module, args, kwargs):
        pixels = kwargs.pop("pixels", None)
        if pixels is not None:
            kwargs["pixels"] = pixels.half()  # ok: TL301
        return args, kwargs


def demonstrate():
    torch.manual_seed(0)
    ids, pixels = torch.tensor([[4001, 7]]), torch.rand(1, 3)
    for kind in (ServedFixed, ServedByName):
        assert kind(Encoder())(ids, pixels=pixels).isfinite().all()
    for call in (lambda s: s(ids), lambda s: s(ids=ids)):
        try:
            call(Served(Encoder()))
            raise AssertionError("half token numbers accepted")
        except RuntimeError as err:
            assert "indices" in str(err)
