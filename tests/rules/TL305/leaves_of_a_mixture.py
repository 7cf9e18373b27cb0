"""A mixture of detached values that is asked for its own gradient is a leaf, as in a penalty on gradients."""

import torch
from torch import nn
from torch.autograd import Variable

critic = nn.Linear(2, 1)
generator = nn.Linear(2, 2)


def penalty(score, point):
    slope = torch.autograd.grad(score, point, torch.ones_like(score), create_graph=True)[0]
    return ((slope.norm(dim=1) - 1) ** 2).mean()


def asked_in_a_helper(real, noise):
    fake = generator(noise)
    share = torch.rand(real.size(0), 1)
    between = (share * real.data + (1 - share) * fake.data).requires_grad_(True)  # ok: TL305
    loss = critic(fake.detach()).mean() - critic(real).mean() + penalty(critic(between), between)
    loss.backward()


def asked_in_a_helper_as_a_variable(real, noise):
    fake = generator(noise)
    share = torch.rand(real.size(0), 1)
    between = Variable(share * real.data + (1 - share) * fake.data, requires_grad=True)  # ok: TL305
    loss = critic(fake.detach()).mean() + penalty(critic(between), between)
    loss.backward()


def asked_of_a_variable_without(real, noise):
    fake = generator(noise)
    term = Variable(0.5 * fake.data, requires_grad=False)  # expect: TL305
    loss = fake.pow(2).sum() + term.sum() + penalty(critic(real.requires_grad_()), real)
    loss.backward()
    return generator.weight.grad


def asked_by_nobody(noise):
    fake = generator(noise)
    term = (0.5 * fake.detach()).requires_grad_(True)  # expect: TL305
    loss = fake.pow(2).sum() + term.sum()
    loss.backward()


def beside_a_recorded_value(real, noise):
    fake = generator(noise)
    term = generator(real) + 0.5 * fake.detach()  # expect: TL305
    term.requires_grad_(True)
    loss = fake.pow(2).sum() + term.sum()
    loss.backward()
    return generator.weight.grad


def demonstrate():
    real, noise = torch.ones(3, 2), torch.randn(3, 2)
    for run in (asked_in_a_helper, asked_in_a_helper_as_a_variable):
        run(real, noise)
        assert generator.weight.grad is None
        assert critic.weight.grad is not None
    asked_by_nobody(noise)
    with_term = generator.bias.grad.clone()
    generator.zero_grad()
    generator(noise).pow(2).sum().backward()
    assert torch.equal(with_term, generator.bias.grad)
