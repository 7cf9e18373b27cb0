"""What pixels are divided by may be a constant of the file, a default, or an attribute that keeps one."""

import torch

LARGEST = 255.0
STEPS = 100


def by_constant(pixels: torch.Tensor, device):
    return pixels.float().to(device) / LARGEST  # note: TL307


def by_default(pixels: torch.Tensor, device, scale=255):
    return pixels.float().to(device) / scale  # note: TL307


def by_other_constant(signal: torch.Tensor, device):
    return signal.float().to(device) / STEPS  # ok: TL307  no largest byte


def by_argument(signal: torch.Tensor, device, scale):
    return signal.float().to(device) / scale  # ok: TL307  not known


class Frames:
    def __init__(self, frames, device, scale=255.0):
        self.frames, self.device, self.scale = frames, device, scale

    def ready(self, frame):
        return frame.float().to(self.device) / self.scale  # note: TL307

    def ready_later(self, frame):
        return frame.to(self.device).float() / self.scale  # ok: TL307

    def __iter__(self):
        for frame in self.frames:
            yield self.ready(frame) - self.ready_later(frame)


class Signals:
    def __init__(self, device, scale):
        self.device, self.scale = device, scale

    def ready(self, signal):
        return signal.float().to(self.device) / self.scale  # ok: TL307  not known


def demonstrate():
    pixels = torch.randint(0, 255, (2, 3), dtype=torch.uint8)
    assert torch.equal(by_constant(pixels, "cpu"), by_default(pixels, "cpu"))
    assert all(not one.any() for one in Frames([pixels], "cpu"))
    assert pixels.float().nbytes == 4 * pixels.nbytes
    by_other_constant(pixels, "cpu"), by_argument(pixels, "cpu", 2), Signals("cpu", 2).ready(pixels)
