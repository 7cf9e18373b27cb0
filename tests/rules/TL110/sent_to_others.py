"""What one module alone holds is put together with other things, sent away, or given to an optimizer."""
import io
import itertools
import pickle
import queue

import torch
from torch import nn


class Sender:
    def __init__(self, net: nn.Module):
        self.net = net
        self.own = [p for p in net.parameters(recurse=False) if p.requires_grad]  # note: TL110
        self.optimizer = torch.optim.SGD(self.own, lr=0.1)

    def tensors(self):
        raise NotImplementedError

    def send(self) -> bytes:
        blob = io.BytesIO()
        torch.save(dict(self.tensors()), blob)
        return blob.getvalue()

    def penalty(self):
        return sum((p**2).sum() for p in self.net.parameters(recurse=False))  # note: TL110

    def shapes(self):
        return [p.shape for p in self.net.parameters(recurse=False)]  # ok: TL110


class OfOneModule(Sender):
    def tensors(self):
        own = self.net.named_parameters(recurse=False)  # expect: TL110
        return itertools.chain(own, self.net.named_buffers(recurse=False))  # expect: TL110


class OfAll(Sender):
    def tensors(self):
        return itertools.chain(self.net.named_parameters(), self.net.named_buffers())  # ok: TL110


class OfEach(Sender):
    def tensors(self):
        for prefix, part in self.net.named_modules():
            yield from part.named_parameters(prefix=prefix, recurse=False)  # ok: TL110


def put(net: nn.Module, target: queue.Queue) -> None:
    target.put({name: p.detach() for name, p in net.named_parameters(recurse=False)})  # expect: TL110


def whole_state(net: nn.Module) -> dict:
    found = dict(net.named_parameters(recurse=False))  # expect: TL110
    found.update(net.named_buffers(recurse=False))  # expect: TL110
    return found


def own_names(net: nn.Module) -> list:
    pairs = itertools.chain(net.named_parameters(recurse=False), net.named_buffers(recurse=False))  # ok: TL110
    return [name for name, _ in pairs]


def is_on(net: nn.Module) -> torch.device:
    return next(iter(net.parameters(recurse=False))).device  # ok: TL110


def log(net: nn.Module, file: io.BytesIO) -> None:
    pickle.dump([p.device.type for p in net.parameters()], file)  # ok: TL110


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.body = nn.Linear(1, 1)


def demonstrate():
    def names(sender):
        return set(torch.load(io.BytesIO(sender.send()), weights_only=True))

    net = Net()
    assert names(OfOneModule(net)) == {"scale"} and names(OfAll(net)) == names(OfEach(net)) == set(net.state_dict())
    assert len(OfAll(net).own) == 1 and set(whole_state(net)) == {"scale"}
    target = queue.Queue()
    put(net, target)
    assert set(target.get()) == {"scale"}
    assert own_names(net) == ["scale"] and is_on(net).type == "cpu"
