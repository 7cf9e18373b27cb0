"""Everything that a call is given is cast: ids and class numbers go along with the images."""

import functools
from operator import methodcaller

import torch
from torch import nn


class Lowered(nn.Module):
    def __init__(self, net, dtype=torch.float16):
        super().__init__()
        self.net, self.wanted = net, dtype

    def forward(self, *given, **named):
        given = [one.to(self.wanted) for one in given]  # expect: TL301
        named = {key: value.half() if torch.is_tensor(value) else value for key, value in named.items()}  # expect: TL301
        return self.net(*given, **named)


class LoweredFloats(Lowered):
    def forward(self, *given, **named):
        given = [one.to(self.wanted) if one.is_floating_point() else one for one in given]  # ok: TL301
        named = {key: self.fitted(value) for key, value in named.items()}
        return self.net(*given, **named)

    def fitted(self, value):
        if torch.is_tensor(value) and value.dtype == torch.float32:
            return value.to(self.wanted)  # ok: TL301
        return value


class LoweredByHelper(Lowered):
    def forward(self, *given, **named):
        return self.net(*given, **{key: self.fitted(value) for key, value in named.items()})

    def fitted(self, value):
        return value.to(self.wanted) if isinstance(value, torch.Tensor) else value  # expect: TL301


def before(module, args, kwargs):
    return tuple(map(torch.Tensor.bfloat16, args)), kwargs  # expect: TL301


def before_by_name(module, args):
    return tuple(map(methodcaller("half"), args))  # expect: TL301


def before_moved(module, args):
    return tuple(map(methodcaller("cpu"), args))  # ok: TL301


def lowered(function):
    @functools.wraps(function)
    def inner(self, *given):
        return function(self, *[one.half() for one in given])  # expect: TL301

    return inner


def lowered_images(*names):
    def decorate(function):
        @functools.wraps(function)
        def inner(self, **named):
            return function(self, **{k: v.half() if k in names else v for k, v in named.items()})  # ok: TL301

        return inner

    return decorate


def encoded(tokenizer, texts):
    found = tokenizer(texts)
    return {key: value.to("cpu", torch.float16) for key, value in found.items()}  # expect: TL301


def encoded_pixels(processor, images):
    found = processor(images)
    for key in found:
        if key == "pixels":
            found[key] = found[key].to(torch.float16)  # ok: TL301
    return found


def encoded_images_alone(processor, images):
    return {key: value.half() for key, value in processor(images=images, size=2).items()}  # ok: TL301  pixels


def encoded_both(processor, images, text):
    return {key: value.half() for key, value in processor(images=images, text=text).items()}  # expect: TL301


def lowered_gradients(gradients):
    return {key: value.half() for key, value in gradients.items()}  # ok: TL301  what is computed is floating


def lowered_results(model, images):
    return {key: value.half() for key, value in model(images).items()}  # ok: TL301


def as_each_was(kept, **named):
    return {key: value.to(kept[key].dtype) for key, value in named.items()}  # ok: TL301


def demonstrate():
    ids = torch.tensor([2049, 4097])
    for kind, works in ((Lowered, False), (LoweredByHelper, False), (LoweredFloats, True)):
        try:
            kind(nn.Embedding(5000, 2))(input=ids)
            worked = True
        except RuntimeError as error:
            assert "indices" in str(error)
            worked = False
        assert worked is works, kind
    assert before(None, (ids,), {})[0][0].long().tolist() != ids.tolist()
    assert before_by_name(None, (ids,))[0].dtype is torch.float16 and before_moved(None, (ids,))[0] is ids
    assert encoded(lambda texts: {"ids": ids}, [])["ids"].dtype is torch.float16
    assert encoded_pixels(lambda images: {"ids": ids}, [])["ids"] is ids
    assert lowered(lambda self, one: one.dtype)(None, ids) is torch.float16
    assert lowered_images("image")(lambda self, ids: ids.dtype)(None, ids=ids) is torch.int64
    encoded_images_alone(lambda images, size: {"pixels": torch.ones(1)}, None)
    assert encoded_both(lambda images, text: {"ids": ids}, None, None)["ids"].dtype is torch.float16
    lowered_gradients({"w": torch.ones(1)}), lowered_results(lambda images: {}, None), as_each_was({"x": ids}, x=ids)
