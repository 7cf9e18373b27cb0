"""An object that is called runs its class's __call__(): where every such call has gradients off, nothing is recorded."""

import torch
from torch import nn

held = []


class Rater:
    """Made, kept in a table and handed down by name; each call stands in no_grad()."""

    def __init__(self, net):
        self.net = net

    def __call__(self, batches):
        self.net.eval()  # ok: TL304  rated(), and judged() for its caller, switch gradients off
        for x in batches:
            held.append(self.net(x))


class WarmRater(Rater):
    """Inherits what it does not say."""


def rated(net, batches, warm: bool):
    rate = WarmRater(net) if warm else Rater(net)
    with torch.no_grad():
        rate(batches)


@torch.no_grad()
def judged(judge, batches):
    judge(batches)


def judged_by_rater(net, batches):
    judged(Rater(net), batches)


class Scorer:
    """One call with gradients on is enough."""

    def __init__(self, net):
        self.net = net

    def __call__(self, batches):
        self.net.eval()  # expect: TL304
        for x in batches:
            held.append(self.net(x))


def scored(net, batches):
    score = Scorer(net)
    with torch.no_grad():
        score(batches)
    score(batches)


class Grader:
    """What is called by the name of the class may be an object of it."""

    def __init__(self, net):
        self.net = net

    def __call__(self, batches):
        self.net.eval()  # expect: TL304
        for x in batches:
            held.append(self.net(x))


def graded(net, batches):
    with torch.no_grad():
        Grader(net)(batches)


def graded_by(grader, batches):
    grader(batches)


class Lister:
    """A function of another name is none, and other objects have their own __call__()."""

    def __init__(self, net):
        self.net = net

    def __call__(self, batches):
        self.net.eval()  # ok: TL304  the calls of a Scorer and of `measure` run something else
        for x in batches:
            held.append(self.net(x))


def listed(net, measure, batches):
    order = Lister(net)
    with torch.inference_mode():
        order(batches)
    measure(batches)
    Scorer(net)(batches)


class Teller:
    """What __call__() runs is reached through it."""

    def __init__(self, net):
        self.net = net

    def __call__(self, batches):
        self.tell(batches)

    def tell(self, batches):
        self.net.eval()  # ok: TL304  told() switches gradients off
        for x in batches:
            held.append(self.net(x))


def told(net, batches):
    teller = Teller(net)
    with torch.no_grad():
        teller(batches)


def demonstrate():
    net, batches = nn.Linear(2, 2), [torch.ones(1, 2)]
    quiet = [
        lambda: rated(net, batches, warm=True),
        lambda: judged_by_rater(net, batches),
        lambda: told(net, batches),
    ]
    for records, runs in (
        (False, quiet),
        (True, [lambda: scored(net, batches), lambda: graded_by(Grader(net), batches)]),
    ):
        for run in runs:
            held.clear()
            run()
            assert held[-1].requires_grad is records
