"""Who moves the items of a batch one by one is given the batch on the CPU, with all that is computed before."""

import torch
from torch.nn import functional as F


class Learner:
    def __init__(self, critic, device, on_cuda):
        self.critic = critic
        self.device = device
        self.on_cuda = on_cuda

    def learn(self, batch):
        actions, states = batch["actions"], batch["states"][:, :1]
        later = actions[:, 1:]
        ending = torch.zeros(*actions[:, -1].shape, dtype=torch.long).unsqueeze(1)  # ok: TL204  moved after that
        later = torch.cat((later, ending), dim=1)
        if self.on_cuda:
            actions = actions.cuda()
            later = later.cuda()
        states = states.to(self.device)
        return F.mse_loss(self.critic(states), (actions + later).float()[:, :1, None])

    def learn_from(self, batch):
        names = torch.eye(2).unsqueeze(0).expand(2, -1, -1)  # ok: TL204  so is this
        states = torch.cat([batch["states"][:, :2], names], dim=-1)
        rewards = batch["rewards"][:, :1].to(self.device)
        return F.mse_loss(self.critic(states.to(self.device)).sum(), rewards.sum())

    def learn_in_place(self, batch):
        ending = torch.zeros(2, 1)  # expect: TL204
        later = torch.cat((batch["rewards"], ending), dim=1)
        return F.mse_loss(self.critic(batch["states"]).sum(), later.sum())


def demonstrate():
    learner = Learner(lambda x: x[:, :1, :1], "cpu", on_cuda=torch.cuda.is_available())
    batch = {"actions": torch.ones(2, 3, dtype=torch.long), "states": torch.ones(2, 2, 2), "rewards": torch.ones(2, 3)}
    assert learner.learn(batch).ndim == learner.learn_from(batch).ndim == 0
    on_meta = {name: value.to("meta") for name, value in batch.items()}
    try:
        learner.learn_in_place(on_meta)
    except (RuntimeError, NotImplementedError) as error:
        assert "meta" in str(error)
    else:
        raise AssertionError("tensors of two devices were combined")


if __name__ == "__main__":
    demonstrate()
