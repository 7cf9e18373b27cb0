"""What is cut stands beside the loss in a pair or a record: whether it was added to the loss as well decides."""
import torch
from torch import nn
from torch.nn import functional as F


def with_hits(model, x, y, meter, with_error=False):
    out = model(x)
    loss = F.mse_loss(out, y)
    numbers = torch.cat([loss.view(1), (out > 0).float().sum(0)])
    numbers = numbers.cpu().detach().numpy()  # ok: TL305  the returned loss is not made of them
    if with_error:
        return loss, sum(numbers[1:])
    meter.append(numbers[0])
    return loss


def step(model, optimizer, x, y, meter):
    loss = with_hits(model, x, y, meter)
    loss.backward()
    optimizer.step()


def compared(model, x, y):
    loss, error = with_hits(model, x, y, [], with_error=True)
    return float(loss), error


def size_loss(model, x, y, capacity=0.5, gamma=10.0):
    out = model(x)
    size = out.square().mean()
    size = size.detach()  # expect: TL305
    return F.mse_loss(out, y) + gamma * (size - capacity).abs(), {"size": size}


def size_loss_with_its_gradient(model, x, y, capacity=0.5, gamma=10.0):
    out = model(x)
    size = out.square().mean()
    shown = size.detach()  # ok: TL305
    return F.mse_loss(out, y) + gamma * (size - capacity).abs(), {"size": shown}


def size_as_a_second_loss(model, x, y, gamma=10.0):
    out = model(x)
    size = gamma * out.square().mean().detach()  # ok: TL305  the second of the pair is for the log
    return F.mse_loss(out, y), size


def in_a_list_and_in_the_loss(model, x, y, shown, beta=4.0):
    out = model(x)
    size = out.square().mean()
    size = size.item()  # expect: TL305  # note: TL307
    shown.append(size)
    loss = F.mse_loss(out, y) + beta * size
    loss.backward()


def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(4, 3), torch.randn(4, 1)
    model = nn.Linear(3, 1)

    def gradient(loss):
        model.zero_grad()
        loss.backward()
        return model.weight.grad.clone()

    plain = gradient(F.mse_loss(model(x), y))
    assert torch.equal(gradient(with_hits(model, x, y, [])), plain)
    assert torch.equal(gradient(size_loss(model, x, y)[0]), plain)
    assert not torch.allclose(gradient(size_loss_with_its_gradient(model, x, y)[0]), plain)
    model.zero_grad()
    in_a_list_and_in_the_loss(model, x, y, [])
    torch.testing.assert_close(model.weight.grad, plain)
