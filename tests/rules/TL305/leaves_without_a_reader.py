"""A loss that is made a leaf can be backpropagated and reaches nothing; a leaf whose gradient is read is meant."""
import torch
from torch import nn
from torch.autograd import Variable
from torch.nn import functional as F


def wrapped(model, x, y, optimizer):
    loss = F.mse_loss(model(x), y)
    loss = Variable(loss, requires_grad=True)  # expect: TL305
    loss.backward()
    optimizer.step()


def detached(model, x, y, optimizer):
    loss = F.mse_loss(model(x), y).detach()  # expect: TL305
    loss.requires_grad = True
    loss.backward()
    optimizer.step()


def in_parts(model, head, x, y):
    out = model(x)
    leaf = out.detach().requires_grad_()  # ok: TL305  its gradient is handed on
    F.mse_loss(head(leaf), y).backward()
    out.backward(leaf.grad)


def searched(model, x, y):
    code = model(x).detach().requires_grad_()  # ok: TL305  the code itself is optimized
    optimizer = torch.optim.SGD([code], lr=0.1)
    F.mse_loss(code, y).backward()
    optimizer.step()
    return code


def penalised(critic, generator, x, z):
    mixed = Variable(0.5 * x + 0.5 * generator(z), requires_grad=True)  # ok: TL305  the critic's gradient is asked for
    score = critic(mixed).sum()
    (slope,) = torch.autograd.grad(score, mixed, create_graph=True)
    (slope.norm(2, dim=1) - 1).pow(2).mean().backward()


def inputs(model, x, y):
    x = Variable(x, requires_grad=True)  # ok: TL305  an input
    F.mse_loss(model(x), y).backward()


def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(3, 2), torch.randn(3, 2)

    def gradient(run):
        model = nn.Linear(2, 2)
        run(model, torch.optim.SGD(model.parameters(), lr=0.0))
        return model.weight.grad

    assert gradient(lambda model, optimizer: wrapped(model, x, y, optimizer)) is None
    assert gradient(lambda model, optimizer: detached(model, x, y, optimizer)) is None
    assert gradient(lambda model, _: in_parts(model, nn.Linear(2, 2), x, y)) is not None
    assert gradient(lambda model, _: penalised(model, nn.Linear(2, 2), x, y)) is not None
    assert gradient(lambda model, _: inputs(model, x, y)) is not None
    assert searched(nn.Linear(2, 2), x, y).grad is not None
