"""A Parameter or buffer that is converted for a computation, and changed with it."""

import torch
from torch import nn


class Cosine(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(3, 4))
        self.register_buffer("centre", torch.rand(4))
        self.layer = nn.Linear(4, 4)

    @torch.no_grad()
    def forward(self, x):
        weight = self.weight.float()
        weight /= weight.norm(dim=1, keepdim=True)  # expect: TL308
        return x.float() @ weight.t()

    def centred(self, x):
        centre = self.centre.to(x.dtype)
        centre -= x.mean(0)  # expect: TL308
        return x - centre

    def quantised(self):
        weight = self.layer.weight.data.to(torch.float32)
        return weight.mul_(16).round_().div_(16)  # expect: TL308

    @torch.no_grad()
    def copied(self, x):
        weight = self.weight.float()
        weight = weight / weight.norm(dim=1, keepdim=True)
        weight *= 2  # ok: TL308
        return x.float() @ weight.t()

    def fresh(self, x):
        return self.centre.to(x.dtype).clone().sub_(x.mean(0))  # ok: TL308

    def reset_parameters(self):
        self.weight.data.float().fill_(1)  # ok: TL308  it is there to write

    def plain(self, x):
        return self.layer(x).float().relu_()  # ok: TL308  the layer's result is new


def demonstrate():
    module, x = Cosine(), torch.rand(2, 4)
    for call, state in ((module, module.weight), (module.centred, module.centre)):
        before = state.detach().clone()
        call(x)
        assert not torch.equal(before, state)
    before = module.layer.weight.detach().clone()
    module.quantised()
    assert not torch.equal(before, module.layer.weight)
    before = module.centre.clone()
    module.fresh(x), module.copied(x), module.plain(x)
    assert torch.equal(before, module.centre)
