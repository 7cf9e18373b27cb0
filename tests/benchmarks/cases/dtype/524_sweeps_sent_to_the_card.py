"""A lidar pipeline widens 16-bit sweeps on the host before it sends them, and makes its labels in two steps.

source: facebookresearch/habitat-lab#297 kind (cast before the transfer); own construction
rules: [TL307]
"""
import numpy as np
import torch


class Sweeps:
    def __init__(self, device):
        self.device = torch.device(device)

    def points(self, raw: np.ndarray):
        raise NotImplementedError

    def labels(self, names):
        return torch.tensor(names, dtype=torch.float32)  # ok: TL307

    def batch(self, raws, names):
        return torch.stack([self.points(r) for r in raws]), self.labels(names)


class HostSweeps(Sweeps):
    def points(self, raw):
        return torch.from_numpy(raw).float().to(self.device) * 0.01  # expect: TL307

    def labels(self, names):
        return torch.tensor(names).float()  # expect: TL307


class CardSweeps(Sweeps):
    def points(self, raw):
        return torch.from_numpy(raw).to(self.device).float() * 0.01  # ok: TL307


class CombinedSweeps(Sweeps):
    """One call: torch moves first and casts there."""

    def points(self, raw):
        return torch.from_numpy(raw).to(self.device, torch.float32) * 0.01  # ok: TL307


class NarrowSweeps(Sweeps):
    """Narrows on the host: fewer bytes cross, not more."""

    def points(self, raw):
        return torch.from_numpy(raw.astype(np.float64)).half().to(self.device)  # ok: TL307


def demonstrate():
    raws, names = [np.arange(6, dtype=np.int16).reshape(2, 3) for _ in range(2)], [1, 0]
    want = HostSweeps("cpu").batch(raws, names)
    for cls in (CardSweeps, CombinedSweeps):
        got = cls("cpu").batch(raws, names)
        assert torch.equal(got[0], want[0]) and torch.equal(got[1], want[1])
    raw = torch.from_numpy(raws[0])
    assert raw.float().nbytes == 2 * raw.nbytes  # what crosses the bus
    assert NarrowSweeps("cpu").points(raws[0]).dtype is torch.float16
