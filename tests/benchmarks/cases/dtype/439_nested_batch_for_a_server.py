"""A server narrows its nested requests with one call over all leaves of the tree; token ids and segment numbers are leaves as well.

source: inference servers with tree_map(lambda t: t.half(), batch); huggingface/transformers#5953 kind
rules: [TL301]
"""
from functools import partial

import torch
import torch.utils._pytree as pytree
from torch import nn


def shrink(batch, kind=torch.float16):
    return pytree.tree_map_only(torch.Tensor, lambda t: t.to(kind), batch)  # expect: TL301


def shrink_floating(batch):
    def leaf(t):
        return t.half() if t.is_floating_point() else t  # ok: TL301

    return pytree.tree_map_only(torch.Tensor, leaf, batch)


def shrink_one_branch(batch):
    return {**batch, "pixels": pytree.tree_map(torch.Tensor.half, batch["pixels"])}  # ok: TL301


def move(batch, device):
    return pytree.tree_map_only(torch.Tensor, partial(torch.Tensor.to, device=device), batch)  # ok: TL301


class Reader(nn.Module):
    def __init__(self, words=3000, dim=4):
        super().__init__()
        self.words, self.see = nn.Embedding(words, dim), nn.Linear(2, dim)

    def forward(self, batch):
        text = self.words(batch["text"]["ids"].long()).mean(1)
        return text + self.see(batch["pixels"][0])


class Server:
    def __init__(self, model, narrow=shrink):
        self.model, self.narrow = model.half().eval(), narrow

    @torch.inference_mode()
    def answer(self, batch):
        return self.model(self.narrow(move(batch, "cpu")))


def demonstrate():
    batch = {
        "text": {"ids": torch.tensor([[2049, 2997]]), "lengths": [2]},
        "pixels": [torch.randn(1, 2)],
    }

    def ask(narrow):
        torch.manual_seed(0)
        return Server(Reader(), narrow).answer(batch)

    right = ask(shrink_floating)
    assert torch.equal(right, ask(shrink_one_branch))
    assert not torch.equal(right, ask(shrink))  # 2049 and 2997 are no half numbers: other words were read
