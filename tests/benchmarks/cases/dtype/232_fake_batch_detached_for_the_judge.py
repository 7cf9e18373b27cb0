"""The judge's loss detaches the shared batch entry; the maker's loss, which comes next, reads the same entry and trains nobody.

source: GAN re-implementations that cache one generated batch for both players; kengz/SLM-Lab#133 kind
rules: [TL305]
"""
import torch
import torch.nn.functional as F
from torch import nn


class Game:
    def __init__(self):
        self.maker, self.judge = nn.Linear(2, 3), nn.Linear(3, 1)
        both = [*self.maker.parameters(), *self.judge.parameters()]
        self.opt = torch.optim.SGD(both, lr=0.1)

    def verdict(self, x, real):
        logits = self.judge(x)
        return F.binary_cross_entropy_with_logits(logits, torch.full_like(logits, real))

    def objective(self, real, seed):
        fake = self.maker(seed)
        fake = fake.detach()  # expect: TL305
        judge = self.verdict(real, 1.0) + self.verdict(fake, 0.0)
        maker = self.verdict(fake, 1.0) + 0.1 * (fake.mean(0) - real.mean(0)).square().sum()
        return judge + maker

    def step(self, real, seed):
        self.opt.zero_grad(set_to_none=True)
        loss = self.objective(real, seed)
        loss.backward()
        self.opt.step()
        return loss.detach()


class TwoNames(Game):
    def objective(self, real, seed):
        fake = self.maker(seed)
        still = fake.detach()  # ok: TL305
        judge = self.verdict(real, 1.0) + self.verdict(still, 0.0)
        return judge + self.verdict(fake, 1.0)


class InTurns(Game):
    """The judge's turn uses a detached batch; the maker's turn draws a new one under the same name."""

    def judge_turn(self, real, seed):
        fake = self.maker(seed)
        fake = fake.detach()  # ok: TL305
        return self.verdict(real, 1.0) + self.verdict(fake, 0.0)

    def maker_turn(self, seed):
        fake = self.maker(seed)
        return self.verdict(fake, 1.0)

    def objective(self, real, seed):
        return self.judge_turn(real, seed) + self.maker_turn(seed)


def demonstrate():
    real, seed = torch.randn(4, 3), torch.randn(4, 2)
    for cls, learns in ((Game, False), (TwoNames, True), (InTurns, True)):
        game = cls()
        game.step(real, seed)
        assert game.judge.weight.grad is not None
        assert (game.maker.weight.grad is not None) is learns, cls
