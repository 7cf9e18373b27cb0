"""A loader converts to the dtype that its caller names; what is trained is converted where it is named."""

import torch
from torch import nn


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 1)

    def forward(self, x):
        return self.inner(x)

    @classmethod
    def loaded(cls, state=None, dtype=None):
        body = cls()
        if state is not None:
            body.load_state_dict(state)
        return body if dtype is None else body.to(dtype)


def made(kind, wish=torch.float32):
    return kind().to(device="cpu", dtype=wish)


def weights_of(body):
    return list(body.parameters())


def trained_ones(body):
    return [p for p in body.parameters() if p.requires_grad]


class Fit:
    def run(self, x):
        body = Body.loaded(dtype=torch.float16)  # expect: TL404
        opt = torch.optim.SGD(weights_of(body), lr=0.1)
        return self.step(body, opt, x)

    def run_wide(self, x):
        body = Body.loaded(dtype=torch.float32)  # ok: TL404
        opt = torch.optim.SGD(weights_of(body), lr=0.1)
        return self.step(body, opt, x)

    def run_some(self, x):
        body = Body.loaded()
        body.requires_grad_(False)
        body.inner.half()  # ok: TL404
        opt = torch.optim.SGD(trained_ones(body), lr=0.1)
        return self.step(body, opt, x)

    def run_by_function(self, x):
        body = made(Body, torch.half)  # expect: TL404
        opt = torch.optim.SGD(body.parameters(), lr=0.1)
        return self.step(body, opt, x)

    def run_by_function_wide(self, x):
        body = made(Body)  # ok: TL404
        opt = torch.optim.SGD(body.parameters(), lr=0.1)
        return self.step(body, opt, x)

    def step(self, body, opt, x):
        scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
        with torch.autocast("cpu", dtype=torch.float16):
            loss = body(x).float().square().mean()
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        scaler.step(opt)
        scaler.update()


def shown(x):
    body = Body.loaded(dtype=torch.float16).eval()  # ok: TL404
    with torch.no_grad():
        return body(x.half())
