"""The model that trains is the object itself, or lies under another name: the step writes what runs."""
import torch
from torch import nn


class SelfTrained(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.body = nn.Linear(dim, dim)
        self.head = nn.Linear(dim, 1)
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        self.head_optimizer = torch.optim.SGD(self.head.parameters(), lr=0.1)

    def forward(self, x):
        return self.head(self.body(x))

    def fit(self, batches):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for batch in batches:
                self.optimizer.zero_grad()
                self(batch).square().mean().backward()  # note: TL402
                self.optimizer.step()  # expect: TL408

    def fit_head(self, batches):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for batch in batches:
                self.head(batch).square().mean().backward()  # note: TL402
                self.head_optimizer.step()  # expect: TL408

    def features(self, batches):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            outputs = []
            for batch in batches:
                outputs.append(self.body(batch))
                self.head_optimizer.step()  # ok: TL408  the body is not in this optimizer
            return outputs


class Wrapped:
    def __init__(self, model):
        self.net = nn.DataParallel(model)
        self.opt = torch.optim.AdamW([{"params": self.net.parameters()}], lr=1e-3)

    def fit(self, batches):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for batch in batches:
                self.net(batch).mean().backward()  # note: TL402
                self.opt.step()  # expect: TL408
                self.opt.zero_grad()

    def checked(self, batches, other):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            for batch in batches:
                other(batch)
                self.opt.step()  # ok: TL408  another model runs


def demonstrate():
    torch.manual_seed(0)
    model, x = SelfTrained(), torch.randn(3, 4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        first = model(x)
        first.square().mean().backward()  # note: TL402
        model.optimizer.step()  # expect: TL408
        assert torch.equal(first, model(x))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert not torch.equal(first, model(x))
