"""One function trains and evaluates: the backward pass stands under the condition that eval() stands against."""
import torch
from torch import nn
from torch.nn.functional import mse_loss

held = []


def by_flag(model, loader, optimizer, is_train):
    if is_train:
        model.train()
    else:
        model.eval()  # expect: TL304
    for x, y in loader:
        loss = mse_loss(model(x), y)
        held.append(loss)
        if is_train:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_name_of_the_part(model, loader, optimizer=None, part="train"):
    for x, y in loader:
        if part == "train":
            model.train()
            optimizer.zero_grad()
        else:
            model.eval()  # expect: TL304
        loss = mse_loss(model(x), y)
        held.append(loss)
        if part == "train":
            loss.backward()
            optimizer.step()


def by_phases(model, loaders, optimizer):
    for phase in ["train", "val"]:
        if phase == "train":
            model.train()
        else:
            model.eval()  # expect: TL304
        for x, y in loaders[phase]:
            loss = mse_loss(model(x), y)
            held.append(loss)
            if phase == "train":
                loss.backward()
                optimizer.step()


def by_the_optimizer(model, loader, optimizer=None):
    model.train() if optimizer is not None else model.eval()  # expect: TL304
    for x, y in loader:
        loss = mse_loss(model(x), y)
        held.append(loss)
        if optimizer is not None:
            loss.backward()
            optimizer.step()


def by_mode(model, loader, optimizer, train=True):
    model.train(train)  # expect: TL304
    for x, y in loader:
        loss = mse_loss(model(x), y)
        held.append(loss)
        if train:
            loss.backward()
            optimizer.step()


def by_mode_of_the_model(model, loader, optimizer, train):
    model.train(mode=train)  # expect: TL304
    for x, y in loader:
        loss = mse_loss(model(x), y)
        held.append(loss)
        if model.training:
            loss.backward()
            optimizer.step()


def left_early(model, loader, optimizer, is_test):
    if is_test:
        model.eval()  # expect: TL304
    for x, y in loader:
        loss = mse_loss(model(x), y)
        held.append(loss)
        if is_test:
            continue
        loss.backward()
        optimizer.step()


def by_flag_quietly(model, loader, optimizer, is_train):
    model.train(is_train)  # ok: TL304  gradients follow the flag
    for x, y in loader:
        with torch.set_grad_enabled(is_train):
            loss = mse_loss(model(x), y)
        held.append(loss)
        if is_train:
            loss.backward()
            optimizer.step()


def by_two_calls(model, loader, optimizer, is_train):
    if is_train:
        model.train()
    else:
        model.eval()  # ok: TL304  the call of this phase has no gradients
    for x, y in loader:
        if is_train:
            loss = mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        else:
            with torch.no_grad():
                loss = mse_loss(model(x), y)
        held.append(loss)


def by_another_condition(model, loader, is_train, optimizer=None):
    if is_train:
        model.train()
    else:
        model.eval()  # ok: TL304  the callers may well pass no optimizer here
    for x, y in loader:
        if optimizer is None:
            with torch.no_grad():
                loss = mse_loss(model(x), y)
        else:
            loss = mse_loss(model(x), y)
        held.append(loss)
        if is_train:
            loss.backward()
            optimizer.step()


def with_frozen_statistics(model, loader, optimizer, is_frozen):
    if is_frozen:
        model.eval()  # ok: TL304  it is trained in this mode as well
    for x, y in loader:
        loss = mse_loss(model(x), y)
        loss.backward()
        optimizer.step()


def mode_alone(model, loader, train):
    model.train(train)  # ok: TL304  no backward pass says that this function trains
    for x, y in loader:
        held.append(mse_loss(model(x), y))


def quiet_where_it_evaluates(model, loader, optimizer, is_train):
    if is_train:
        model.train()
    else:
        model.eval()  # ok: TL304  the caller that evaluates switches gradients off
    for x, y in loader:
        loss = mse_loss(model(x), y)
        held.append(loss)
        if is_train:
            loss.backward()
            optimizer.step()


def runs_both(model, loader, optimizer):
    quiet_where_it_evaluates(model, loader, optimizer, True)
    with torch.no_grad():
        quiet_where_it_evaluates(model, loader, optimizer, is_train=False)


def only_trained(model, loader, optimizer, part="train"):
    if part == "train":
        model.train()
    else:
        model.eval()  # ok: TL304  nobody asks for it
    for x, y in loader:
        loss = mse_loss(model(x), y)
        if part == "train":
            loss.backward()
            optimizer.step()


def trains(model, loader, optimizer):
    only_trained(model, loader, optimizer)


def demonstrate():
    model, loader = nn.Linear(2, 2), [(torch.ones(1, 2), torch.zeros(1, 2))]
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    runs = [
        (True, lambda: by_flag(model, loader, optimizer, False)),
        (True, lambda: by_name_of_the_part(model, loader, part="val")),
        (True, lambda: by_phases(model, {"train": loader, "val": loader}, optimizer)),
        (True, lambda: by_the_optimizer(model, loader)),
        (True, lambda: by_mode(model, loader, optimizer, train=False)),
        (True, lambda: by_mode_of_the_model(model, loader, optimizer, False)),
        (True, lambda: left_early(model, loader, optimizer, True)),
        (False, lambda: by_flag_quietly(model, loader, optimizer, False)),
        (False, lambda: by_two_calls(model, loader, optimizer, False)),
        (False, lambda: by_another_condition(model, loader, False)),
        (False, lambda: runs_both(model, loader, optimizer)),
    ]
    for records, run in runs:
        run()
        assert held[-1].requires_grad is records and not model.training
