"""An attention bias is made with torch.full(FORBIDDEN) in the dtype of the scores and shared by all layers of a half model.

source: facebookresearch/fairseq#3575, NVIDIA/apex#93
rules: [TL302]
"""
import torch
from torch import nn

FORBIDDEN = -1e20
MILD = -3e4


class Windowed(nn.Module):
    def __init__(self, reach=1):
        super().__init__()
        self.reach = reach

    def blocked(self, n, device):
        i = torch.arange(n, device=device)
        return (i[:, None] - i[None]).abs() > self.reach

    def bias(self, scores):
        blocked = self.blocked(scores.shape[-1], scores.device)
        return torch.where(blocked, FORBIDDEN, torch.zeros_like(scores[0]))  # expect: TL302

    def forward(self, scores):
        return (scores + self.bias(scores)).softmax(-1)


class WindowedTwice(Windowed):
    """Two biases are added up; a fully blocked row must not become NaN."""

    def forward(self, scores):
        outer = torch.zeros_like(scores)
        outer[..., 0] = FORBIDDEN  # expect: TL302
        return (scores + self.bias(scores) - outer).softmax(-1)


class WindowedMild(Windowed):
    def bias(self, scores):
        blocked = self.blocked(scores.shape[-1], scores.device)
        return torch.where(blocked, MILD, torch.zeros_like(scores[0]))  # ok: TL302


class WindowedFull(Windowed):
    def bias(self, scores):
        blocked = self.blocked(scores.shape[-1], scores.device)
        wide = torch.zeros(blocked.shape, dtype=torch.float32, device=scores.device)
        return wide.masked_fill(blocked, FORBIDDEN)  # ok: TL302

    def forward(self, scores):
        return (scores.float() + self.bias(scores)).softmax(-1).to(scores.dtype)


class Block(nn.Module):
    def __init__(self, window, dim=4):
        super().__init__()
        self.q, self.window = nn.Linear(dim, dim), window

    def forward(self, x):
        q = self.q(x)
        return self.window(q @ q.transpose(-1, -2)) @ x


def load_for_serving(window=Windowed, half=True):
    net = Block(window()).eval()
    return net.half() if half else net


# ---- demonstration ----
def demonstrate():
    torch.manual_seed(0)
    x = torch.randn(1, 4, 4).half()
    scores = torch.randn(1, 4, 4).half()
    assert Windowed().bias(scores).isinf().any()  # silently -inf
    try:
        out = load_for_serving(WindowedTwice)(x)
        assert out.isnan().any()
    except RuntimeError as err:
        assert "overflow" in str(err), err
    for window in (WindowedMild, WindowedFull):
        assert not window().bias(scores).isinf().any()
        assert load_for_serving(window)(x).isfinite().all()
