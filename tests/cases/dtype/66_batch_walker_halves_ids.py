"""A recursive batch mover casts every tensor it meets to the chosen half type: token ids above 2048 change or are refused.

source: inference servers with a to_device(batch, dtype) walker; huggingface/transformers#5953 (same loss of ids)
rules: [TL301]
"""
from collections.abc import Mapping

import torch
from torch import nn

HALF = torch.float16


def walk(thing, visit):
    if torch.is_tensor(thing):
        return visit(thing)
    if isinstance(thing, Mapping):
        return {k: walk(v, visit) for k, v in thing.items()}
    if isinstance(thing, (list, tuple)):
        return type(thing)(walk(v, visit) for v in thing)
    return thing


class Server:
    def __init__(self, model: nn.Module):
        self.model = model.half().eval()

    def prepare(self, batch):
        return walk(batch, lambda t: t.to(HALF))  # expect: TL301

    @torch.inference_mode()
    def answer(self, batch):
        batch = self.prepare(batch)
        return self.model(batch["ids"], batch["extra"][0])


class ServerBySort(Server):
    def prepare(self, batch):
        return walk(batch, lambda t: t.to(HALF) if t.is_floating_point() else t)  # ok: TL301


class ServerByName(Server):
    floating = ("extra",)

    def prepare(self, batch):
        out = dict(batch)
        for name in self.floating:
            out[name] = [t.half() for t in batch[name]]  # ok: TL301
        return out


class Tower(nn.Module):
    def __init__(self, vocab=5000, dim=4):
        super().__init__()
        self.table, self.out = nn.Embedding(vocab, dim), nn.Linear(dim, 2)

    def forward(self, ids, extra):
        return self.out(self.table(ids).mean(1) + extra)


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    batch = {"ids": torch.tensor([[2049, 4097]]), "extra": [torch.randn(1, 4)], "name": "q"}
    bad = Server(Tower())
    assert bad.prepare(batch)["ids"].tolist() == [[2048.0, 4096.0]]
    try:
        bad.answer(batch)
        raise AssertionError("floating ids accepted")
    except RuntimeError as err:
        assert "indices" in str(err), err
    for cls in (ServerBySort, ServerByName):
        assert cls(Tower()).answer(batch).dtype is torch.float16
