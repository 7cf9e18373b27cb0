"""What layer it is stands nowhere in sight: a name that speaks of one gives a note."""
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, encoder, proj):
        super().__init__()
        self.encoder, self.proj = encoder, proj

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = torch.matmul(x, x.t())
            with torch.autocast("cpu", enabled=False):
                return self.proj(hidden)  # note: TL409

    def cast(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = torch.matmul(x, x.t())
            with torch.autocast("cpu", enabled=False):
                return self.proj(hidden.float())  # ok: TL409

    def encoded(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.encoder(x)
            with torch.autocast("cpu", enabled=False):
                return self.proj(hidden)  # ok: TL409  what the encoder returns is out of sight


def demonstrate():
    x = torch.rand(4, 4)
    head = Head(nn.Softmax(-1), nn.Linear(4, 4))
    try:
        head(x)
        raise AssertionError("two dtypes met")
    except RuntimeError:
        pass
    assert head.cast(x).dtype == torch.float32
    head.proj = nn.Identity()
    head.encoded(x)
