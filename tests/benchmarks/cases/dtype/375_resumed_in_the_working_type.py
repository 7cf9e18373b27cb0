"""A run that is resumed casts its network to the working type after loading; a fresh run does not. The scaler then meets half gradients.

source: huggingface/diffusers#6514, huggingface/diffusers#6119 (resuming brings back fp16 trainable weights)
rules: [TL404]
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


class Run:
    types = {"fp16": torch.float16, "no": torch.float32}

    def __init__(self, precision="fp16", state=None):
        self.precision = precision
        self.net = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 1)).to(KIND)
        self.critic = nn.Linear(1, 1).to(KIND)
        self.critic.requires_grad_(False)
        self.critic.to(dtype=self.low)  # ok: TL404
        if state is not None:
            self.resume(state)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(KIND, init_scale=4.0)

    @property
    def low(self):
        return self.types[self.precision]

    def resume(self, state):
        self.net.load_state_dict(state)
        self.net.to(KIND, dtype=self.low)  # expect: TL404

    def step(self, x, y):
        with torch.autocast(KIND, dtype=torch.float16):
            out = self.net(x)
            loss = F.mse_loss(out.float(), y) - 0.01 * self.critic(out).float().mean()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()

    def frozen_copy(self):
        """What is served or shown is a copy."""
        shown = copy.deepcopy(self.net)
        return shown.to(dtype=self.low).eval()  # ok: TL404

    def preview(self, x):
        with torch.no_grad():
            return self.frozen_copy()(x.to(self.low))


class WideRun(Run):
    """Loads half files into float32 weights; only the device is given."""

    def resume(self, state):
        self.net.load_state_dict(state)
        self.net.to(KIND)  # ok: TL404


def demonstrate():
    torch.manual_seed(0)
    x, y = torch.randn(6, 4, device=KIND), torch.randn(6, 1, device=KIND)
    first = Run()
    first.step(x, y)
    kept = first.net.state_dict()
    try:
        Run(state=kept).step(x, y)
        raise AssertionError("half gradients were unscaled")
    except ValueError as err:
        assert "unscale FP16 gradients" in str(err)
    wide = WideRun(state=kept)
    wide.step(x, y)
    assert wide.net[0].weight.dtype is torch.float32 and wide.preview(x).dtype is torch.float16
