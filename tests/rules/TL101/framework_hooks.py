"""Construction reaches further than __init__: a configure hook, and the __post_init__ of a dataclass."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


class Framework(nn.Module):
    def __init__(self, classes: int = 3):
        super().__init__()
        self.classes = classes
        self.configure_model()

    def configure_model(self) -> None:
        pass


class Classifier(Framework):
    def configure_model(self):
        weight = torch.linspace(1, 2, self.classes)
        self.class_weight = weight / weight.sum()  # expect: TL101
        self.head = nn.Linear(2, self.classes)  # ok: TL101

    def training_step(self, batch):
        x, y = batch
        return F.cross_entropy(self.head(x), y, weight=self.class_weight)


class RegisteredClassifier(Classifier):
    def configure_model(self):
        self.register_buffer("class_weight", torch.linspace(1, 2, self.classes))  # ok: TL101
        self.head = nn.Linear(2, self.classes)


@dataclass(eq=False)
class Normalized(nn.Module):
    mean: tuple[float, ...] = (0.1, 0.2)  # ok: TL101

    def __post_init__(self):
        super().__init__()
        self.means = torch.tensor(self.mean)  # expect: TL101
        self.register_buffer("kept", torch.tensor(self.mean))  # ok: TL101

    def forward(self, x):
        return x - self.means + self.kept


def demonstrate():
    batch = torch.ones(2, 2).double(), torch.tensor([0, 2])
    RegisteredClassifier().double().training_step(batch)
    try:
        Classifier().double().training_step(batch)
        raise AssertionError("the class weights stay float32")
    except RuntimeError:
        pass
    assert not Normalized().to("meta").means.is_meta
