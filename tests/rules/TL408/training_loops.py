"""A loop inside the region leads from the step back to the pass; a region inside the loop does not."""
from contextlib import nullcontext

import torch
import torch.nn.functional as F
from torch import nn
from torch.cuda import amp


class Trainer:
    def __init__(self, model, lr=0.1, use_amp=True):
        self.model = model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cpu", enabled=use_amp)
        self.context = torch.autocast("cpu", dtype=torch.bfloat16) if use_amp else nullcontext()

    def epoch(self, loader):
        losses = []
        with self.context:
            for x, y in loader:
                self.optimizer.zero_grad()
                loss = F.mse_loss(self.model(x), y)
                self.scaler.scale(loss).backward()  # note: TL402
                self.scaler.step(self.optimizer)  # expect: TL408
                self.scaler.update()
                losses.append(loss.detach())
        return losses

    @torch.autocast("cpu", dtype=torch.bfloat16)
    def epoch_decorated(self, loader):
        losses = []
        for x, y in loader:
            loss = self._loss(x, y)
            self.optimizer.zero_grad()
            loss.backward()  # note: TL402
            self._advance()
            losses.append(loss.detach())
        return losses

    def _loss(self, x, y):
        return F.mse_loss(self.model(x), y)

    def _advance(self):
        self.optimizer.step()  # expect: TL408

    def epoch_fixed(self, loader):
        losses = []
        for x, y in loader:
            with self.context:
                loss = self._loss(x, y)
            self.optimizer.zero_grad()
            loss.backward()
            self._advance()  # ok: TL408  after the region
            losses.append(loss.detach())
        return losses

    def epoch_with_the_step_inside(self, loader):
        losses = []
        for x, y in loader:
            with self.context:
                loss = self._loss(x, y)
                self.optimizer.zero_grad()
                loss.backward()  # note: TL402
                self.optimizer.step()  # ok: TL408  the last thing in the region
            losses.append(loss.detach())
        return losses


def whole_run_in_a_region(model, optimizer, loader):
    with amp.autocast():
        return run_epochs(model, optimizer, loader)


def run_epochs(model, optimizer, loader):
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()  # note: TL402
        optimizer.step()  # expect: TL408


def one_step(model, optimizer, x, y):
    loss = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()  # note: TL402
    optimizer.step()  # ok: TL408  no loop here


def steps_in_a_region(model, optimizer, loader):
    with amp.autocast():
        for x, y in loader:
            one_step(model, optimizer, x, y)  # expect: TL408


def a_region_for_each_step(model, optimizer, loader):
    for x, y in loader:
        with amp.autocast():
            one_step(model, optimizer, x, y)  # ok: TL408


def by_hand(model, loader, rate):
    with amp.autocast():
        for x, y in loader:
            loss = F.mse_loss(model(x), y)
            gradients = torch.autograd.grad(loss, list(model.parameters()))
            with torch.no_grad():
                for p, gradient in zip(model.parameters(), gradients):
                    p -= rate * gradient  # expect: TL408


def adversarial(generator, critic, loader, noise):
    opt_g = torch.optim.Adam(generator.parameters())
    opt_d = torch.optim.Adam(critic.parameters())
    for real in loader:
        with amp.autocast():
            fake = generator(noise)
            loss_d = critic(fake.detach()).mean() - critic(real).mean()
            loss_d.backward()  # note: TL402
            opt_d.step()  # expect: TL408
            loss_g = -critic(fake).mean()
            loss_g.backward()  # note: TL402
            opt_g.step()  # ok: TL408  the generator does not run again


def inverted(generator, target, steps):
    latent = torch.zeros(1, 4, requires_grad=True)
    optimizer = torch.optim.Adam([latent])
    with amp.autocast():
        for _ in range(steps):
            loss = (generator(latent) - target).square().mean()
            loss.backward()  # note: TL402
            optimizer.step()  # ok: TL408  what is trained is the input


def predicted(model, loader):
    outputs = []
    with amp.autocast(), torch.no_grad():
        for x in loader:
            outputs.append(model(x))
    return outputs


def by_sharpness(model, optimizer, x, y):
    with amp.autocast():
        F.mse_loss(model(x), y).backward()  # note: TL402
        optimizer.first_step(zero_grad=True)  # expect: TL408
        F.mse_loss(model(x), y).backward()  # note: TL402
    optimizer.second_step(zero_grad=True)  # ok: TL408


def demonstrate():
    def losses(epoch):
        torch.manual_seed(0)
        x = torch.randn(8, 4)
        trainer = Trainer(nn.Linear(4, 1))
        return getattr(trainer, epoch)([(x, x.sum(1, keepdim=True))] * 5)

    for epoch in ("epoch", "epoch_decorated"):
        found = losses(epoch)
        assert all(torch.equal(one, found[0]) for one in found)
    for epoch in ("epoch_fixed", "epoch_with_the_step_inside"):
        found = losses(epoch)
        assert found[-1] < found[0]
