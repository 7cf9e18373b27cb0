"""step() of a schedule or of a world asks for no gradient, and a number that a caller keeps cannot be differentiated."""
import torch
from torch import nn
from torch.nn.functional import mse_loss
from torch.optim.lr_scheduler import ReduceLROnPlateau

held = []


def validated(net, loader):
    net.eval()  # expect: TL304
    right = 0
    for x, y in loader:
        out = net(x)
        held.append(out)
        right += (out == y).sum().data
    return right, len(loader)


def scheduled(net, loader, optimizer):
    scheduler = ReduceLROnPlateau(optimizer, "max")
    for _ in range(2):
        right, _ = validated(net, loader)
        scheduler.step(right)


def in_one_function(net, loader, optimizer, scheduler):
    for _ in range(2):
        net.train()
        for x, y in loader:
            mse_loss(net(x), y).backward()
            optimizer.step()
        net.eval()  # expect: TL304
        for x, _ in loader:
            held.append(net(x))
        scheduler.step(len(held))


def adapted(net, loader, optimizer):
    net.eval()  # ok: TL304  the optimizer has a use for gradients
    for x, _ in loader:
        held.append(net(x))
    optimizer.step()


def played(policy, env):
    policy.eval()  # expect: TL304
    for _ in range(2):
        action = policy(env.reset())
        held.append(action)
        state, reward, done, info = env.step(action.detach())


def played_on(policy, env):
    policy.eval()  # todo: TL304  what a round leaves for the next is not seen as its input
    state, done = env.reset(), False
    while not done:
        action = policy(state)
        held.append(action)
        state, reward, done, info = env.step(action.detach())


class Trainer:
    def __init__(self, model):
        self.model = model
        self.best = 0.0

    def loss_of(self, loader):
        self.model.eval()  # expect: TL304
        total = 0.0
        for x, y in loader:
            out = self.model(x)
            held.append(out)
            total += mse_loss(out, y).item()  # note: TL307
        return total

    def penalty_of(self, loader):
        self.model.eval()  # ok: TL304  the caller keeps it, and may differentiate it
        return sum(mse_loss(self.model(x), y) for x, y in loader)

    def fit(self, loader):
        self.best = self.loss_of(loader)
        self.penalty = self.penalty_of(loader)


class World:
    def reset(self):
        return torch.ones(1, 2)

    def step(self, action):
        return action, 1.0, True, {}


def demonstrate():
    net, loader = nn.Linear(2, 2), [(torch.ones(1, 2), torch.zeros(1, 2))]
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for run in (
        lambda: scheduled(net, loader, optimizer),
        lambda: in_one_function(net, loader, optimizer, ReduceLROnPlateau(optimizer)),
        lambda: adapted(net, loader, optimizer),
        lambda: played(net, World()),
        lambda: played_on(net, World()),
        lambda: Trainer(net).fit(loader),
    ):
        held.clear()
        run()
        assert held[-1].requires_grad
