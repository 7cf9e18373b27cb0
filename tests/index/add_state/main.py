"""A base of the project whose add_state registers tensors and keeps lists."""
import torch
from metric import Metric, Tracker


class Accuracy(Metric):  # class: module; buffers correct, total
    def __init__(self):
        super().__init__()
        self.add_state("correct", torch.tensor(0))
        self.add_state("total", default=torch.tensor(0), dist_reduce_fx="sum")


class Curve(Metric):  # class: module; buffers count; plain scores
    def __init__(self):
        super().__init__()
        self.add_state("count", torch.tensor(0))
        self.add_state("scores", [])


class Several(Metric):  # class: module; buffers hits, misses
    def __init__(self):
        super().__init__()
        for name in ("hits", "misses"):
            self.add_state(name, default=torch.tensor(0))


class Log(Tracker):  # class: plain
    def __init__(self):
        super().__init__()
        self.add_state("correct", torch.tensor(0))
