"""What train(False) makes anew each time need not be dropped by train(True), whoever else stores it, where only evaluation
reads it."""
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, dim: int = 3):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, dim))
        self.register_buffer("gram", torch.zeros(dim, dim), persistent=False)
        self.register_load_state_dict_post_hook(lambda module, keys: module.refresh())

    def forward(self, x):
        return x @ (self.weight.t() @ self.weight if self.training else self.gram)


class Refreshed(Head):
    @torch.no_grad()
    def refresh(self):
        self.gram = self.weight.t() @ self.weight  # ok: TL103

    def train(self, mode: bool = True):  # ok: TL103  train(False) makes it anew
        super().train(mode)
        if not mode:
            self.gram = (self.weight.t() @ self.weight).detach()  # ok: TL103  refresh() follows a load
        return self


class MadeOnce(Head):
    @torch.no_grad()
    def refresh(self):
        self.gram = self.weight.t() @ self.weight
        self.is_ready = True

    def train(self, mode: bool = True):  # expect: TL103
        super().train(mode)
        if not mode and not getattr(self, "is_ready", False):
            self.refresh()
        return self


def trained_answer(kind) -> bool:
    """Whether evaluation answers by the weights of now, after a round of evaluation and a step."""
    head, x = kind().eval(), torch.randn(2, 3)
    head(x)
    head.train()
    with torch.no_grad():
        head.weight.mul_(2)
    head.eval()
    return torch.allclose(head(x), x @ head.weight.t() @ head.weight)


def demonstrate():
    assert trained_answer(Refreshed)
    assert not trained_answer(MadeOnce)
