"""Data is prepared on the CPU; a test of the input's device, or a device context, is an answer."""
import torch
from torch import nn
from torch.utils.data import Dataset


class Pairs(Dataset):
    def __init__(self, rows: torch.Tensor):
        self.rows = rows

    def __getitem__(self, index: int):
        return self.noisy(self.rows[index])

    def noisy(self, row: torch.Tensor):
        return row.float() + torch.randn(row.size())  # ok: TL204  an item of a data set


def collate(batch: list[torch.Tensor]):
    longest = max(len(row) for row in batch)
    return torch.stack([torch.cat([row, torch.zeros(longest - len(row))]) for row in batch])  # ok: TL204


class AddNoise:
    def __call__(self, image: torch.Tensor):
        return image + torch.randn(image.size())  # ok: TL204  nobody says that a network made it


class Guarded(nn.Module):
    def forward(self, x):
        shift = torch.zeros(x.size(1))  # ok: TL204
        if x.is_cuda:
            shift = shift.cuda()
        scale = torch.ones(x.size(1))  # ok: TL204
        scale = scale.cuda() if x.is_cuda else scale
        with torch.device(x.device):
            bias = torch.zeros(x.size(1))  # ok: TL204
        if x.device.type == "cpu":
            x = x * torch.ones(x.size(1))  # ok: TL204
        return x * scale + shift + bias


class OnTheCpu(nn.Module):
    def forward(self, x):
        share = x.detach().cpu()
        return (share * torch.linspace(0, 1, x.size(1))).to(x)  # ok: TL204  both are on the CPU


class Unguarded(nn.Module):
    def forward(self, x):
        return x * torch.linspace(0, 1, x.size(1))  # expect: TL204


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    assert Pairs(torch.ones(2, 3))[0].shape == AddNoise()(torch.ones(3)).shape == (3,)
    assert collate([torch.ones(2), torch.ones(3)]).shape == (2, 3)
    assert Guarded()(torch.ones(2, 3)).shape == (2, 3)
    with FakeTensorMode():
        x = torch.ones(2, 3, device="cuda")
        assert (x.detach().cpu() * torch.linspace(0, 1, 3)).to(x).device.type == "cuda"
        try:
            Unguarded()(x)
            raise AssertionError("tensors of two devices were combined")
        except RuntimeError as error:
            assert "same device" in str(error)
