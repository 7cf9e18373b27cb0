"""Linear probes are registered under the names of the layers they listen to, and those names have dots.

source: KarhouTam/FL-bench#75, mileyan/DARENet#2, JIA-Lab-research/Facelet_Bank#17, pyg-team/pytorch_geometric#5494
rules: [TL107]
"""
from typing import Dict, Iterable

import torch
from torch import nn


def trunk(width: int = 4) -> nn.Sequential:
    block = lambda: nn.Sequential(nn.Linear(width, width), nn.Tanh())  # noqa: E731
    return nn.Sequential(block(), block())


class Probing(nn.Module):
    """Collects activations by hook and reads one class score per tapped layer."""

    def __init__(self, net: nn.Module, width: int = 4, classes: int = 2):
        super().__init__()
        self.net, self.width, self.classes = net, width, classes
        self.activations: Dict[str, torch.Tensor] = {}
        for name in self.taps():
            net.get_submodule(name).register_forward_hook(self._keep(name))
        self.attach()

    def taps(self) -> Iterable[str]:
        return [n for n, m in self.net.named_modules() if isinstance(m, nn.Linear)]

    def _keep(self, name):
        def hook(module, args, out):
            self.activations[name] = out.detach()
        return hook

    def probe(self) -> nn.Linear:
        return nn.Linear(self.width, self.classes)

    def forward(self, x):
        self.net(x)
        return {n: self.reader(n)(self.activations[n]) for n in self.taps()}


class DottedProbing(Probing):
    def attach(self):
        for name in self.taps():
            self.add_module(f"probe_{name}", self.probe())  # expect: TL107

    def reader(self, name):
        return getattr(self, f"probe_{name}")


class FixedDottedProbing(Probing):
    def taps(self):
        return ["0.0", "1.0"]

    def attach(self):
        first, last = self.probe(), self.probe()
        self.readers = nn.ModuleDict({"0.0": first, "1.0": last})  # expect: TL107

    def reader(self, name):
        return self.readers[name]


class EscapedProbing(Probing):
    @staticmethod
    def key(name: str) -> str:
        return name.replace(".", "/")

    def attach(self):
        self.readers = nn.ModuleDict({self.key(n): self.probe() for n in self.taps()})  # ok: TL107

    def reader(self, name):
        return self.readers[self.key(name)]


class CountedProbing(Probing):
    def attach(self):
        for i, _ in enumerate(self.taps()):
            self.add_module(f"probe_{i}", self.probe())  # ok: TL107

    def reader(self, name):
        return getattr(self, f"probe_{list(self.taps()).index(name)}")


# ---- demonstration: not part of the graded code ----
def demonstrate():
    for cls, builds in ((DottedProbing, False), (FixedDottedProbing, False), (EscapedProbing, True), (CountedProbing, True)):
        try:
            m = cls(trunk())
            ok = True
        except KeyError as exc:
            assert "can't contain" in exc.args[0], exc
            ok = False
        assert ok is builds, cls
        if ok:
            assert set(m(torch.randn(3, 4))) == {"0.0", "1.0"}
