"""An optimizer runs its closure inside of step(): LBFGS again after each of its writes."""

import torch
import torch.nn.functional as F


class Problem:
    def __init__(self, net, x, y):
        self.net, self.x, self.y = net, x, y
        self.search = torch.optim.LBFGS(net.parameters(), max_iter=5)
        self.simple = torch.optim.SGD(net.parameters(), lr=0.1)

    def closure(self):
        self.search.zero_grad()
        loss = F.mse_loss(self.net(self.x), self.y)
        loss.backward()
        return loss

    def fresh(self):
        torch.clear_autocast_cache()
        return self.closure()

    def searched(self):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.search.step(self.closure)  # expect: TL408

    def searched_by_keyword(self):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.search.step(closure=self.closure)  # expect: TL408

    def searched_on_the_spot(self):
        def closure():
            self.search.zero_grad()
            loss = F.mse_loss(self.net(self.x), self.y)
            loss.backward()
            return loss

        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.search.step(closure)  # expect: TL408

    def cleared(self):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.search.step(self.fresh)  # ok: TL408

    def once(self):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.simple.step(self.closure)  # ok: TL408

    def again(self):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for _ in range(3):
                self.simple.step(self.closure)  # expect: TL408

    def region_inside(self):
        def closure():
            self.search.zero_grad()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = self.net(self.x)
            loss = F.mse_loss(out.float(), self.y)
            loss.backward()
            return loss

        self.search.step(closure)  # ok: TL408
