"""Box conversion, signal centring and a non-negative kernel work in place on a conversion that may have copied nothing.

source: pytorch/vision#680, ScrollPrize/villa#1446
rules: [TL308]
"""
import torch
import torch.nn.functional as F
from torch import Tensor, nn


def xywh_to_xyxy(boxes: Tensor) -> Tensor:
    boxes = boxes.float()
    boxes[:, 2:] += boxes[:, :2]  # expect: TL308
    return boxes


def centred(signal) -> Tensor:
    sig = torch.as_tensor(signal, dtype=torch.float32)
    sig -= sig.mean(dim=-1, keepdim=True)  # expect: TL308
    return sig


class SmoothingFilter(nn.Module):
    def __init__(self, taps: int = 5):
        super().__init__()
        self.kernel = nn.Parameter(torch.randn(1, 1, taps))

    @torch.no_grad()
    def response(self, x: Tensor) -> Tensor:
        kernel = self.kernel.contiguous()
        kernel.clamp_(min=0.0)  # expect: TL308
        return F.conv1d(x, kernel, padding=2)


def xywh_to_xyxy_fixed(boxes: Tensor) -> Tensor:
    boxes = boxes.float().clone()
    boxes[:, 2:] += boxes[:, :2]  # ok: TL308
    return boxes


def centred_fixed(signal) -> Tensor:
    sig = torch.tensor(signal, dtype=torch.float32)
    sig -= sig.mean(dim=-1, keepdim=True)  # ok: TL308
    return sig


def centred_outofplace(signal) -> Tensor:
    sig = torch.as_tensor(signal, dtype=torch.float32)
    sig = sig - sig.mean(dim=-1, keepdim=True)
    sig /= sig.std(dim=-1, keepdim=True).clamp(min=1e-6)  # ok: TL308
    return sig


class SmoothingFilterFixed(SmoothingFilter):
    @torch.no_grad()
    def response(self, x: Tensor) -> Tensor:
        kernel = self.kernel.clamp(min=0.0).contiguous()
        kernel /= kernel.sum().clamp(min=1e-6)  # ok: TL308
        return F.conv1d(x, kernel, padding=2)


def corner_mask(boxes: Tensor, size: int) -> Tensor:
    grid = torch.zeros(len(boxes), size).to(boxes.device)
    grid[:, 0] = boxes[:, 0].to(grid.dtype)  # ok: TL308
    return grid


def demonstrate():
    torch.manual_seed(0)

    def untouched(fn, value):
        before = value.clone()
        fn(value)
        return torch.equal(before, value)

    for fn, clean in ((xywh_to_xyxy, False), (xywh_to_xyxy_fixed, True)):
        assert untouched(fn, torch.rand(3, 4)) is clean
        assert untouched(fn, torch.randint(0, 9, (3, 4)))  # integer boxes are really converted
    assert torch.equal(xywh_to_xyxy(torch.ones(1, 4)), xywh_to_xyxy_fixed(torch.ones(1, 4)))
    assert not untouched(centred, torch.randn(2, 8) + 1)
    assert untouched(centred_outofplace, torch.randn(2, 8) + 1)
    assert centred_fixed([[1.0, 3.0]]).tolist() == [[-1.0, 1.0]]
    x = torch.randn(1, 1, 9)
    for cls, clean in ((SmoothingFilter, False), (SmoothingFilterFixed, True)):
        part = cls()
        assert untouched(lambda _: part.response(x), part.kernel.data) is clean
    assert untouched(lambda b: corner_mask(b, 4), torch.rand(3, 4))
