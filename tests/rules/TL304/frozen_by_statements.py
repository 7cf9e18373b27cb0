"""A network that a statement has frozen before the loop: autograd records nothing, unless a part of it is trained."""
import torch
from torch import nn

held = []


def run(batches, model):
    for x in batches:
        held.append(model(x))


def freeze(model):
    for parameter in model.parameters():
        parameter.requires_grad = False


def freeze_norms(model):
    for name, parameter in model.named_parameters():
        if "norm" in name:
            parameter.requires_grad = False


def by_method(batches):
    model = nn.Sequential(nn.Linear(2, 2))
    model.requires_grad_(False)
    model.eval()  # ok: TL304
    run(batches, model)


def by_loop(batches, model):
    model.eval()  # ok: TL304  frozen after that, but before the loop
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    for x in batches:
        held.append(model(x))


def by_helper(batches, model):
    freeze(model)
    model.eval()  # ok: TL304
    for x in batches:
        held.append(model(x))


def by_caller(batches):
    model = nn.Linear(2, 2).requires_grad_(False)
    model.requires_grad_(False)
    of_caller(batches, model)


def of_caller(batches, model):
    model.eval()  # ok: TL304  frozen where it comes from
    for x in batches:
        held.append(model(x))


class Extractor:
    def __init__(self):
        self.model = nn.Linear(2, 2)
        for parameter in self.model.parameters():
            parameter.requires_grad = False

    def features(self, batches):
        self.model.eval()  # ok: TL304  frozen by the constructor
        for x in batches:
            held.append(self.model(x))


def in_part(batches, model):
    freeze_norms(model)
    model.eval()  # expect: TL304  the others are trained
    for x in batches:
        held.append(model(x))


def on_demand(batches, model, is_probe=False):
    if is_probe:
        model.requires_grad_(False)
    model.eval()  # expect: TL304
    for x in batches:
        held.append(model(x))


def with_new_head(batches):
    model = nn.Sequential(nn.Linear(2, 2))
    model.requires_grad_(False)
    model.head = nn.Linear(2, 2)
    model.eval()  # expect: TL304  the head is trained
    for x in batches:
        held.append(model(x))


def thawed(batches, model):
    model.requires_grad_(False)
    model.requires_grad_(True)
    model.eval()  # expect: TL304
    for x in batches:
        held.append(model(x))


def demonstrate():
    batches = [torch.ones(1, 2)] * 2
    for records, function in (
        (False, lambda: by_method(batches)),
        (False, lambda: by_loop(batches, nn.Linear(2, 2))),
        (False, lambda: by_helper(batches, nn.Linear(2, 2))),
        (False, lambda: by_caller(batches)),
        (False, lambda: Extractor().features(batches)),
        (True, lambda: in_part(batches, nn.Linear(2, 2))),
        (True, lambda: on_demand(batches, nn.Linear(2, 2))),
        (True, lambda: with_new_head(batches)),
        (True, lambda: thawed(batches, nn.Linear(2, 2))),
    ):
        held.clear()
        function()
        assert held[-1].requires_grad is records, function
