"""A term of the loss that is detached or made a number is added for nothing; elsewhere a detach is what was meant."""
from argparse import Namespace

import torch
from torch import nn
from torch.nn import functional as F


def with_item(model, x, y, optimizer):
    out = model(x)
    loss = F.mse_loss(out, y)
    loss = loss + 0.1 * out.abs().mean().item()  # expect: TL305  # note: TL307
    loss.backward()
    optimizer.step()


def with_detach(model, x, y, optimizer):
    out = model(x)
    penalty = out.pow(2).mean()
    penalty = penalty.detach()  # expect: TL305
    (F.mse_loss(out, y) + penalty).backward()
    optimizer.step()


def with_data(model, x, y):
    out = model(x)
    extra = F.l1_loss(out, y).data  # expect: TL305
    total = F.mse_loss(out, y)
    total += extra
    total.backward()


def weighed_by_a_setting(model, x, y, args):
    loss = F.mse_loss(model(x), y)
    size = 0.0
    for p in model.parameters():
        size += p.pow(2).sum().item()  # expect: TL305
    loss = loss + args.decay * size
    loss.backward()


def weighed_by_name(model, x, y, lam):
    loss = F.mse_loss(model(x), y)
    size = sum(p.abs().sum() for p in model.parameters())
    (loss + lam * size.detach()).backward()  # expect: TL305


def weighed_around(model, x, y, first, second, third, decay=0.1):
    def step(rows):
        out = model(rows)
        size = out.pow(2).mean()
        loss = F.mse_loss(out, y) + decay * size.item()  # expect: TL305  # note: TL307
        loss.backward()

    step(x)


def weighed_by_what_is_learned(model, policy, x, y):
    temperature = policy.temperature
    loss = F.mse_loss(model(x), y) + temperature * model(x).mean().detach()  # ok: TL305  the temperature is trained
    loss.backward()


def new_leaf(model, x, y):
    out = model(x).detach()  # expect: TL305
    loss = F.mse_loss(out, y)
    loss.requires_grad_(True)
    loss.backward()


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 2)

    def forward(self, x):
        return self.body(x)

    def regulariser(self, x):
        return self(x).abs().mean().item()  # expect: TL305

    def training_step(self, batch, index):
        x, y = batch
        loss = F.mse_loss(self(x), y) + self.regulariser(x)
        self.manual_backward(loss)
        return {"loss": loss}

    def manual_backward(self, loss):
        loss.backward()


def logged(model, x, y, optimizer, writer):
    loss = F.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    writer.append(loss.item())  # ok: TL305  # note: TL307
    return loss.detach()  # ok: TL305


def running_total(model, batches, y):
    total = 0.0
    for x in batches:
        loss = F.mse_loss(model(x), y)
        loss.backward()
        total += loss.item()  # note: TL307
    return total


def as_target(model, teacher, x):
    goal = teacher(x).detach()  # ok: TL305
    F.mse_loss(model(x), goal).backward()


def as_weight(model, x, y):
    first, second = F.mse_loss(model(x), y), F.l1_loss(model(x), y)
    scale = first.item() / second.item()  # ok: TL305  # note: TL307
    (first + scale * second).backward()


def as_baseline(model, critic, x, returns):
    value = critic(x).mean()
    advantage = returns - value.item()  # ok: TL305  # note: TL307
    loss = -(model(x).log_softmax(-1).mean() * advantage) + F.mse_loss(value, returns)
    loss.backward()


def straight_through(model, x, y):
    soft = torch.sigmoid(model(x))
    hard = soft + (soft.round() - soft).detach()  # ok: TL305
    F.mse_loss(hard, y).backward()


def shifted(model, x):
    out = model(x)
    top = out.max().detach()  # ok: TL305
    (torch.log(torch.exp(out - top).sum()) + top).backward()


def by_stages(model, head, x, y):
    coarse = model(x)
    fine = head(coarse.detach())  # ok: TL305  the next stage trains alone
    (F.mse_loss(coarse, y) + F.mse_loss(fine, y)).backward()


def commitment(model, codes, x):
    out = model(x)
    loss = F.mse_loss(codes, out.detach()) + 0.25 * F.mse_loss(codes.detach(), out)  # ok: TL305
    loss.backward()


def for_a_while(model, x, y, warm):
    out = model(x)
    extra = out.pow(2).mean()
    if warm:
        extra = extra.detach()  # ok: TL305  switched on purpose
    (F.mse_loss(out, y) + extra).backward()


def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(3, 2), torch.randn(3, 2)

    def gradient(run):
        torch.manual_seed(1)
        model = nn.Linear(2, 2)
        run(model, torch.optim.SGD(model.parameters(), lr=0.0))
        return model.weight.grad

    plain = gradient(lambda model, _: F.mse_loss(model(x), y).backward())
    assert torch.equal(gradient(lambda model, optimizer: with_item(model, x, y, optimizer)), plain)
    assert torch.equal(gradient(lambda model, optimizer: with_detach(model, x, y, optimizer)), plain)
    assert torch.equal(gradient(lambda model, _: with_data(model, x, y)), plain)
    args = Namespace(decay=0.1)
    assert torch.equal(gradient(lambda model, _: weighed_by_a_setting(model, x, y, args)), plain)
    assert torch.equal(gradient(lambda model, _: weighed_by_name(model, x, y, 0.1)), plain)
    assert torch.equal(gradient(lambda model, _: weighed_around(model, x, y, 0, 0, 0)), plain)
    policy = Namespace(temperature=torch.ones(1, requires_grad=True))
    weighed_by_what_is_learned(nn.Linear(2, 2), policy, x, y)
    assert policy.temperature.grad is not None
    assert gradient(lambda model, _: new_leaf(model, x, y)) is None
    Model().training_step((x, y), 0)
    logged(nn.Linear(2, 2), x, y, torch.optim.SGD(nn.Linear(2, 2).parameters()), [])
    running_total(nn.Linear(2, 2), [x], y)
    trained = (
        lambda model, _: as_target(model, nn.Linear(2, 2), x),
        lambda model, _: as_weight(model, x, y),
        lambda model, _: as_baseline(model, nn.Linear(2, 2), x, torch.tensor(1.0)),
        lambda model, _: straight_through(model, x, y),
        lambda model, _: shifted(model, x),
        lambda model, _: by_stages(model, nn.Linear(2, 2), x, y),
        lambda model, _: commitment(model, y, x),
        lambda model, _: for_a_while(model, x, y, True),
    )
    assert all(gradient(run) is not None for run in trained)
