"""A hard-coded half type overrides what autocast chose; a cast that follows another tensor does not."""
import torch
from torch import nn


class Matcher(nn.Module):
    def __init__(self, dim: int = 4):
        super().__init__()
        self.encode = nn.Linear(dim, dim)

    def clashing(self, x, grid):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return torch.cat([self.encode(x), grid.half()], dim=-1)  # expect: TL401

    def losing(self, logits):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return torch.logsumexp(logits.float(), dim=-1).to(torch.bfloat16)  # expect: TL401

    def writing(self, x):
        canvas = torch.zeros(5, 4)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            canvas[torch.arange(3)] = self.encode(x).half()  # expect: TL401
        return canvas

    def following(self, x, grid):
        canvas = torch.zeros(5, 4)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            features = self.encode(x)
            canvas[:3] = features.to(canvas.dtype)  # ok: TL401
            canvas[:3] = features.type_as(canvas)  # ok: TL401
            half = torch.zeros(5, 4, dtype=torch.float16)
            half[:3] = features.to(half.dtype)  # ok: TL401  the dtype of what it is written into
            return torch.cat([features, grid.to(features.dtype)], dim=-1)  # ok: TL401

    def after(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            features = self.encode(x)
        return features.half()  # ok: TL401

    def of_layer(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            features = self.encode(x)
            self.encode.bfloat16()  # ok: TL401  a module is converted, not a value
        return features


def demonstrate():
    x, module = torch.rand(3, 4), Matcher()
    for call in (lambda: module.clashing(x, x), lambda: module.writing(x)):
        try:
            call()
            raise AssertionError("two half types met")
        except RuntimeError:
            pass
    assert module.losing(x).dtype == torch.bfloat16
    assert module.following(x, x).dtype == torch.bfloat16
    assert module.after(x).dtype == torch.float16
    assert module.of_layer(x).dtype == torch.bfloat16
