"""A model makes its own optimizer and a script halves it, or a helper makes the optimizer of a model that is half."""

import torch
from torch import nn, optim


class Trains(nn.Module):
    def __init__(self, lr=1e-3, adam_eps=1e-8):
        super().__init__()
        self.head = nn.Linear(2, 1)
        self.lr, self.eps = lr, adam_eps
        self.optim = optim.Adam(params=self.parameters(), lr=self.lr, eps=self.eps)  # expect: TL302


class TrainsWithEps(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 1)
        self.optim = optim.Adam(self.parameters(), eps=1e-4)  # ok: TL302  not zero in half


class OnlyShown(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 1)
        self.optim = optim.Adam(self.parameters())  # ok: TL302  half is only what the script looks at


class BackInFloat(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 1)
        self.optim = optim.Adam(self.parameters())  # ok: TL302  the script goes back to float32


class TrainsItsPart(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 1)
        self.optim = optim.RMSprop(self.head.parameters())  # expect: TL302


class Flagged(nn.Module):
    """Its class is found by its name, and the flag is what says that it is this one."""

    def __init__(self, G_fp16=False):
        super().__init__()
        self.head = nn.Linear(2, 1)
        self.fp16 = G_fp16
        self.optim = optim.Adam(self.parameters())  # expect: TL302


class FlaggedOtherwise(nn.Module):
    def __init__(self, D_fp16=False):
        super().__init__()
        self.head = nn.Linear(2, 1)
        self.fp16 = D_fp16
        self.optim = optim.Adam(self.parameters())  # ok: TL302  under its flag only the batches become half


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 1)


def train_step(model, x):
    model.optim.zero_grad()
    (model.head(x) * 0).sum().backward()
    model.optim.step()


def train():
    model, part, careful, back = Trains(), TrainsItsPart(), TrainsWithEps(), BackInFloat()
    x = torch.ones(1, 2)
    model.half()
    part = part.to(torch.float16)
    careful = careful.half()
    back.half()
    back.float()
    for one, batch in ((model, x.half()), (part, x.half()), (careful, x.half()), (back, x)):
        train_step(one, batch)
    model.train(), part.train(), careful.train(), back.train()
    return model, part, careful, back


def show(x):
    model = OnlyShown().half().eval()
    return model.head(x.half())


def train_by_name(name, config):
    G, x = globals()[name](**config), torch.ones(1, 2)
    if config.get("D_fp16"):
        x = x.half()
    if config["G_fp16"]:
        G = G.half()
        x = x.half()
    G.train()
    train_step(G, x)
    return G


def optimizer_of(model):
    return optim.AdamW(model.parameters(), lr=1e-3)  # expect: TL302


def optimizer_of_floats(model):
    return optim.AdamW(model.parameters(), lr=1e-3)  # ok: TL302  the caller halves another model


def set_up():
    teacher, student, model = Plain().half(), Plain(), Plain()
    model.half()
    return optimizer_of(model), optimizer_of_floats(student), teacher


def demonstrate():
    model, part, careful, back = train()
    assert model.head.weight.isnan().any() and part.head.weight.isnan().any()
    assert not careful.head.weight.isnan().any() and not back.head.weight.isnan().any()
    assert train_by_name("Flagged", {"G_fp16": True}).head.weight.isnan().any()
    assert not train_by_name("Flagged", {"G_fp16": False}).head.weight.isnan().any()
    show(torch.ones(1, 2)), OnlyShown(), FlaggedOtherwise()
    halved, floats, _ = set_up()
    for optimizer in (halved, floats):
        weight = optimizer.param_groups[0]["params"][0]
        weight.grad = torch.zeros_like(weight)
        optimizer.step()
        assert weight.isnan().any().item() is (optimizer is halved)
