"""A snapshot ensemble loads one checkpoint after the other into the same network, inside one region: all members give the same answer.

source: X-GenGroup/Flow-Factory#186 kind (weights rewritten under the autocast cache); snapshot ensembles and checkpoint comparison scripts
rules: [TL408]
"""
import torch
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Ensemble:
    def __init__(self, net, snapshots):
        self.net, self.snapshots = net.to(KIND), list(snapshots)

    def member(self, x):
        return self.net(x).float().softmax(-1)

    @torch.no_grad()
    def votes(self, x):
        out = []
        with torch.autocast(device_type=KIND, dtype=torch.bfloat16):
            for snapshot in self.snapshots:
                self.net.load_state_dict(snapshot)  # expect: TL408
                out.append(self.member(x))
        return torch.stack(out)


class EnsembleApart(Ensemble):
    @torch.autocast(KIND, dtype=torch.bfloat16)
    def member(self, x):
        return self.net(x).float().softmax(-1)

    @torch.no_grad()
    def votes(self, x):
        out = []
        for snapshot in self.snapshots:
            self.net.load_state_dict(snapshot)  # ok: TL408
            out.append(self.member(x))
        return torch.stack(out)


class EnsembleFrozen(Ensemble):
    """Weights that need no gradient are never cached."""

    def __init__(self, net, snapshots):
        super().__init__(net, snapshots)
        self.net.requires_grad_(False)

    def votes(self, x):
        out = []
        with torch.autocast(device_type=KIND, dtype=torch.bfloat16):
            for snapshot in self.snapshots:
                self.net.load_state_dict(snapshot)  # ok: TL408
                out.append(self.member(x))
        return torch.stack(out)


class EnsembleCleared(Ensemble):
    @torch.no_grad()
    def votes(self, x):
        out = []
        with torch.autocast(device_type=KIND, dtype=torch.bfloat16):
            for snapshot in self.snapshots:
                self.net.load_state_dict(snapshot)  # ok: TL408
                torch.clear_autocast_cache()
                out.append(self.member(x))
        return torch.stack(out)


class EnsembleInference(Ensemble):
    """Under inference_mode the casts are not kept."""

    def votes(self, x):
        with torch.inference_mode(), torch.autocast(KIND, dtype=torch.bfloat16):
            return torch.stack([self.ask(s, x) for s in self.snapshots])

    def ask(self, snapshot, x):
        self.net.load_state_dict(snapshot)  # ok: TL408
        return self.member(x)


def demonstrate():
    torch.manual_seed(0)
    snapshots = [nn.Linear(4, 3).state_dict() for _ in range(3)]
    x = torch.randn(5, 4, device=KIND)

    def alike(cls):
        votes = cls(nn.Linear(4, 3), snapshots).votes(x)
        return torch.equal(votes[0], votes[1]) and torch.equal(votes[1], votes[2])

    assert alike(Ensemble)
    for cls in (EnsembleApart, EnsembleFrozen, EnsembleCleared, EnsembleInference):
        assert not alike(cls), cls
