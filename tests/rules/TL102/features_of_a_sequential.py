"""What a Sequential returns is a tensor with its graph; getattr() reads back what the last call left."""
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(dim, dim), nn.Tanh())

    def drift(self, features):
        raise NotImplementedError

    def forward(self, x):
        features = self.encode(x)
        return features.sum() + self.drift(features)


class Attached(Encoder):
    def drift(self, features):
        before = getattr(self, "before", None)
        self.before = features  # expect: TL102
        return 0.0 if before is None else (features - before).abs().mean()


class Detached(Encoder):
    def drift(self, features):
        before = getattr(self, "before", None)
        self.before = features.detach()  # ok: TL102
        return 0.0 if before is None else (features - before).abs().mean()


class WithinTheCall(Encoder):
    def drift(self, features):
        self.now = features  # ok: TL102  written again before the next read
        return self.spread()

    def spread(self):
        return self.now.std()


def trains(module: nn.Module) -> bool:
    for _ in range(2):
        try:
            module(torch.rand(2, 4)).backward()
        except RuntimeError as error:
            assert "second time" in str(error)
            return False
    return True


def demonstrate():
    for kind, works in ((Attached, False), (Detached, True), (WithinTheCall, True)):
        assert trains(kind()) is works, kind
