"""A language-model head computes its loss in float32 and hands it back 'in the type of the hidden states', as older model code did.

source: the `loss = loss.to(hidden_states.dtype)` idiom of GPT-like model code; fp16 runs whose every step is skipped
rules: [TL405]
"""
from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


@dataclass
class Output:
    logits: Tensor
    loss: Optional[Tensor] = None


class CausalModel(nn.Module):
    def __init__(self, dim=8, words=11):
        super().__init__()
        self.embed, self.body, self.head = nn.Embedding(words, dim), nn.Linear(dim, dim), nn.Linear(dim, words)

    def narrow(self, loss, hidden):
        return loss.to(hidden.dtype)  # expect: TL405

    def forward(self, ids, labels=None):
        hidden = self.body(self.embed(ids))
        logits = self.head(hidden)
        loss = None
        if labels is not None:
            wide = logits[:, :-1].to(torch.float32)
            loss = F.cross_entropy(wide.flatten(0, 1), labels[:, 1:].flatten())
            loss = self.narrow(loss, hidden)
        return Output(logits.to(hidden.dtype), loss)


class CausalModelFixed(CausalModel):
    """The logits may be narrow, the loss stays wide."""

    def narrow(self, loss, hidden):
        return loss  # ok: TL405


class Run:
    def __init__(self, model):
        self.model = model.to(DEVICE_TYPE)
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(DEVICE_TYPE, init_scale=2.0**16)

    def step(self, ids):
        start = self.model.head.weight.detach().clone()
        self.opt.zero_grad()
        with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
            loss = self.model(ids, labels=ids).loss
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        shown = loss.half().item()  # ok: TL405
        return (self.model.head.weight - start).abs().max().item(), shown


def main(ids):
    return Run(CausalModel()).step(ids)


def main_fixed(ids):
    return Run(CausalModelFixed()).step(ids)


def demonstrate():
    torch.manual_seed(0)
    ids = torch.randint(0, 11, (2, 6), device=DEVICE_TYPE)
    moved, _ = main(ids)
    assert moved == 0  # 65536 does not fit into half: the gradient is inf, the step is skipped
    moved, shown = main_fixed(ids)
    assert moved > 0 and shown > 1
