"""numpy() of what may be on an accelerator: works on the CPU, raises where the device option is used."""
import argparse

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")


class Trainer:
    def __init__(self, net: nn.Module, device: str):
        self.device = torch.device(device)
        self.net = net.to(self.device)
        self.history = []

    @torch.no_grad()
    def predict(self, x):
        return self.net(x.to(self.device)).numpy()  # expect: TL306

    @torch.no_grad()
    def predict_on_cpu(self, x):
        return self.net(x.to(self.device)).cpu().numpy()  # ok: TL306

    @torch.no_grad()
    def predict_to_cpu(self, x):
        return self.net(x.to(self.device)).to("cpu").numpy()  # ok: TL306

    def detached_only(self, x):
        return self.net(x.to(self.device)).detach().numpy()  # expect: TL306

    def kept(self, x):
        with torch.no_grad():
            self.last = F.softmax(self.net(x.to(self.device)), dim=-1)

    def report(self):
        return self.last.numpy()  # expect: TL306

    def inputs(self, x):
        x = x.to(self.device)
        with torch.no_grad():
            out = self.net(x)
        return x.numpy(), out.cpu().numpy()  # expect: TL306


def accuracy(net, loader, device):
    net.eval()
    hits = []
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            pred = net(x).argmax(1)
            hits.append(np.mean((pred == y).numpy()))  # expect: TL306
            hits.append((pred == y).float().mean().item())  # note: TL307
    return hits


def embeddings(args, net, loader):
    rows = []
    with torch.inference_mode():
        for x in loader:
            rows.append(net(x.to(args.device)))
    return np.vstack([row.cpu().numpy() for row in rows])  # ok: TL306


def on_the_cpu_by_choice(net, x):
    device = torch.device("cpu")
    net.to(device)
    with torch.no_grad():
        return net(x.to(device)).numpy()  # ok: TL306


def moved_back(net, x, device):
    with torch.no_grad():
        out = net.to(device)(x.to(device))
    out = out.cpu()
    return out.numpy()  # ok: TL306


def labels_of(net, loader, device):
    found = []
    with torch.no_grad():
        for x, y in loader:
            found.append((net(x.to(device)).cpu().numpy(), y.numpy()))  # ok: TL306  y stays where the loader made it
    return found


def from_arrays(frames, device):
    table = torch.from_numpy(np.stack(frames))
    return table.numpy(), table.to(device)  # ok: TL306


def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(3, 2)
    loader = [(x, torch.zeros(3, dtype=torch.long))]
    away = Trainer(nn.Linear(2, 2).to_empty(device="meta"), "meta")
    away.kept(x)
    for function in (away.predict, away.detached_only, lambda _: away.report(), away.inputs):
        try:
            function(x)
        except TypeError as error:
            assert "Tensor.cpu()" in str(error)
        else:
            raise AssertionError("numpy took a tensor of another device")
    here = Trainer(nn.Linear(2, 2), "cpu")
    here.predict(x), here.predict_on_cpu(x), here.predict_to_cpu(x), here.detached_only(x)
    args = parser.parse_args([])
    accuracy(here.net, loader, "cpu"), embeddings(args, here.net, [x]), on_the_cpu_by_choice(here.net, x)
    moved_back(here.net, x, "cpu"), labels_of(here.net, loader, "cpu"), from_arrays([np.zeros(2)], "cpu")
