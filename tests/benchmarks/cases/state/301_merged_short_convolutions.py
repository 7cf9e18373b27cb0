"""The three short convolutions of a linear attention are merged on first use; a later refit of the weights is not noticed.

source: vllm-project/vllm#57638 (merged convolution weight kept over a weight reload), rewritten for plain torch
rules: [TL104]
"""
import torch
import torch.nn.functional as F
from torch import nn


class ShortMix(nn.Module):
    """q, k and v each pass a depthwise convolution of four taps; one call does all three."""

    def __init__(self, width: int, taps: int = 4):
        super().__init__()
        self.taps = taps
        self.branches = nn.ModuleDict(
            {name: nn.Conv1d(width, width, taps, groups=width, bias=False) for name in ("q", "k", "v")}
        )

    def _joined(self) -> torch.Tensor:
        return torch.cat([conv.weight for conv in self.branches.values()])

    def kernel(self) -> torch.Tensor:
        return self._joined()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        w = self.kernel()
        return F.conv1d(F.pad(x.repeat(1, 3, 1), (self.taps - 1, 0)), w, groups=w.shape[0])


class MergedOnce(ShortMix):
    def __init__(self, width: int, taps: int = 4):
        super().__init__(width, taps)
        self._packed = None

    def kernel(self):
        packed = self._packed
        if packed is None:
            with torch.no_grad():
                packed = self._joined().contiguous()
            self._packed = packed  # expect: TL104
        return packed


class MergedPerCall(ShortMix):
    """The same names, but what is kept is only the number of channels."""

    def __init__(self, width: int, taps: int = 4):
        super().__init__(width, taps)
        self._packed = None

    def kernel(self):
        packed = self._joined()
        if self._packed is None:
            self._packed = packed.shape[0]  # ok: TL104, TL102
        return packed.reshape(self._packed, 1, -1)


class MergedParameter(ShortMix):
    """One stacked parameter from the start, split on demand."""

    def __init__(self, width: int, taps: int = 4):
        super().__init__(width, taps)
        joined = self._joined().detach().clone()
        del self.branches
        self._packed = nn.Parameter(joined)  # ok: TL106, TL101

    def kernel(self):
        return self._packed


# ---- demonstration: not part of the graded code ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(2, 3, 8)
    for cls, right in ((MergedOnce, False), (MergedPerCall, True), (MergedParameter, True)):
        worker, trained = cls(3), cls(3)
        worker(x)  # warm-up with dummy weights
        worker.load_state_dict(trained.state_dict())
        assert torch.allclose(worker(x), trained(x), atol=1e-6) is right, cls
