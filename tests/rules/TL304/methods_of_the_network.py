"""A loop that calls methods of a network whose class only its callers know: the project says what they run."""

import torch
from torch import nn

held = []


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 4)

    def forward(self, x):
        return self.body(x)

    def rate(self, x):
        return self.forward(x).mean()


class Density(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.register_buffer("shift", torch.zeros(2))

    def evidence(self, x):
        return self.encoder.rate(x - self.shift)

    def surprise(self, x):
        with torch.no_grad():
            return self.encoder.rate(x)

    @torch.no_grad()
    def quiet_evidence(self, x):
        return self.encoder.rate(x)

    def centred(self, x):
        return x - self.shift

    def force(self, x):
        x = x.clone().requires_grad_()
        return torch.autograd.grad(self.encoder.rate(x), x)[0]


class Scorer(nn.Module):
    """What others derive from: it only says which methods they have."""

    def score(self, x):
        raise NotImplementedError(f"{type(self).__name__} has no score")


class LinearScorer(Scorer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 1)

    def score(self, x):
        return self.body(x)


class Uniform:
    """No module: its methods decide nothing."""

    def evidence(self, x):
        return x.sum()


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 1)

    def probe(self, x):
        return self.body(x)


class QuietShared(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 1)

    def probe(self, x):
        with torch.inference_mode():
            return self.body(x)


def mean_evidence(model, loader):
    total = 0.0
    for x in loader:
        total += model.evidence(x)
    held.append(total)
    return float(total)


def by_a_helper(model, loader):
    model.eval()  # expect: TL304
    return mean_evidence(model, loader)


def in_the_loop(model, loader):
    model.eval()  # expect: TL304
    for x in loader:
        held.append(model.evidence(x))


def method_without_graph(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        held.append(model.surprise(x))


def decorated_method(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        held.append(model.quiet_evidence(x))


def method_that_runs_nothing(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        held.append(model.centred(x))


def method_that_differentiates(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        held.append(model.force(x))


def one_of_two_classes(model, loader):
    model.eval()  # ok: TL304  who knows which of them it is
    for x in loader:
        held.append(model.probe(x))


def guarded(model, loader):
    model.eval()  # ok: TL304
    with torch.no_grad():
        return mean_evidence(model, loader)


def unknown_method(model, loader):
    model.eval()  # ok: TL304  of a package that is not here
    for x in loader:
        held.append(model.generate(x))


def method_of_a_subclass(model, loader):
    model.eval()  # expect: TL304
    for x in loader:
        held.append(model.score(x))


def demonstrate():
    model, loader = Density(Encoder()), [torch.ones(1, 2)]
    for evaluate in (by_a_helper, in_the_loop):
        held.clear()
        evaluate(model, loader)
        assert held[0].requires_grad, evaluate
    held.clear()
    method_of_a_subclass(LinearScorer(), loader)
    assert held[0].requires_grad
    for evaluate in (method_without_graph, decorated_method, method_that_runs_nothing, method_that_differentiates):
        held.clear()
        evaluate(model, loader)
        assert not held[0].requires_grad, evaluate


if __name__ == "__main__":
    demonstrate()
