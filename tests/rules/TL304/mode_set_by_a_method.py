"""A plain object holds the network: one method of it sets the mode, another runs a batch."""

import torch
from torch import nn

held = []


class Holder:
    def set_mode(self, train=True):
        if train:
            self.model.train()
        else:
            self.model.eval()

    def phase(self, name="train"):
        if name == "train":
            self.model.train()
        else:
            self.model.eval()


class Learner(Holder):
    def __init__(self):
        self.model = nn.Linear(2, 2)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self, x):
        self.optimizer.zero_grad()
        loss = self.model(x).square().mean()
        loss.backward()
        self.optimizer.step()

    def eval(self, x):
        out = self.model(x)
        held.append(out)
        return out.data

    @torch.no_grad()
    def predict(self, x):
        held.append(self.model(x))

    def sizes(self, x):
        return x.shape


def train_and_evaluate(batches):
    learner = Learner()
    for _ in range(2):
        learner.set_mode(True)
        for x in batches:
            learner.fit(x)
        learner.set_mode(False)
        for x in batches:
            learner.eval(x)  # expect: TL304


def by_a_word(batches):
    learner = Learner()
    learner.phase("eval")
    for x in batches:
        learner.eval(x)  # expect: TL304


def left_in_training(batches):
    learner = Learner()
    learner.set_mode(True)
    for x in batches:
        learner.eval(x)  # ok: TL304  no evaluation, by its mode


def trained_in_evaluation_mode(batches):
    learner = Learner()
    learner.set_mode(train=False)
    for x in batches:
        learner.fit(x)  # ok: TL304


def quiet(batches):
    learner = Learner()
    learner.set_mode(False)
    for x in batches:
        learner.predict(x)  # ok: TL304


def runs_nothing(batches):
    learner = Learner()
    learner.set_mode(False)
    for x in batches:
        held.append(learner.sizes(x))  # ok: TL304


def guarded(batches):
    learner = Learner()
    learner.set_mode(False)
    with torch.no_grad():
        for x in batches:
            learner.eval(x)  # ok: TL304


def demonstrate():
    batches = [torch.ones(1, 2)]
    for run in (train_and_evaluate, by_a_word):
        held.clear()
        run(batches)
        assert held[-1].requires_grad, run
    for run in (quiet, guarded):
        held.clear()
        run(batches)
        assert not held[-1].requires_grad, run


if __name__ == "__main__":
    demonstrate()
