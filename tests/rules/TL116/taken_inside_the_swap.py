"""A context manager hands out the model with averaged weights; its state is used when the raw ones are back."""
import contextlib
import io

import torch
from torch import nn


class Average:
    def __init__(self, net: nn.Module):
        self.net = net
        self.mean = {name: value.clone() for name, value in net.state_dict().items()}

    @contextlib.contextmanager
    def swapped(self):
        raw = {name: value.clone() for name, value in self.net.state_dict().items()}
        self.net.load_state_dict(self.mean)
        try:
            yield self.net
        finally:
            self.net.load_state_dict(raw)


class Runner:
    def __init__(self, net: nn.Module):
        self.net, self.average = net, Average(net)

    def checkpoint(self) -> bytes:
        blob = io.BytesIO()
        with self.average.swapped() as net:
            found = {"weights": net.state_dict()}  # expect: TL116
        torch.save(found, blob)
        return blob.getvalue()


class SavedInside(Runner):
    def checkpoint(self):
        blob = io.BytesIO()
        with self.average.swapped() as net:
            torch.save({"weights": net.state_dict()}, blob)  # ok: TL116
        return blob.getvalue()


class CopiedInside(Runner):
    def checkpoint(self):
        blob = io.BytesIO()
        with self.average.swapped() as net:
            found = {"weights": {name: value.clone() for name, value in net.state_dict().items()}}  # ok: TL116
        torch.save(found, blob)
        return blob.getvalue()


def demonstrate():
    for kind, is_averaged in ((Runner, False), (SavedInside, True), (CopiedInside, True)):
        net = nn.Linear(1, 1, bias=False)
        nn.init.zeros_(net.weight)
        runner = kind(net)
        with torch.no_grad():
            net.weight.fill_(1)
        saved = torch.load(io.BytesIO(runner.checkpoint()), weights_only=True)
        assert (saved["weights"]["weight"].item() == 0) is is_averaged
