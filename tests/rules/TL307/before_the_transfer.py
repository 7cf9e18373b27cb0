"""A cast before the move to the accelerator makes more bytes of it; of wide values it makes fewer."""
import numpy as np
import torch


def frame(pixels, device):
    return torch.from_numpy(pixels).float().to(device) / 255.0  # note: TL307


def frame_with_views(pixels, device):
    image = torch.from_numpy(pixels).permute(2, 0, 1).float().unsqueeze(0).to(device)  # note: TL307
    return image.div(255)


def scaled_first(pixels: torch.Tensor, device):
    return (pixels.float() / 255).to(device)  # note: TL307


def known_narrow(device):
    mask = torch.zeros(4, dtype=torch.uint8)
    return mask.to(torch.float32).to(device)  # note: TL307


def back_from_half(x: torch.Tensor):
    return x.half().float().cpu()  # note: TL307


def moved_first(pixels, device):
    return torch.from_numpy(pixels).to(device).float() / 255.0  # ok: TL307


def together(pixels, device):
    return torch.from_numpy(pixels).to(device, torch.float32) / 255.0  # ok: TL307


def signal(wave, device):
    return torch.from_numpy(wave).float().to(device)  # ok: TL307  perhaps float64, which the cast halves


def double(device):
    wide = torch.zeros(4, dtype=torch.float64)
    return wide.float().to(device)  # ok: TL307


def counted(device):
    return torch.arange(4).float().to(device)  # ok: TL307  int64 is wider than float32


def only_cast(pixels):
    return torch.from_numpy(pixels).float() / 255.0  # ok: TL307


def narrowed(x: torch.Tensor, device):
    return x.float().half().to(device)  # ok: TL307


def demonstrate():
    pixels = np.full((2, 2, 3), 255, dtype=np.uint8)
    assert torch.equal(frame(pixels, "cpu"), moved_first(pixels, "cpu"))
    assert torch.equal(frame(pixels, "cpu"), together(pixels, "cpu"))
    assert torch.from_numpy(pixels).float().nbytes == 4 * pixels.nbytes
    tensor = torch.from_numpy(pixels)
    frame_with_views(pixels, "cpu"), scaled_first(tensor, "cpu"), known_narrow("cpu"), back_from_half(torch.ones(2))
    signal(np.ones(2), "cpu"), double("cpu"), counted("cpu"), only_cast(pixels), narrowed(tensor, "cpu")
