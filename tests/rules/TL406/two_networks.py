"""Two networks and two optimizers share a scaler and one update; each has its own backward pass."""
import torch
from torch import nn
from torch.cuda import amp
from torch.nn.utils import clip_grad_norm_


class Trainer:
    def __init__(self, generator, critic, fp16=True):
        self.generator, self.critic = generator, critic
        self.optim_g = torch.optim.Adam(generator.parameters())
        self.optim_d = torch.optim.Adam(critic.parameters())
        self.scaler = amp.GradScaler(enabled=fp16)

    def round(self, real, noise):
        self.optim_d.zero_grad()
        loss_d = self.critic(self.generator(noise).detach()).mean() - self.critic(real).mean()
        self.scaler.scale(loss_d).backward()
        self.scaler.unscale_(self.optim_d)
        clip_grad_norm_(self.critic.parameters(), 1.0)  # ok: TL406
        self.scaler.step(self.optim_d)  # ok: TL406  the update at the end is for both
        self.optim_g.zero_grad()
        loss_g = -self.critic(self.generator(noise)).mean()
        self.scaler.scale(loss_g).backward()
        clip_grad_norm_(self.generator.parameters(), 1.0)  # expect: TL406
        self.scaler.step(self.optim_g)
        self.scaler.update()  # ok: TL406

    def round_without_scale_for_one(self, real, noise):
        loss_d = self.critic(self.generator(noise).detach()).mean() - self.critic(real).mean()
        self.scaler.scale(loss_d).backward()
        self.scaler.step(self.optim_d)
        self.scaler.update()
        loss_g = -self.critic(self.generator(noise)).mean()
        loss_g.backward()
        clip_grad_norm_(self.generator.parameters(), 1.0)  # ok: TL406  this loss is not scaled
        self.optim_g.step()  # ok: TL406

    def critic_first(self, real, noise, rounds):
        for _ in range(rounds):
            loss_d = self.critic(self.generator(noise).detach()).mean() - self.critic(real).mean()
            self.scaler.scale(loss_d).backward()
            self.scaler.step(self.optim_d)  # expect: TL406
        self.scaler.scale(-self.critic(self.generator(noise)).mean()).backward()
        self.scaler.step(self.optim_g)
        self.scaler.update()

    def each_optimizer(self, loss):
        self.scaler.scale(loss).backward()
        for optimizer in (self.optim_d, self.optim_g):
            self.scaler.step(optimizer)  # ok: TL406  another optimizer each time
        self.scaler.update()

    def now_and_then(self, step, real, noise):
        self.scaler.scale(self.critic(real).mean()).backward()
        self.scaler.step(self.optim_d)
        if step % 5 == 0:
            self.scaler.scale(-self.critic(self.generator(noise)).mean()).backward()
            self.scaler.step(self.optim_g)  # ok: TL406
        self.scaler.update()  # ok: TL406  the critic steps in every round

    def step_without_the_scaler(self, real, noise):
        self.scaler.scale(self.critic(real).mean()).backward()
        self.optim_d.step()  # expect: TL406
        self.scaler.scale(-self.critic(self.generator(noise)).mean()).backward()
        self.scaler.step(self.optim_g)
        self.scaler.update()

    def another_step_after(self, real, noise, loss):
        loss.backward()
        self.scaler.scale(-self.critic(self.generator(noise)).mean()).backward()
        self.scaler.step(self.optim_g)
        self.optim_d.step()  # ok: TL406  the scaled loss was for the other
        self.scaler.update()


def demonstrate():
    trainer = Trainer(nn.Linear(2, 3), nn.Linear(3, 1))
    trainer.scaler = torch.amp.GradScaler("cpu")
    real, noise = torch.randn(4, 3), torch.randn(4, 2)
    trainer.round(real, noise)
    trainer.now_and_then(1, real, noise)
    before = trainer.critic.weight.detach().clone()
    trainer.optim_d = torch.optim.SGD(trainer.critic.parameters(), lr=1.0)
    trainer.step_without_the_scaler(real, noise)
    assert (trainer.critic.weight - before).norm() > 100
    trainer.another_step_after(real, noise, trainer.critic(real).square().mean())
    trainer.critic_first(real, noise, 1)
    try:
        trainer.critic_first(real, noise, 2)
        raise AssertionError("two steps without an update")
    except RuntimeError as error:
        assert "since the last update" in str(error)
