"""A critic's penalty mixes real and made samples; the shares go to cuda because the machine has it, not because the samples are there.

source: WGAN-GP scripts (`alpha = alpha.cuda() if use_cuda else alpha`); pq-yang/MatAnyone#43 kind (cuda assumed)
rules: [TL207]
"""
import torch
from torch import nn


class Settings:
    use_cuda = torch.cuda.is_available()
    weight = 10.0


class Penalty(nn.Module):
    def __init__(self, critic, settings=Settings):
        super().__init__()
        self.critic, self.settings = critic, settings

    def shares(self, like):
        share = torch.rand(like.size(0), 1)
        if self.settings.use_cuda:
            share = share.cuda()  # expect: TL207
        return share.expand_as(like)

    def forward(self, real, made):
        share = self.shares(real)
        mixed = (share * real + (1 - share) * made).detach().requires_grad_(True)
        (slope,) = torch.autograd.grad(self.critic(mixed).sum(), mixed, create_graph=True)
        return self.settings.weight * (slope.norm(dim=1) - 1).pow(2).mean()


class PenaltyThere(Penalty):
    def shares(self, like):
        share = torch.rand(like.size(0), 1, device=like.device)  # ok: TL207
        return share.expand_as(like)


class PenaltyAsked(Penalty):
    """Asks the samples, not the machine."""

    def shares(self, like):
        share = torch.rand(like.size(0), 1)
        if like.is_cuda:
            share = share.cuda(like.device)  # ok: TL207
        return share.expand_as(like)


class PenaltyDrawnOnce(Penalty):
    def shares(self, like):
        return torch.empty_like(like[:, :1]).uniform_().expand_as(like)  # ok: TL207


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    class Machine(Settings):
        use_cuda = True

    def run(cls, settings):
        torch.manual_seed(0)
        return cls(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)), settings)(torch.randn(5, 3), torch.randn(5, 3))

    with FakeTensorMode():  # a machine with an accelerator, a run that stays on the CPU
        try:
            run(Penalty, Machine)
            raise AssertionError("shares on cuda met samples on the CPU")
        except (RuntimeError, AssertionError) as err:
            assert "device" in str(err) or "CUDA" in str(err), err
    for cls in (PenaltyThere, PenaltyAsked, PenaltyDrawnOnce):
        assert run(cls, Machine) > 0
