"""Methods of one name: model.eval() is no call of eval(self, split), nor decode(rows) of decode(self, x, hidden)."""
import torch
from torch import nn

held = []


class Task:
    def __init__(self):
        self.encoder = nn.Linear(2, 2)
        self.head = nn.Linear(2, 2)

    def run(self, splits):
        self.encoder.train()
        with torch.no_grad():
            self.eval(splits["valid"])

    def eval(self, batches):
        self.encoder.eval()  # ok: TL304  run() alone calls this eval()
        self.head.eval()  # ok: TL304
        for x in batches:
            held.append(self.head(self.encoder(x)))


class Whole:
    def __init__(self, batches):
        self.net = nn.Linear(2, 2)
        self.batches = batches

    def run(self):
        with torch.no_grad():
            self.eval()

    def eval(self):
        self.net.eval()  # ok: TL304  no other object is known to be of this class
        for x in self.batches:
            held.append(self.net(x))


class Loud:
    def __init__(self):
        self.net = nn.Linear(2, 2)

    def run(self, batches):
        self.eval(batches)

    def eval(self, batches):
        self.net.eval()  # expect: TL304  run() leaves gradients on
        for x in batches:
            held.append(self.net(x))


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def decode(self, x, hidden):
        return self.layer(x) + hidden

    def spell(self, x):
        return self.layer(x)


class Speech(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.vocabulary = vocabulary

    def forward(self, x):
        return self.layer(x)

    def evaluate(self, batches):
        self.eval()  # ok: TL304  decode() of a vocabulary gets rows alone
        for x in batches:
            with torch.no_grad():
                out = self(x)
            held.append(self.vocabulary.decode(out.tolist()))

    def evaluate_by_another(self, batches):
        self.eval()  # expect: TL304  whatever it is, spell() runs a layer
        for x in batches:
            with torch.no_grad():
                out = self(x)
            held.append(self.vocabulary.spell(out))


class Letters:
    def decode(self, rows):
        return str(rows)


def demonstrate():
    batches = [torch.ones(1, 2)]
    for records, run in (
        (False, lambda: Task().run({"valid": batches})),
        (False, lambda: Whole(batches).run()),
        (True, lambda: Loud().run(batches)),
        (True, lambda: Speech(Language()).evaluate_by_another(batches)),
    ):
        held.clear()
        run()
        assert held[0].requires_grad is records
    held.clear()
    Speech(Letters()).evaluate(batches)
    assert isinstance(held[0], str)
