"""The class of a part refuses to be trained, or puts itself to sleep again: train() of the whole wakes nothing."""

import torch
from torch import nn


def body() -> nn.Sequential:
    return nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout(0.5))


class Still(nn.Sequential):
    def train(self, mode: bool = True):
        return super().train(False)


class Deaf(nn.Sequential):
    def train(self, mode: bool = True):
        return self


class Sleeper(nn.Sequential):
    def train(self, mode: bool = True):
        super().train(mode)
        for part in self.children():
            part.eval()
        return self


class Willing(nn.Sequential):
    def train(self, mode: bool = True):
        super().train(mode)
        return self


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 1)
        self.make()

    def make(self) -> None:
        raise NotImplementedError

    def forward(self, x):
        return self.head(self.encoder(x))


class WithStill(Model):
    def make(self):
        self.encoder = Still(*body())
        self.encoder.eval()  # ok: TL118


class WithDeaf(Model):
    def make(self):
        self.encoder = Deaf(*body()).eval()  # ok: TL118  what is wrong is that eval() does nothing


class WithSleeper(Model):
    def make(self):
        part = Sleeper(*body())
        part.eval()  # ok: TL118
        self.encoder = part


class WithInner(Model):
    class Constant(nn.Sequential):
        def train(self, mode: bool = True):
            return super().train(False)

    def make(self):
        self.encoder = self.Constant(*body())
        self.encoder.eval()  # ok: TL118


class Replaced(Model):
    """What is put to sleep is what is there at the end."""

    def __init__(self):
        super().__init__()
        self.encoder = Still(*body())
        self.encoder.eval()  # ok: TL118

    def make(self):
        self.encoder = body()


class WithWilling(Model):
    def make(self):
        self.encoder = Willing(*body())
        self.encoder.eval()  # expect: TL118


class OneOfTwo(Model):
    def __init__(self, still: bool = False):
        self.still = still
        super().__init__()

    def make(self):
        self.encoder = Still(*body()) if self.still else Willing(*body())
        self.encoder.eval()  # expect: TL118


def demonstrate():
    for model in (WithStill(), WithSleeper(), WithInner(), Replaced()):
        assert not model.train().encoder[1].training, model
    for model in (WithWilling(), OneOfTwo()):
        assert model.train().encoder[1].training
    assert torch.is_tensor(WithStill()(torch.ones(2, 4)))


if __name__ == "__main__":
    demonstrate()
