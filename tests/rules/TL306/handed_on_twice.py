"""A memory turns errors into priorities; two calls further up they come from a network."""
import torch
from torch import nn


class Memory:
    def __init__(self):
        self.alpha = 0.6
        self.tree = []

    def add(self, error=100.0):
        self.tree.append(self.priority(torch.zeros(1).fill_(error)))

    def priority(self, error):
        return torch.pow(error + 1e-6, self.alpha).squeeze_().numpy()  # expect: TL306

    def priority_on_cpu(self, error):
        return torch.pow(error + 1e-6, self.alpha).cpu().numpy()  # ok: TL306

    def update_priorities(self, errors):
        self.tree = [self.priority(errors), self.priority_on_cpu(errors)]


class Agent:
    def __init__(self, net: nn.Module, device):
        self.net = net.to(device)
        self.device = device
        self.memory = Memory()

    @torch.no_grad()
    def judge(self, states, targets):
        errors = torch.abs(targets.to(self.device) - self.net(states.to(self.device)))
        self.memory.update_priorities(errors.sum(dim=1))


def demonstrate():
    Agent(nn.Linear(2, 2), "cpu").judge(torch.ones(3, 2), torch.ones(3, 2))
    Memory().add()
    away = Agent(nn.Linear(2, 2).to_empty(device="meta"), "meta")
    try:
        away.judge(torch.ones(3, 2), torch.ones(3, 2))
    except TypeError as error:
        assert "Tensor.cpu()" in str(error)
    else:
        raise AssertionError("numpy took a tensor of another device")
