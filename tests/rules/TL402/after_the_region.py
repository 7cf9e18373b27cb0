"""Training steps that leave the region first: none of these backward passes runs in one."""
import contextlib

import torch
from torch import nn
from torch.nn import functional as F

MIXED = torch.autocast("cpu", dtype=torch.bfloat16)


class Trainer:
    def __init__(self, model: nn.Module, amp: bool = True):
        self.model, self.amp = model, amp
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.context = torch.autocast("cpu", dtype=torch.bfloat16, enabled=amp)

    def loss(self, x):
        with self.context:
            return self.model(x).float().square().mean()

    def by_method(self, x):
        self.loss(x).backward()  # ok: TL402
        self.optimizer.step()

    def by_steps(self, batches):
        for index, x in enumerate(batches):
            with self.context:
                loss = self.model(x).float().square().mean() / 2
            loss.backward()  # ok: TL402
            if index % 2:
                self.optimizer.step()
                self.optimizer.zero_grad()

    def by_flag(self, x):
        if self.amp:
            with MIXED:
                loss = self.model(x).float().square().mean()
            loss.backward()  # ok: TL402
        else:
            loss = self.model(x).square().mean()
            loss.backward()  # ok: TL402

    @contextlib.contextmanager
    def step(self):
        self.optimizer.zero_grad()
        with MIXED:
            yield
        self.optimizer.step()

    def by_hook(self, x):
        with MIXED:
            output = self.model(x)
        target = torch.zeros_like(output)
        losses = [F.mse_loss(output.float(), target.float()), output.float().abs().mean()]
        sum(losses).backward()  # ok: TL402


def by_two(generator: nn.Linear, critic: nn.Linear, x):
    with MIXED:
        fake = generator(x)
        loss_d = critic(fake.detach()).float().mean()
    loss_d.backward()  # ok: TL402
    with MIXED:
        loss_g = -critic(fake).float().mean()
    loss_g.backward()  # ok: TL402


def by_enter(model: nn.Linear, x):
    MIXED.__enter__()
    loss = model(x).float().mean()
    MIXED.__exit__(None, None, None)
    loss.backward()  # ok: TL402


def by_switched_off(model: nn.Linear, x):
    with torch.autocast("cpu", enabled=False):
        model(x).mean().backward()  # ok: TL402


def by_float32(model: nn.Linear, x):
    with contextlib.nullcontext():
        model(x).mean().backward()  # ok: TL402


def by_closure(model: nn.Linear, optimizer, x):
    def closure():
        optimizer.zero_grad()
        with MIXED:
            loss = model(x).float().mean()
        loss.backward()  # ok: TL402
        return loss

    optimizer.step(closure)


def by_try(model: nn.Linear, x):
    try:
        with MIXED:
            loss = model(x).float().mean()
        loss.backward()  # ok: TL402
    except RuntimeError:
        model.zero_grad()


def by_stack(model: nn.Linear, x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(MIXED)
        loss = model(x).float().mean()
    loss.backward()  # ok: TL402


def by_name(history, x):
    with MIXED:
        history.append_backward(x)  # ok: TL402  no backward pass
        return history.backwards  # ok: TL402


def by_helper(loss):
    loss.backward()  # ok: TL402  its callers are outside


def by_unscaled(model: nn.Linear, scaler, x):
    with MIXED:
        loss = model(x).float().mean()
    scaler.scale(loss).backward()  # ok: TL402


def by_retained(model: nn.Linear, x):
    with MIXED:
        loss = model(x).float().mean()
    loss.backward(retain_graph=True)  # ok: TL402
    by_helper(loss)


def demonstrate():
    x = torch.rand(2, 4)
    trainer = Trainer(nn.Linear(4, 4))
    trainer.by_method(x)
    trainer.by_steps([x, x])
    trainer.by_flag(x)
    trainer.by_hook(x)
    by_two(nn.Linear(4, 4), nn.Linear(4, 4), x)
    for run in (by_enter, by_switched_off, by_float32, by_try, by_stack, by_retained):
        run(nn.Linear(4, 4), x)
    model = nn.Linear(4, 4)
    by_closure(model, torch.optim.SGD(model.parameters(), lr=0.1), x)
