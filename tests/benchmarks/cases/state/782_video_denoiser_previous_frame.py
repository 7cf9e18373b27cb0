"""Frame-recurrent denoiser feeds its last output back in; the stored frame still carries the graph of the previous call.

source: "Trying to backward through the graph a second time" reports on recurrent video and RNN code; classes written from scratch
rules: [TL102]
"""
import torch
import torch.nn as nn


class DenoiserBase(nn.Module):
    def __init__(self, channels: int = 3, width: int = 4):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(2 * channels, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, channels, 3, padding=1)
        )
        self.mean_residual = 0.0
        self.last_shape = None

    def step(self, frame, previous):
        residual = self.net(torch.cat([frame, previous], 1))
        self.mean_residual = residual.detach().abs().mean().item()  # ok: TL102
        self.last_shape = frame.shape  # ok: TL102
        return frame - residual


class CarryingDenoiser(DenoiserBase):
    def __init__(self, channels: int = 3, width: int = 4):
        super().__init__(channels, width)
        self.previous = None

    def forward(self, frame):
        previous = frame if self.previous is None else self.previous
        out = self.step(frame, previous)
        self.previous = out  # expect: TL102
        return out


class ClipDenoiser(DenoiserBase):
    """The recurrence stays inside one call: nothing outlives the clip."""

    def forward(self, clip):
        outs, previous = [], clip[:, 0]
        for t in range(clip.shape[1]):
            previous = self.step(clip[:, t], previous)
            outs.append(previous)
        return torch.stack(outs, 1)


class StreamingDenoiser(DenoiserBase):
    """Cut at the frame boundary; the owner calls reset() between videos."""

    def __init__(self, channels: int = 3, width: int = 4):
        super().__init__(channels, width)
        self.register_buffer("previous", None, persistent=False)

    def reset(self) -> None:
        self.previous = None

    def forward(self, frame):
        out = self.step(frame, frame if self.previous is None else self.previous)
        self.previous = out.detach()  # ok: TL102
        return out


# ---- demonstration: not part of the graded code ----
def _fit(model, batches) -> bool:
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    for x in batches:
        opt.zero_grad()
        try:
            model(x).square().mean().backward()
        except RuntimeError as exc:
            assert "second time" in str(exc) or "inplace" in str(exc), exc
            return False
        opt.step()
    return True


def demonstrate():
    frames = [torch.randn(1, 3, 6, 6) for _ in range(3)]
    bad, good = CarryingDenoiser(), StreamingDenoiser()
    assert not _fit(bad, frames)
    assert _fit(good, frames)
    assert _fit(ClipDenoiser(), [torch.randn(1, 3, 3, 6, 6) for _ in range(3)])
    bad = CarryingDenoiser()
    bad(frames[0]), good(frames[0])
    assert bad.previous.requires_grad and not good.previous.requires_grad
    bad.to("meta"), good.to("meta")
    assert bad.previous.device.type == "cpu" and good.previous.is_meta
    moved = frames[1].to("meta")
    try:
        torch.cat([moved, bad.previous], 1)
        raise AssertionError("expected a device clash")
    except RuntimeError:
        pass
    assert torch.cat([moved, good.previous], 1).is_meta
