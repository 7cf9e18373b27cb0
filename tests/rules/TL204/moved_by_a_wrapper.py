"""DataParallel and DistributedDataParallel move what their forward() is given to the device of the network."""

import torch
from torch import nn


class Trainer:
    def __init__(self, net, rank: int):
        self.net = nn.parallel.DistributedDataParallel(net.cuda(), device_ids=[rank], output_device=rank)
        self.spread = nn.DataParallel(net)

    def step(self, image: torch.Tensor):
        image = image.cuda(non_blocking=True)
        state = torch.zeros(image.size(0), 4)  # ok: TL204  the wrapper moves it
        mask = torch.ones(image.size(0), 4)  # ok: TL204  as does this one
        shift = torch.ones(image.size(0), 4)  # expect: TL204
        return self.net(image, state) + self.spread(image, mask) + image * shift


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.GRUCell(4, 4)

    def forward(self, image):
        state = torch.zeros(image.size(0), 4)  # expect: TL204
        there = torch.zeros(image.size(0), 4, device=image.device)  # ok: TL204
        return self.net(image, state) + self.net(image, there)


def demonstrate():
    image = torch.zeros(2, 4, device="meta")
    weight = Plain().to("meta").net.weight_hh
    for call in (lambda: weight * torch.ones(12, 4), lambda: image * torch.ones(2, 4)):
        try:
            call()
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "device" in str(error)
