"""A helper of a plain class works on the CPU where its callers give it tensors of the CPU; the result is moved."""
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


class Pipeline:
    def __init__(self, unet: nn.Module, image_encoder: nn.Module, device: str):
        self.unet = unet.to(device)
        self.image_encoder = image_encoder.cuda() if device == "cuda" else image_encoder
        self.device = device

    def embed_scale(self, w, width=8, dtype=torch.float32):
        w = w * 1000.0
        rates = torch.exp(torch.arange(width // 2, dtype=dtype) * -math.log(100.0))  # ok: TL204
        angles = w.to(dtype)[:, None] * rates[None, :]
        return torch.cat([angles.sin(), angles.cos()], dim=1)

    def sample(self, latents: torch.Tensor, scale: float):
        scales = torch.tensor(scale - 1).repeat(len(latents))
        condition = self.embed_scale(scales, width=self.unet.in_features).to(device=self.device)
        return self.unet(latents + condition)

    @staticmethod
    def from_picture(picture: np.ndarray):
        return torch.from_numpy(picture.transpose(0, 3, 1, 2))  # ok: TL204

    def encode(self, picture: np.ndarray):
        picture = blurred(self.from_picture(picture))
        return self.image_encoder(picture.to(self.device))


def blurred(picture):
    kernel = torch.ones(1, 3, 3, device=picture.device).expand(3, -1, -1)
    return filtered(picture, kernel)


def filtered(picture, kernel):
    kernel = kernel[:, None].to(device=picture.device, dtype=picture.dtype)
    return F.conv2d(picture, kernel, groups=kernel.size(0))


class Decoder:
    """Over the outputs of a runtime that knows NumPy only."""

    def __init__(self):
        self.spread = nn.Conv1d(4, 1, 1, bias=False)
        self.anchors = None

    def boxes(self, maps):
        if self.anchors is None:
            self.anchors = torch.ones(1, 1, 1)
        spread = self.spread(torch.cat([one.flatten(2) for one in maps], 2)).transpose(1, 2)
        return shifted(spread, self.anchors)

    def decode(self, outputs: list[np.ndarray]):
        maps = [torch.from_numpy(one).permute(0, 3, 1, 2) for one in outputs[0::2]]  # ok: TL204
        scores = [torch.from_numpy(one).permute(0, 3, 1, 2) for one in outputs[1::2]]  # ok: TL204
        return torch.cat((self.boxes(maps), torch.cat([one.flatten(2) for one in scores], 2).transpose(1, 2)), 2)


def shifted(distance, anchor_points, dim=-1):
    left, right = distance.chunk(2, dim) if distance.shape[dim] > 1 else (distance, distance)
    return torch.cat((anchor_points - left, anchor_points + right), dim)


class Mixed:
    def __init__(self, net: nn.Module):
        self.net = net.cuda() if torch.cuda.is_available() else net

    def weighted(self, image: torch.Tensor):
        logits = self.net(image)
        return self.scaled(logits, torch.linspace(0, 1, logits.shape[-1]))  # expect: TL204

    def scaled(self, logits, weights):
        return logits * weights


def demonstrate():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pipeline = Pipeline(nn.Linear(8, 8), nn.Conv2d(3, 1, 1), device)
    assert pipeline.sample(torch.ones(2, 8, device=device), 7.5).device.type == device
    assert pipeline.encode(np.ones((1, 8, 8, 3), dtype="float32")).device.type == device
    assert Decoder().decode([np.ones((1, 2, 2, 4), dtype="float32")] * 2).shape == (1, 4, 6)
    with torch.device("meta"):
        net, image = nn.Linear(4, 4), torch.ones(2, 4)
    mixed = Mixed(nn.Linear(4, 4))
    mixed.net = net
    try:
        mixed.weighted(image)
        raise AssertionError("tensors of two devices were combined")
    except RuntimeError as error:
        assert "device" in str(error)
