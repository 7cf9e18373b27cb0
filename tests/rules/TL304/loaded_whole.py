"""torch.load() gives whatever was saved; what has eval() called on it is a network."""
import os
import tempfile

import torch
from torch import nn

held = []
path = os.path.join(tempfile.mkdtemp(), "net.pt")
torch.save(nn.Linear(2, 2), path)
with open(path, "rb") as file:
    net = torch.load(file, weights_only=False)


def of_the_file(loader):
    net.eval()  # expect: TL304
    for x in loader:
        held.append(net(x))


def of_the_file_quietly(loader):
    net.eval()  # ok: TL304
    with torch.no_grad():
        for x in loader:
            held.append(net(x))


def of_the_function(loader):
    model = torch.load(path, weights_only=False)
    model.eval()  # expect: TL304
    for x in loader:
        held.append(model(x))


def looked_at(loader):
    model = torch.load(path, weights_only=False)
    model.eval()  # ok: TL304  nothing runs it
    for name, value in model.state_dict().items():
        held.append((name, value))


def demonstrate():
    loader = [torch.ones(1, 2)] * 2
    for records, run in ((True, of_the_file), (False, of_the_file_quietly), (True, of_the_function)):
        held.clear()
        run(loader)
        assert [out.requires_grad for out in held] == [records] * 2
    looked_at(loader)
