"""A field that the program picks by name is one kind of tensor; a helper gets the difference of two whole states."""

import torch
from torch.utils import _pytree as pytree


def narrow_pixels(batch):
    return {**batch, "pixels": pytree.tree_map(torch.Tensor.half, batch["pixels"])}  # ok: TL301  images alone


def narrow_all(batch):
    return pytree.tree_map(torch.Tensor.half, batch)  # expect: TL301


class Patch:
    narrower = {torch.float64: torch.float32, torch.float32: torch.float16}

    def pack(self, value):
        return value.half()  # expect: TL301

    def pack_floats(self, value):
        return value.half() if value.is_floating_point() else value  # ok: TL301  a test decides

    def pack_by_table(self, value):
        return value.to(self.narrower.get(value.dtype, value.dtype))  # ok: TL301  the dtype at hand decides

    def made(self, base, tuned):
        before, after = base.state_dict(), tuned.state_dict()
        return {key: self.pack(after[key] - before[key]) for key in after}

    def made_of_floats(self, base, tuned):
        before, after = base.state_dict(), tuned.state_dict()
        return {key: self.pack_floats(after[key] - before[key]) for key in after}

    def made_by_table(self, base, tuned):
        before, after = base.state_dict(), tuned.state_dict()
        return {key: self.pack_by_table(after[key] - before[key]) for key in after}
