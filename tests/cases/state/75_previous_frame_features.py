"""Video consistency: features of the previous frame are compared in the next call, with their graph and device.

source: phoenix104104/fast_blind_video_consistency (state between frames), jeshraghian/snntorch#250 (state on the module)
rules: [TL102]
"""
import torch
import torch.nn.functional as F
from torch import nn


class FrameNet(nn.Module):
    def __init__(self, ch: int = 4):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(3, ch, 3, padding=1), nn.ReLU())
        self.dec = nn.Conv2d(ch, 3, 1)
        self.log: dict[str, float] = {}

    def drift(self, feat) -> torch.Tensor:
        raise NotImplementedError

    def forward(self, frame):
        feat = self.enc(frame)
        penalty = self.drift(feat)
        self.log["drift"] = float(penalty.detach())  # ok: TL102
        return self.dec(feat), penalty


class GraphKeepingNet(FrameNet):
    def drift(self, feat):
        before = getattr(self, "_before", None)
        self._before = feat  # expect: TL102
        return feat.new_zeros(()) if before is None else F.l1_loss(feat, before)


class DetachedNet(FrameNet):
    def drift(self, feat):
        before = getattr(self, "_before", None)
        self._before = feat.detach()  # ok: TL102
        if before is None or before.shape != feat.shape or before.device != feat.device:
            return feat.new_zeros(())
        return F.l1_loss(feat, before)


class PairNet(FrameNet):
    """Writes and reads inside one call: the attribute is always fresh when it is read."""

    def drift(self, feat):
        self._now = feat  # ok: TL102
        return self._spread()

    def _spread(self):
        half = self._now.shape[0] // 2
        return F.l1_loss(self._now[:half], self._now[half:])


# ---- demonstration: not part of the graded code ----
def _train(net) -> bool:
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(3):
        out, pen = net(torch.rand(2, 3, 4, 4))
        opt.zero_grad()
        try:
            (out.mean() + pen).backward()
        except RuntimeError as exc:
            assert "second time" in str(exc) or "inplace" in str(exc), exc
            return False
        opt.step()
    return True


def demonstrate():
    torch.manual_seed(0)
    assert not _train(GraphKeepingNet())
    assert _train(DetachedNet()) and _train(PairNet())
