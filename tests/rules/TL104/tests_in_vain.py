"""The test looks for another key than the store writes, or compares with a new object: the value is made at each call."""
import torch
from torch import nn

TABLES = {}
KEYED = {}
PAIRS = {}


def by_part_of_the_key(x: torch.Tensor, rate: int) -> torch.Tensor:
    if rate not in TABLES:
        TABLES[str(rate) + "_" + str(x.device)] = torch.ones(rate).to(x)  # ok: TL104  made at each call
    return x * TABLES[str(rate) + "_" + str(x.device)]


def by_the_key(x: torch.Tensor, rate: int) -> torch.Tensor:
    key = str(rate) + "_" + str(x.device)
    if key not in KEYED:
        KEYED[key] = torch.ones(rate).to(x)  # expect: TL104
    return x * KEYED[key]


def by_part_of_a_pair(x: torch.Tensor, rate: int) -> torch.Tensor:
    if rate not in PAIRS:
        PAIRS[rate, x.device] = torch.ones(rate).to(x)  # ok: TL104  made at each call
    return x * PAIRS[rate, x.device]


class Windows(nn.Module):
    def __init__(self):
        super().__init__()
        self.masks = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        size = x.shape[-1]
        if size is self.masks.keys():
            mask = self.masks[size]
        else:
            self.masks[size] = torch.ones(size).to(x.device)  # ok: TL104  made at each call
            mask = self.masks[size]
        return x * mask


class KeptWindows(nn.Module):
    def __init__(self):
        super().__init__()
        self.masks = {}

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        size = x.shape[-1]
        if size in self.masks.keys():
            mask = self.masks[size]
        else:
            self.masks[size] = torch.ones(size).to(x.device)  # expect: TL104
            mask = self.masks[size]
        return x * mask


def demonstrate():
    x = torch.ones(3)
    for function, is_new in ((by_part_of_the_key, True), (by_part_of_a_pair, True), (by_the_key, False)):
        function(x, 3)
        table = {by_part_of_the_key: TABLES, by_part_of_a_pair: PAIRS, by_the_key: KEYED}[function]
        (first,) = table.values()
        function(x, 3)
        (second,) = table.values()
        assert (first is not second) is is_new
    for module, is_new in ((Windows(), True), (KeptWindows(), False)):
        module(x)
        first = module.masks[3]
        module(x)
        assert (module.masks[3] is not first) is is_new
