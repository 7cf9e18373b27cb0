"""A rollout store makes tensors in two steps, and its viewer widens observations on the device before it fetches them.

source: idioms of policy-gradient code: torch.tensor(list).float(), frames.float().cpu()
rules: [TL307]
"""
import torch
from torch import nn


class RolloutStore:
    def __init__(self, device):
        self.device = device
        self.rewards, self.dones, self.frames = [], [], []

    def add(self, frame, reward, done):
        self.frames.append(frame)
        self.rewards.append(reward)
        self.dones.append(done)

    def columns(self):
        rewards = torch.tensor(self.rewards).float()  # expect: TL307
        dones = torch.tensor(self.dones).float()  # expect: TL307
        return rewards.to(self.device), dones.to(self.device)

    def columns_direct(self):
        rewards = torch.tensor(self.rewards, dtype=torch.float32, device=self.device)  # ok: TL307
        dones = torch.tensor(self.dones, dtype=torch.float32, device=self.device)  # ok: TL307
        return rewards, dones

    def pictures(self):
        return torch.stack(self.frames).to(self.device).half()

    def view(self):
        return self.pictures().float().cpu()  # expect: TL307

    def view_narrow(self):
        return self.pictures().cpu().float()  # ok: TL307


class Baseline(nn.Module):
    def __init__(self, frames):
        super().__init__()
        self.net = nn.Linear(frames, 1)

    def forward(self, frames):
        return self.net(frames.flatten(1).float()).squeeze(1)  # ok: TL307


def regress(baseline, opt, store, epochs=3):
    rewards, _ = store.columns_direct()
    frames = store.pictures()
    for _ in range(epochs):
        loss = (baseline(frames) - rewards).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()  # ok: TL307


def demonstrate():
    torch.manual_seed(0)
    store = RolloutStore("cpu")
    for i in range(4):
        store.add(torch.randint(0, 255, (2, 2), dtype=torch.uint8), i, i == 3)
    assert all(torch.equal(a, b) for a, b in zip(store.columns(), store.columns_direct()))
    wide = store.pictures().float()
    assert wide.element_size() == 2 * store.pictures().element_size()  # twice the bytes travel
    assert torch.equal(store.view(), store.view_narrow())
    baseline = Baseline(4)
    regress(baseline, torch.optim.SGD(baseline.parameters(), lr=1e-6), store)
