"""The loop and the forward call may stand in a helper, and no_grad in the helper or in every caller."""
import torch
from torch import nn

held = []


def collect(model, loader):
    for x in loader:
        held.append(model(x))


@torch.no_grad()
def collect_quietly(model, loader):
    for x in loader:
        held.append(model(x))


def one_batch(model, x):
    with torch.no_grad():
        return model(x)


def by_helper(model, loader):
    model.eval()  # expect: TL304
    collect(model, loader)


def by_quiet_helper(model, loader):
    model.eval()  # ok: TL304
    collect_quietly(model, loader)


def by_quiet_helper_in_a_loop(model, loader):
    model.eval()  # ok: TL304
    for x in loader:
        held.append(one_batch(model, x))


def called_quietly(model, loader):
    model.eval()  # ok: TL304  its only caller switches gradients off
    for x in loader:
        held.append(model(x))


def quiet_caller(model, loader):
    with torch.no_grad():
        called_quietly(model, loader)


def load(path=None):
    model = nn.Linear(2, 2)
    if path is not None:
        model.load_state_dict(torch.load(path))
    model.eval()  # ok: TL304  it runs nothing
    return model


def by_loaded(loader):
    model = load()
    for x in loader:
        held.append(model(x))  # expect: TL304


def by_loaded_quietly(loader):
    model = load()
    with torch.no_grad():
        for x in loader:
            held.append(model(x))  # ok: TL304


class Learner:
    def __init__(self, model):
        self.model = model

    def outputs(self, loader):
        return [self.model(x) for x in loader]

    def validate(self, loader):
        self.model.eval()  # expect: TL304
        held.extend(self.outputs(loader))

    def save(self, path):
        self.model.eval()  # ok: TL304
        torch.save(self.model.state_dict(), path)
        self.model.train()

    def test_epoch(self, loader):
        self.model.eval()  # expect: TL304  no hook of a framework, although its name begins like one
        for x in loader:
            held.append(self.model(x))

    def validation_step(self, batch):
        self.model.eval()  # ok: TL304  a framework calls it without gradients
        for x in batch:
            held.append(self.model(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(2, 2)
        self.name = "net"

    def encode(self, x):
        return self.encoder(x)

    def forward(self, x):
        return self.encode(x)

    def describe(self, x):
        return f"{self.name} of {x.shape}"

    def evaluate(self, loader):
        self.eval()  # expect: TL304
        held.extend(self(x) for x in loader)

    def codes(self, loader):
        self.eval()  # expect: TL304  encode() runs a part of it
        held.extend(self.encode(x) for x in loader)

    def names(self, loader):
        self.eval()  # ok: TL304  describe() runs nothing
        return [self.describe(x) for x in loader]


def once(model, x):
    model.eval()  # ok: TL304  no loop
    return model(x)


def in_each_mode(model, x):
    model.eval()  # ok: TL304  no data runs through this loop
    for kind in ("row", "column"):
        model.kind = kind
        held.append(model(x))


def with_each_adapter(model, x, adapters):
    model.eval()  # ok: TL304  each round has the same input
    for adapter in adapters:
        model.adapter = adapter
        held.append(model(x))


def from_a_stream(model, stream):
    model.eval()  # expect: TL304
    while stream:
        x = stream.pop()
        held.append(model(x))


def each_once(models, x):
    for model in models:
        model.eval()  # ok: TL304  one call for each
        held.append(model(x))


def demonstrate():
    model, loader = nn.Linear(2, 2), [torch.ones(1, 2)] * 2
    for records, functions in (
        (True, (by_helper, Learner.validate, Learner.test_epoch)),
        (False, (by_quiet_helper, by_quiet_helper_in_a_loop, quiet_caller)),
    ):
        for function in functions:
            held.clear()
            function(model if function.__qualname__ == function.__name__ else Learner(model), loader)
            assert [out.requires_grad for out in held] == [records] * 2, function
    for function in (Net.evaluate, Net.codes):
        held.clear()
        function(Net(), loader)
        assert held[0].requires_grad
    assert Net().names(loader)
    for records, function in ((True, by_loaded), (False, by_loaded_quietly)):
        held.clear()
        function(loader)
        assert held[0].requires_grad is records
