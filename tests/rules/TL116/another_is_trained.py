"""What steps, or is trained by a call, is another module than the one whose state was kept."""

import copy

import torch
from torch import nn


def corrected(net, control, batches, is_adam):
    if is_adam:
        optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)
    else:
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    drift = control.state_dict()  # ok: TL116  only net steps
    for batch in batches:
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()
        state = net.state_dict()
        for name in state:
            state[name] = state[name] - drift[name]
        net.load_state_dict(state)
    return {name: value - drift[name] for name, value in control.state_dict().items()}


def both_step(net, control, batches):
    optimizer = torch.optim.SGD([*net.parameters(), *control.parameters()], lr=0.1)
    before = control.state_dict()  # expect: TL116
    for batch in batches:
        optimizer.zero_grad()
        net(control(batch)).sum().backward()
        optimizer.step()
    return {name: value - before[name] for name, value in control.state_dict().items()}


def each_steps(net, control, batches):
    for_net = torch.optim.SGD(net.parameters(), lr=0.1)
    for_control = torch.optim.SGD(control.parameters(), lr=0.1)
    before = control.state_dict()  # expect: TL116
    for batch in batches:
        net(control(batch)).sum().backward()
        for_net.step()
        for_control.step()
    return {name: value - before[name] for name, value in control.state_dict().items()}


def inside_of_it(control, batches):
    optimizer = torch.optim.SGD(control[0].parameters(), lr=0.1)
    before = control.state_dict()  # expect: TL116
    for batch in batches:
        control(batch).sum().backward()
        optimizer.step()
    return {name: value - before[name] for name, value in control.state_dict().items()}


def open_parameters(net, control, found, batches):
    optimizer = torch.optim.SGD([*net.parameters(), *found], lr=0.1)
    before = control.state_dict()  # expect: TL116  found may be its parameters
    for batch in batches:
        net(control(batch)).sum().backward()
        optimizer.step()
    return {name: value - before[name] for name, value in control.state_dict().items()}


class Client:
    def __init__(self, make):
        self.make = make

    def train(self, net):
        optimizer = self.make(net.parameters(), lr=0.1)
        net(torch.ones(1, 1)).sum().backward()
        optimizer.step()
        return net.state_dict()


def get_model(args):
    return nn.Linear(*args)


def copies_are_sent(args, rounds):
    net = get_model(args)
    now = net.state_dict()  # ok: TL116  a copy is trained, and the state of net is changed by its own loads alone
    for _ in range(rounds):
        client = Client(make=torch.optim.SGD)
        mine = copy.deepcopy(net)
        before = copy.deepcopy(now)
        update = client.train(net=mine.to("cpu"))
        for name in now:
            now[name] += update[name] - before[name]  # expect: TL111
        net.load_state_dict(copy.deepcopy(now))
    return now


def it_is_sent_itself(args, rounds):
    net = get_model(args)
    now = net.state_dict()  # expect: TL116
    for _ in range(rounds):
        client = Client(make=torch.optim.SGD)
        update = client.train(net=net)
        before = copy.deepcopy(now)
        update = {name: update[name] - before[name] for name in before}
    return update


def demonstrate():
    def changes(run, *others):
        torch.manual_seed(0)
        net, control = nn.Linear(1, 1), nn.Sequential(nn.Linear(1, 1))
        first = copy.deepcopy(control.state_dict())
        named = run(net, control, *others, [torch.ones(1, 1)])
        moved = any(not torch.equal(value, first[name]) for name, value in control.state_dict().items())
        seen = any(bool(value.any()) for value in named.values())
        return moved, seen

    torch.manual_seed(0)
    net, control = nn.Linear(1, 1), nn.Linear(1, 1)
    assert not any(value.any() for value in corrected(net, control, [torch.ones(1, 1)], False).values())
    assert changes(both_step) == changes(each_steps) == (True, False), "it has moved, and the difference is nothing"
    inner = nn.Sequential(nn.Linear(1, 1))
    first = copy.deepcopy(inner.state_dict())
    assert not any(value.any() for value in inside_of_it(inner, [torch.ones(1, 1)]).values())
    assert not torch.equal(inner[0].weight, first["0.weight"])
    control = nn.Linear(1, 1)
    found = open_parameters(nn.Linear(1, 1), control, list(control.parameters()), [torch.ones(1, 1)])
    assert not any(value.any() for value in found.values())
    copies_are_sent((1, 1), 2)
    assert not any(value.any() for value in it_is_sent_itself((1, 1), 1).values())


if __name__ == "__main__":
    demonstrate()
