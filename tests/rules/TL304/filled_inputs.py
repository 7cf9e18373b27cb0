"""One tensor is the input of every round, and each round writes a batch into it."""
import torch
from torch import nn
from torch.autograd import Variable

held = []


def by_data(model, loader):
    image = torch.zeros(1, 2)
    with torch.no_grad():
        image = Variable(image)  # covers the Variable, not the forward call
    model.eval()  # expect: TL304
    batches = iter(loader)
    for _ in range(2):
        batch = next(batches)
        image.data.resize_(batch.size()).copy_(batch)
        held.append(model(image))


def by_copy(model, loader):
    image = torch.zeros(1, 2)
    model.eval()  # expect: TL304
    for batch in loader:
        image.copy_(batch)
        held.append(model(image))


def by_index(model, loader):
    image = torch.zeros(1, 2)
    model.eval()  # expect: TL304
    for batch in loader:
        image[:] = batch
        held.append(model(image))


def by_data_quietly(model, loader):
    image = torch.zeros(1, 2)
    model.eval()  # ok: TL304
    with torch.no_grad():
        for batch in loader:
            image.data.copy_(batch)
            held.append(model(image))


def the_same(model, sizes):
    image = torch.zeros(1, 2)
    model.eval()  # ok: TL304  each round has the same input
    for size in sizes:
        image.zero_()
        model.size = size
        held.append(model(image))


def demonstrate():
    model, loader = nn.Linear(2, 2), [torch.ones(1, 2)] * 2
    for records, run in ((True, by_data), (True, by_copy), (True, by_index), (False, by_data_quietly)):
        held.clear()
        run(model, loader)
        assert [out.requires_grad for out in held] == [records] * 2
    the_same(model, [1, 2])
