"""Vision transformer trunk: initial scaling and casting are written behind the Parameter instead of inside it.

source: written from scratch after forum threads about class tokens that never change
rules: [TL114]
"""
import torch
from torch import nn


class Trunk(nn.Module):
    def __init__(self, dim: int = 8, patches: int = 4, registers: int = 2, pos_dtype: torch.dtype = torch.float32):
        super().__init__()
        self.patch = nn.Linear(12, dim)
        self.block = nn.TransformerEncoderLayer(dim, 2, 2 * dim, dropout=0.0, batch_first=True)
        self.make_tokens(dim, patches, registers, pos_dtype)

    def make_tokens(self, dim: int, patches: int, registers: int, pos_dtype: torch.dtype) -> None:
        raise NotImplementedError

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        x = self.patch(patches)
        n = x.shape[0]
        x = x + self.pos.to(x.dtype)
        x = torch.cat([self.cls.expand(n, -1, -1), self.registers.expand(n, -1, -1), x], dim=1)
        return self.block(x)[:, 0]


class AfterwardsTrunk(Trunk):
    def make_tokens(self, dim, patches, registers, pos_dtype):
        self.cls = nn.Parameter(torch.randn(1, 1, dim)) * 0.02  # expect: TL114
        self.registers = nn.Parameter(torch.randn(1, registers, dim)).data  # expect: TL114
        self.pos = nn.Parameter(torch.zeros(1, patches, dim)).to(pos_dtype)  # expect: TL114


class InsideTrunk(Trunk):
    def make_tokens(self, dim, patches, registers, pos_dtype):
        self.cls = nn.Parameter(torch.randn(1, 1, dim) * 0.02)  # ok: TL114
        self.registers = nn.Parameter(torch.randn(1, registers, dim).data)  # ok: TL114
        self.pos = nn.Parameter(torch.zeros(1, patches, dim).to(pos_dtype))  # ok: TL114


class InitialisedTrunk(Trunk):
    """The same with the scaling done in place, and with fixed positions."""

    def make_tokens(self, dim, patches, registers, pos_dtype):
        self.cls = nn.Parameter(torch.randn(1, 1, dim))  # ok: TL114
        self.cls.data.mul_(0.02)
        self.registers = nn.Parameter(torch.empty(1, registers, dim))  # ok: TL114
        nn.init.trunc_normal_(self.registers, std=0.02)
        self.pos = nn.Parameter(torch.zeros(1, patches, dim, dtype=pos_dtype)).requires_grad_(False)  # ok: TL114


# ---- demonstration: not part of the graded code ----
def demonstrate():
    patches = torch.randn(3, 4, 12)
    token_names = {"cls", "registers", "pos"}
    for cls, kept in ((AfterwardsTrunk, False), (InsideTrunk, True), (InitialisedTrunk, True)):
        for dtype in (torch.bfloat16, torch.float32):
            net = cls(pos_dtype=dtype)
            found = token_names & set(dict(net.named_parameters()))
            if kept:
                assert found == token_names, cls
            else:
                # where the cast has nothing to do it returns the Parameter itself
                assert found == ({"pos"} if dtype == torch.float32 else set()), found
            assert net(patches).shape == (3, 8)
        net = cls(pos_dtype=torch.bfloat16)
        before = net.cls.detach().clone()
        opt = torch.optim.SGD(net.parameters(), lr=1.0)
        net(patches).pow(3).sum().backward()
        opt.step()
        assert torch.equal(net.cls, before) is not kept, cls
        assert ("cls" in net.state_dict()) is kept
