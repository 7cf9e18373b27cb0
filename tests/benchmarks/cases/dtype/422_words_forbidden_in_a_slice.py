"""A decoder forbids words in 'its own float32 copy' of the last scores and reports the likelihood of the originals afterwards.

source: generation loops with `next_logits = outputs.logits[:, -1].float()` and in-place processors; pytorch/vision#217 kind
rules: [TL308]
"""
import torch
from torch import nn


class Words(nn.Module):
    def __init__(self, words=6, dim=4):
        super().__init__()
        self.table, self.out = nn.Embedding(words, dim), nn.Linear(dim, words)

    def forward(self, ids):
        return self.out(self.table(ids).cumsum(1))


def forbid(scores, words):
    last = scores[:, -1].float()
    last.index_fill_(1, words, float("-inf"))  # expect: TL308
    return last


def punish(scores, used, rate=1.5):
    last = scores[:, -1].to(dtype=torch.float32)
    told = last.gather(1, used)
    last.scatter_(1, used, torch.where(told < 0, told * rate, told / rate))  # expect: TL308
    return last


def forbid_fixed(scores, words):
    last = scores[:, -1].to(torch.float32, copy=True)
    last.index_fill_(1, words, float("-inf"))  # ok: TL308
    return last


def punish_fixed(scores, used, rate=1.5):
    last = scores[:, -1].float()
    told = last.gather(1, used)
    return last.scatter(1, used, torch.where(told < 0, told * rate, told / rate))  # ok: TL308


def forbid_scaled(scores, words, heat=0.7):
    """The division makes new memory; what is written is the function's own."""
    last = scores[:, -1].float() / heat
    last.index_fill_(1, words, float("-inf"))  # ok: TL308
    return last


@torch.no_grad()
def continue_text(model, ids, *, forbid, punish, words):
    out = model(ids)
    picked = forbid(out, words).argmax(-1, keepdim=True)
    return {
        "ids": torch.cat([ids, picked], dim=1),
        "calm": punish(out, ids).argmax(-1),
        "report": out[:, -1].log_softmax(-1).gather(1, picked),
    }


def demonstrate():
    torch.manual_seed(0)
    model, ids, words = Words(), torch.tensor([[1, 2], [3, 3]]), torch.tensor([0, 5])
    with torch.no_grad():
        truth = model(ids)[:, -1].log_softmax(-1)

    def right(f, p):
        out = continue_text(model, ids, forbid=f, punish=p, words=words)
        return torch.allclose(out["report"], truth.gather(1, out["ids"][:, -1:]))

    assert not right(forbid, punish_fixed)
    assert not right(forbid_fixed, punish)
    assert right(forbid_fixed, punish_fixed) and right(forbid_scaled, punish_fixed)
    model.half()  # a conversion that does something hides it
    with torch.no_grad():
        out = model(ids)
        before = out.clone()
        forbid(out, words)
        assert torch.equal(out, before)
