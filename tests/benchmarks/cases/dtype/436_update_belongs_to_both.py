"""Two optimizers share one scaler; the sleepy one is skipped after it was unscaled, and the early return takes update() along.

source: alternating trainers with one GradScaler ("unscale_() has already been called on this optimizer since the last update()"); Haian-Jin/LVSM#19 kind
rules: [TL406]
"""
import math

import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Pair:
    def __init__(self):
        torch.manual_seed(0)
        self.parts = {"maker": nn.Linear(3, 3).to(KIND), "judge": nn.Linear(3, 1).to(KIND)}
        self.opts = {k: torch.optim.SGD(m.parameters(), lr=0.1) for k, m in self.parts.items()}
        self.scaler = torch.amp.GradScaler(KIND, init_scale=64.0)

    def slope(self, who):
        return nn.utils.get_total_norm([p.grad for p in self.parts[who].parameters()])

    def pull(self, x):
        for opt in self.opts.values():
            opt.zero_grad()
        with torch.autocast(KIND, dtype=torch.bfloat16):
            loss = self.parts["judge"](self.parts["maker"](x)).pow(2).mean()
        self.scaler.scale(loss).backward()

    def run(self, batches, limit):
        for x in batches:
            self.pull(x)
            self.settle(limit)


class Returning(Pair):
    def settle(self, limit):
        opt = self.opts["judge"]
        self.scaler.step(self.opts["maker"])
        self.scaler.unscale_(opt)
        if not math.isfinite(limit) or self.slope("judge") > limit:
            return  # use: TL406
        self.scaler.step(opt)  # use: TL406
        self.scaler.update()  # expect: TL406


class Finishing(Pair):
    def settle(self, limit):
        opt = self.opts["judge"]
        self.scaler.step(self.opts["maker"])
        self.scaler.unscale_(opt)
        if math.isfinite(limit) and self.slope("judge") <= limit:
            self.scaler.step(opt)
        self.scaler.update()  # ok: TL406


class Early(Pair):
    """Decides before anything is unscaled; a skipped batch leaves no trace in the scaler."""

    def settle(self, limit):
        if not math.isfinite(limit):
            return  # ok: TL406
        for opt in self.opts.values():
            self.scaler.step(opt)
        self.scaler.update()


def demonstrate():
    batches = [torch.randn(4, 3, device=KIND) for _ in range(3)]
    try:
        Returning().run(batches, limit=0.0)
        raise AssertionError("the second batch was unscaled")
    except RuntimeError as err:
        assert "update()" in str(err), err
    Returning().run(batches, limit=1e9)
    for kind in (Finishing, Early):
        for limit in (0.0, math.inf, 1e9):
            kind().run(batches, limit)
