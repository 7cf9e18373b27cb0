"""Adversarial training with one scaler: a clip helper is called for both players, but only one of them was unscaled before.

source: ESAOpenSR/SRGAN#88, victorchall/EveryDream2trainer#175, neosr-project/neosr#9
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Player:
    def __init__(self, net, lr):
        self.net, self.opt = net.to(KIND), torch.optim.SGD(net.parameters(), lr=lr)

    def limit(self, most):
        return nn.utils.clip_grad_norm_(self.net.parameters(), most)  # use: TL406


class Duel:
    most = 1.0

    def __init__(self):
        self.maker = Player(nn.Linear(2, 4), 0.5)
        self.judge = Player(nn.Linear(4, 1), 0.5)
        self.scaler = torch.amp.GradScaler(KIND)

    def scored(self, x, real):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            out = self.judge.net(x)
        return F.binary_cross_entropy_with_logits(out.float(), torch.full_like(out, real, dtype=torch.float32))

    def judge_step(self, real, seed):
        self.judge.opt.zero_grad()
        fake = self.maker.net(seed).detach()
        self.scaler.scale(self.scored(real, 1.0) + self.scored(fake, 0.0)).backward()
        self.judge.limit(self.most)  # expect: TL406
        self.scaler.step(self.judge.opt)

    def maker_step(self, seed):
        self.maker.opt.zero_grad()
        self.scaler.scale(self.scored(self.maker.net(seed), 1.0)).backward()
        self.scaler.unscale_(self.maker.opt)
        self.maker.limit(self.most)  # ok: TL406
        self.scaler.step(self.maker.opt)

    def round(self, real, seed):
        self.judge_step(real, seed)
        self.maker_step(seed)
        self.scaler.update()


class FairDuel(Duel):
    def judge_step(self, real, seed):
        self.judge.opt.zero_grad()
        fake = self.maker.net(seed).detach()
        self.scaler.scale(self.scored(real, 1.0) + self.scored(fake, 0.0)).backward()
        for player in (self.judge,):
            self.scaler.unscale_(player.opt)
            player.limit(self.most)  # ok: TL406
        self.scaler.step(self.judge.opt)


def demonstrate():
    def path(cls):
        torch.manual_seed(0)
        duel = cls()
        before = [p.net.weight.detach().clone() for p in (duel.judge, duel.maker)]
        duel.round(torch.randn(8, 4, device=KIND), torch.randn(8, 2, device=KIND))
        return [(p.net.weight - w).norm().item() for p, w in zip((duel.judge, duel.maker), before)]

    (judge, maker), (fair, _) = path(Duel), path(FairDuel)
    assert maker > 1e-4 and fair > 1e-3
    assert judge < fair / 1000, (judge, fair)
