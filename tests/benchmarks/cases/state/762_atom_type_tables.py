"""Interatomic potential: one energy shift and one small network per chemical element, held by a dict and a list.

source: written from scratch after forum threads about optimizers that miss per-element parameters
rules: [TL105]
"""
import torch
from torch import nn


def element_net(features: int, width: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(features, width), nn.CELU(), nn.Linear(width, 1))


class Potential(nn.Module):
    def __init__(self, species: tuple[int, ...], features: int = 4, width: int = 6):
        super().__init__()
        self.species = list(species)  # ok: TL105
        self.index_of = {z: i for i, z in enumerate(species)}  # ok: TL105
        self.build(features, width)

    def build(self, features: int, width: int) -> None:
        raise NotImplementedError

    def atom_energy(self, z: int, descriptors: torch.Tensor) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, numbers: torch.Tensor, descriptors: torch.Tensor) -> torch.Tensor:
        total = descriptors.new_zeros(())
        for z in self.species:
            rows = descriptors[numbers == z]
            if len(rows):
                total = total + self.atom_energy(z, rows).sum()
        return total


class TablePotential(Potential):
    def build(self, features, width):
        self.shift = {z: nn.Parameter(torch.zeros(1)) for z in self.species}  # expect: TL105
        self.nets = [element_net(features, width) for _ in self.species]  # expect: TL105

    def atom_energy(self, z, descriptors):
        return self.nets[self.index_of[z]](descriptors) + self.shift[z]


class RegisteredPotential(Potential):
    def build(self, features, width):
        self.shift = nn.ParameterDict({str(z): nn.Parameter(torch.zeros(1)) for z in self.species})  # ok: TL105
        nets = [element_net(features, width) for _ in self.species]
        self.nets = nn.ModuleList(nets)  # ok: TL105
        self.net_of = dict(zip(self.species, nets))  # ok: TL105  (the same objects under another key)
        self.trace: list[float] = []  # ok: TL105

    def atom_energy(self, z, descriptors):
        energy = self.net_of[z](descriptors) + self.shift[str(z)]
        self.trace.append(float(energy.detach().mean()))
        return energy


# ---- demonstration: not part of the graded code ----
def demonstrate():
    numbers, desc = torch.tensor([8, 1, 1]), torch.randn(3, 4)
    bad, good = TablePotential((1, 8)), RegisteredPotential((1, 8))
    assert not list(bad.parameters()) and not bad.state_dict()
    assert len(list(good.parameters())) == 2 + 2 * 4
    try:
        torch.optim.Adam(bad.parameters())
        raise AssertionError("an optimizer should refuse an empty list")
    except ValueError:
        pass
    bad.double(), good.double()
    assert bad.shift[1].dtype == torch.float32
    try:
        bad(numbers, desc.double())
        raise AssertionError("expected a dtype clash in the per-element network")
    except RuntimeError:
        pass
    assert good(numbers, desc.double()).dtype == torch.float64
    assert good.net_of[8] is good.nets[1] and len(good.trace) == 2
