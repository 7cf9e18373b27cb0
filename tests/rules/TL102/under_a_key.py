"""The state of the last call lies in a dict or a list of the object."""
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(dim, dim), nn.Tanh())
        self.memory = {}
        self.bank = []


class UnderAKey(Encoder):
    def forward(self, x):
        features = self.encode(x)
        if "features" in self.memory:
            x = x + self.memory["features"]
        self.memory["features"] = features  # expect: TL102
        return x + features


class Updated(Encoder):
    def forward(self, x):
        features = self.encode(x)
        x = x + self.memory.get("features", 0)
        self.memory.update(features=features)  # expect: TL102
        return x + features


class OwnDict(Encoder):
    def forward(self, x):
        features = self.encode(x)
        last = self.__dict__.get("last")
        self.__dict__["last"] = features  # expect: TL102
        return features if last is None else features - last


class InAList(Encoder):
    def forward(self, x):
        features = self.encode(x)
        out = features + torch.stack(self.bank).mean(0) if self.bank else features
        self.bank = [features]  # expect: TL102
        return out


class Detached(Encoder):
    def forward(self, x):
        features = self.encode(x)
        x = x + self.memory.get("features", 0)
        self.memory["features"] = features.detach()  # ok: TL102
        self.bank = [features.detach()]  # ok: TL102
        return x + features + self.bank[0]


class DetachedOneByOne(Encoder):
    def forward(self, x):
        pair = self.encode(x).chunk(2, -1)
        out = x + torch.cat(pair, -1)
        out = out + torch.cat(list(self.bank), -1) if self.bank else out
        self.bank = tuple(part.detach() for part in pair)  # ok: TL102
        return out


class AnotherKey(Encoder):
    def forward(self, x):
        features = self.encode(x)
        self.memory["features"] = features  # ok: TL102  what is read is another thing
        return x + self.memory.get("offset", 0) + features


class WithinTheCall(Encoder):
    def forward(self, x):
        self.memory["features"] = self.encode(x)  # ok: TL102  written before it is read
        return self.decode(x)

    def decode(self, x):
        return x + self.memory["features"]


class Emptied(Encoder):
    def forward(self, x):
        features = self.encode(x)
        x = x + self.memory.get("features", 0)
        self.memory["features"] = features  # ok: TL102  the owner says when a stream begins
        return x + features

    def begin(self):
        self.memory.clear()


class Recorded(Encoder):
    def forward(self, x):
        features = self.encode(x)
        self.memory["features"] = features  # ok: TL102  a record, for the log
        return features

    def log(self):
        return {name: value.std().item() for name, value in self.memory.items()}


def trains(module: nn.Module) -> bool:
    for _ in range(2):
        if isinstance(module, Emptied):
            module.begin()
        try:
            module(torch.ones(2, 4)).sum().backward()
        except RuntimeError as error:
            assert "second time" in str(error)
            return False
    return True


def demonstrate():
    for kind, works in (
        (UnderAKey, False), (Updated, False), (OwnDict, False), (InAList, False), (Detached, True),
        (DetachedOneByOne, True), (AnotherKey, True), (WithinTheCall, True), (Emptied, True), (Recorded, True),
    ):
        assert trains(kind()) is works, kind
