"""Of several callers each is asked for itself: one passes a Parameter with gradients off, one a loaded tensor."""
import numpy as np
import torch
from torch import nn


def resized(table: torch.Tensor, size: int):
    row = table[0].float().cpu()
    values = np.interp(np.linspace(0, 1, size), np.linspace(0, 1, len(row)), row.numpy())  # ok: TL306
    return torch.from_numpy(values).to(table)[None]


def doubled(table: torch.Tensor):
    return table[0].cpu().numpy() * 2  # expect: TL306


class Biased(nn.Module):
    def __init__(self, size: int = 4):
        super().__init__()
        self.table = nn.Parameter(torch.ones(1, size))

    def set_size(self, size: int):
        with torch.no_grad():
            self.table = nn.Parameter(resized(self.table, size))

    def report(self):
        with torch.no_grad():
            quiet = doubled(self.table)
        return quiet, doubled(self.table)


def filtered(state: dict[str, torch.Tensor], size: int):
    return {name: resized(value, size) for name, value in state.items()}


def demonstrate():
    module = Biased()
    module.set_size(6)
    assert filtered(module.state_dict(), 8)["table"].shape == (1, 8)
    try:
        module.report()
        raise AssertionError("numpy took a tensor that requires grad")
    except RuntimeError as error:
        assert "requires grad" in str(error)
