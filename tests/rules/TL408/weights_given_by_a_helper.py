"""A helper gives the weights with their gradients, and the loop that takes them writes."""

import torch
import torch.nn.functional as F


def with_gradients(net, x, y):
    weights = list(net.parameters())
    return zip(weights, torch.autograd.grad(F.mse_loss(net(x), y), weights))


def each_weight(net):
    for weight in net.parameters():
        yield weight


def weights_and_copies(net):
    weights = list(net.parameters())
    return weights, [weight.detach().clone() for weight in weights]


def adapted(net, x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for weight, grad in with_gradients(net, x, y):
            weight.data.sub_(0.1 * grad)  # expect: TL408
        return net(x)


def shrunk(net, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        first = net(x)
        for weight in each_weight(net):
            weight.data.mul_(0.9)  # expect: TL408
        return first, net(x)


def nudged_copies(net, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        first = net(x)
        _, copies = weights_and_copies(net)
        for copy in copies:
            copy.data.mul_(0.9)  # ok: TL408
        return first, net(x)


def nudged_weights(net, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        first = net(x)
        weights, _ = weights_and_copies(net)
        for weight in weights:
            weight.data.mul_(0.9)  # expect: TL408
        return first, net(x)


def adapted_between(net, x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        pairs = with_gradients(net, x, y)
    for weight, grad in pairs:
        weight.data.sub_(0.1 * grad)  # ok: TL408
    with torch.autocast("cpu", dtype=torch.bfloat16):
        return net(x)


class Nudged:
    """What writes has a name that does not say so."""

    def __init__(self, net):
        self.net = net

    def lean(self, amount):
        for weight in self.net.parameters():
            weight.data = weight.data + amount

    def slope(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.lean(0.1)
            above = self.net(x)
            self.lean(-0.2)  # expect: TL408
            return above - self.net(x)

    def slope_apart(self, x):
        found = []
        for amount in (0.1, -0.2):
            self.lean(amount)  # ok: TL408
            with torch.autocast("cpu", dtype=torch.bfloat16):
                found.append(self.net(x))
        return found[0] - found[1]
