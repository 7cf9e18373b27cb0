"""What a module was made with and keeps as a plain attribute does not move with it."""

import torch
from torch import nn


class Interpolated(nn.Module):
    def __init__(self, query):
        super().__init__()
        self.query = query

    def embedded(self, steps):
        made = torch.zeros(steps.shape[0], steps.shape[1], 4)  # ok: TL204
        scales = torch.exp(torch.arange(0, 4, 2) * -0.1)  # ok: TL204  all steps are on the CPU
        made[:, :, 0::2] = torch.sin(steps.unsqueeze(2) * scales)
        return made

    def forward(self, x, steps):
        steps = steps.cpu()
        known = self.embedded(steps).to(x)
        asked = self.embedded(self.query.unsqueeze(0)).to(x)
        return x + known + asked


class Followed(nn.Module):
    def __init__(self, query):
        super().__init__()
        self.register_buffer("query", query)

    def embedded(self, steps):
        scales = torch.exp(torch.arange(0, 4) * -0.1)  # expect: TL204
        return torch.sin(steps.unsqueeze(2) * scales)

    def forward(self, x):
        return x + self.embedded(self.query.unsqueeze(0))


class FollowedByOneOfTwo(nn.Module):
    def __init__(self, query):
        super().__init__()
        self.query = query

    def embedded(self, steps):
        scales = torch.exp(torch.arange(0, 4) * -0.1)  # expect: TL204
        return torch.sin(steps.unsqueeze(2) * scales)

    def forward(self, x, steps):
        asked = self.embedded(self.query.unsqueeze(0)).to(x)
        return x + self.embedded(steps) + asked


def demonstrate():
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        query = torch.linspace(0.0, 1.0, 3)
        x, steps = torch.ones(2, 3, 4, device="cuda"), torch.ones(2, 3, device="cuda")
        assert Interpolated(query)(x, steps).device.type == "cuda"
        for broken, given in ((Followed(query.to(x)), (x,)), (FollowedByOneOfTwo(query), (x, steps))):
            try:
                broken(*given)
            except RuntimeError as error:
                assert "same device" in str(error)
            else:
                raise AssertionError("tensors of two devices were combined")


if __name__ == "__main__":
    demonstrate()
