"""An epoch function steps through the scaler but never calls update(): one batch passes, the second step raises.

source: pytorch/pytorch#36601 (questions on update), training scripts that split the step into a helper
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def epoch(net, batches, opt, scaler):
    for x, y in batches:
        opt.zero_grad(set_to_none=True)
        with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
            loss = F.mse_loss(net(x).float(), y)  # ok: TL401
        scaler.scale(loss).backward()  # use: TL406
        scaler.step(opt)  # expect: TL406


def finish(scaler, opts):
    for opt in opts:
        scaler.step(opt)
    scaler.update()


def epoch_by_helper(net, batches, opt, scaler):
    for x, y in batches:
        opt.zero_grad(set_to_none=True)
        with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
            loss = F.mse_loss(net(x).float(), y)  # ok: TL401
        scaler.scale(loss).backward()
        finish(scaler, [opt])  # ok: TL406


class NativeStep:
    """timm-like: the call contains the whole protocol."""

    def __init__(self):
        self._scaler = torch.amp.GradScaler(DEVICE_TYPE, init_scale=2.0**40)

    def __call__(self, loss, opt, parameters, clip=None):
        self._scaler.scale(loss).backward()
        if clip is not None:
            self._scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(parameters, clip)  # ok: TL406
        self._scaler.step(opt)
        self._scaler.update()


def epoch_native(net, batches, opt, stepper):
    for x, y in batches:
        opt.zero_grad(set_to_none=True)
        with torch.autocast(DEVICE_TYPE, dtype=torch.float16):
            loss = F.mse_loss(net(x).float(), y)  # ok: TL401
        stepper(loss, opt, net.parameters(), clip=1.0)  # ok: TL406


# ---- demonstration ----
def demonstrate():
    def moved(loop, scaler, times=40):
        torch.manual_seed(0)
        net = nn.Linear(4, 1).to(DEVICE_TYPE)
        start = net.weight.detach().clone()
        batch = torch.randn(8, 4, device=DEVICE_TYPE), torch.randn(8, 1, device=DEVICE_TYPE)
        loop(net, [batch] * times, torch.optim.SGD(net.parameters(), lr=0.1), scaler)
        return not torch.equal(start, net.weight)

    def scaler():
        return torch.amp.GradScaler(DEVICE_TYPE, init_scale=2.0**40)

    assert not moved(epoch, scaler(), times=1), "one batch passes the smoke test (and a scale too big stays so)"
    try:
        moved(epoch, scaler(), times=2)
        raise AssertionError("two steps without update")
    except RuntimeError as err:
        assert "since the last update" in str(err), err
    assert moved(epoch_by_helper, scaler())
    assert moved(epoch_native, NativeStep())
