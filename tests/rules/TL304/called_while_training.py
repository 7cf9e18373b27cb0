"""A training function calls the evaluation: its backward pass is of another loss, unless it differentiates the result."""
import torch
from torch import nn


class Experiment:
    def __init__(self):
        self.model = nn.Linear(2, 1)
        self.criterion = nn.MSELoss()
        self.recorded = []

    def run_batch(self, x, y):
        return self.model(x), y

    def validate(self, loader):
        self.model.eval()  # expect: TL304
        losses = []
        for x, y in loader:
            output, target = self.run_batch(x, y)
            self.recorded.append(output.requires_grad)
            losses.append(self.criterion(output.detach(), target))
        self.model.train()
        return sum(losses) / len(losses)

    def frozen_statistics(self, loader):
        self.model.eval()  # ok: TL304  the caller differentiates what it returns
        total = 0
        for x, y in loader:
            total = total + self.criterion(self.model(x), y)
        return total

    def penalty(self, loader):
        self.model.eval()  # ok: TL304  the caller keeps it, and may differentiate it
        return sum(self.criterion(self.model(x), y) for x, y in loader)

    def train(self, loader):
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        for x, y in loader:
            optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            optimizer.step()
        quality = self.validate(loader)
        self.kept = self.penalty(loader)
        print(f"validation {quality:.3f}")
        total = loss.detach() + self.frozen_statistics(loader)
        total.backward()


def demonstrate():
    experiment = Experiment()
    loader = [(torch.ones(1, 2), torch.ones(1, 1))] * 2
    experiment.train(loader)
    assert experiment.recorded == [True, True]
    assert experiment.kept.requires_grad
