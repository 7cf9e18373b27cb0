"""An optimizer of a deep copy, or a loss that went through one, changes nothing of the module that gave its state."""
import copy

import torch
from torch import nn


def optimizer_of_the_copy(model: nn.Module, x):
    state = model.state_dict()  # ok: TL116
    twin = copy.deepcopy(model)
    optimizer = torch.optim.SGD(twin.parameters(), lr=0.1)
    twin(x).sum().backward()
    optimizer.step()
    model.load_state_dict(state)


def optimizer_of_the_model(model: nn.Module, x):
    state = model.state_dict()  # expect: TL116
    twin = copy.deepcopy(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    (model(x) - twin(2 * x).detach()).square().sum().backward()
    optimizer.step()
    model.load_state_dict(state)


def loss_of_the_copy(model: nn.Module, optimizer, x):
    state = model.state_dict()  # ok: TL116
    twin = copy.deepcopy(model)
    twin(x).sum().backward()
    optimizer.step()
    model.load_state_dict(state)


def loss_of_both(model: nn.Module, optimizer, x):
    state = model.state_dict()  # expect: TL116
    twin = copy.deepcopy(model)
    twin(x).sum().backward()
    model(x).sum().backward()
    optimizer.step()
    model.load_state_dict(state)


def demonstrate():
    def kept(function, *others):
        model = nn.Linear(2, 1)
        before = model.weight.detach().clone()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        function(model, *([optimizer] if others else []), torch.ones(1, 2))
        return torch.equal(model.weight, before)

    assert kept(optimizer_of_the_copy) and kept(loss_of_the_copy, 1)
    assert not kept(optimizer_of_the_model) and not kept(loss_of_both, 1)
