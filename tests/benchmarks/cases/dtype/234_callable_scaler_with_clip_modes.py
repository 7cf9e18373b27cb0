"""A callable loss scaler picks the clipping function by mode; the adaptive branch was added later and clips scaled gradients.

source: milesial/Pytorch-UNet#470 kind; timm style NativeScaler classes extended by hand
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

KIND = "cuda" if torch.cuda.is_available() else "cpu"


def cut(weights, most, mode):
    if mode == "norm":
        nn.utils.clip_grad_norm_(weights, most)  # use: TL406
    else:
        nn.utils.clip_grad_value_(weights, most)  # use: TL406


class LossScaler:
    def __init__(self, mode="norm"):
        self.mode, self._inner = mode, torch.amp.GradScaler(KIND)

    def __call__(self, loss, opt, weights=None, most=None, last=True):
        self._inner.scale(loss).backward()
        if not last:
            return
        if most is not None:
            cut(weights, most, self.mode)  # expect: TL406
        self._inner.step(opt)
        self._inner.update()


class FixedLossScaler(LossScaler):
    def __call__(self, loss, opt, weights=None, most=None, last=True):
        self._inner.scale(loss).backward()
        if not last:
            return
        if most is not None:
            self._inner.unscale_(opt)
            cut(weights, most, self.mode)  # ok: TL406
        self._inner.step(opt)
        self._inner.update()


class ManualLossScaler(LossScaler):
    """Divides by hand, so what is clipped is true to size; step would divide again and is told not to."""

    def __call__(self, loss, opt, weights=None, most=None, last=True):
        loss.backward()
        if last:
            if most is not None:
                cut(weights, most, self.mode)  # ok: TL406
            opt.step()  # ok: TL406


def fit(net, scaler, x, y, windows=2):
    opt = torch.optim.SGD(net.parameters(), lr=0.5)
    for i in range(windows):
        with torch.autocast(KIND, dtype=torch.bfloat16):
            loss = F.mse_loss(net(x).float(), y)
        scaler(loss, opt, weights=net.parameters(), most=1.0, last=i + 1 == windows)  # ok: TL406
    return net


def demonstrate():
    def length(cls, mode):
        torch.manual_seed(0)
        net = nn.Linear(4, 1).to(KIND)
        start = net.weight.detach().clone()
        x = torch.randn(8, 4, device=KIND)
        return (fit(net, cls(mode), x, 3 * x.sum(1, keepdim=True)).weight - start).norm().item()

    for mode in ("norm", "value"):
        right = length(FixedLossScaler, mode)
        assert right > 0.1 and length(ManualLossScaler, mode) > 0.1
        assert length(LossScaler, mode) < right / 1000
