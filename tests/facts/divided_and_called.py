"""What a loop divides, what is added to a quotient, objects that are called, functions out of a tuple, batches of dicts."""
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


def through_strides(lengths, strides):
    left = lengths
    for stride in strides:
        left = left / stride
    left  # fact: unknown floating
    left - 1  # fact: unknown floating
    2 * left  # fact: unknown floating
    left // 1  # fact: unknown dtype ?
    whole = lengths
    for stride in strides:
        whole = whole // stride
    whole - 1  # fact: unknown dtype ?
    counted = lengths
    for _ in strides:
        counted = counted / 2
    return counted, left  # fact: container


def on_one_branch(lengths, is_long):
    left = lengths
    if is_long:
        left = left / 2
    return left  # fact: unknown dtype ?


class Scaled:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return torch.ones(2, dtype=torch.float64) + x


class Silent:
    pass


def called(x, anything):
    Scaled(2)(x)  # fact: tensor floating
    anything(x)  # fact: unknown dtype ?
    scaled = Scaled(anything)
    return scaled(x)  # fact: tensor floating


def of_each(numbers):
    angles = np.linspace(0, 1, 4)
    first = [function(angles) for function in (np.sin, np.cos)][0]
    torch.from_numpy(first)  # fact: tensor float64
    waves = np.stack([function(angles) for function in (np.sin, np.cos)])
    torch.from_numpy(waves)  # fact: tensor float64
    others = np.stack([function(numbers) for function in (np.sin, np.cos)])
    return torch.from_numpy(others)  # fact: tensor dtype ?


class Rows(Dataset):
    def __init__(self, labels):
        self.labels = labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return {"x": torch.ones(2), "label": self.labels[index], "wide": torch.from_numpy(np.ones(2))}


def batches(labels):
    for batch in DataLoader(Rows(labels), batch_size=2):
        batch["x"]  # fact: tensor float32
        batch["wide"]  # fact: tensor float64
        batch["label"]  # fact: not known


def demo():
    through_strides(torch.tensor([8, 4]), (2, 2))
    on_one_branch(torch.tensor([8, 4]), is_long=True)
    called(torch.ones(2), torch.sin)
    of_each(np.ones(2, dtype=np.float32))
    batches([1, 2])
