"""What train(False) makes anew each time need not be dropped by train(True), where only evaluation reads it."""
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


class ReadInTraining(Head):
    def forward(self, x):
        return x @ self.gram

    @torch.no_grad()
    def refresh(self):
        self.gram = self.weight.t() @ self.weight

    def train(self, mode: bool = True):
        super().train(mode)
        if not mode:
            self.gram = (self.weight.t() @ self.weight).detach()  # expect: TL103
        return self


def answers_by_weights(head, x) -> bool:
    return torch.allclose(head(x), x @ head.weight.t() @ head.weight)


def demonstrate():
    for kind, is_right in ((Refreshed, True), (ReadInTraining, False)):
        head, x = kind().eval(), torch.randn(2, 3)
        assert answers_by_weights(head, x)
        head.train()
        with torch.no_grad():
            head.weight.mul_(2)
        assert answers_by_weights(head, x) is is_right
        head.eval()
        assert answers_by_weights(head, x)
