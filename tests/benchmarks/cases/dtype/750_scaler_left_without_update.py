"""Two training loops leave the GradScaler between states: update skipped with the step, update only once per epoch.

source: Haian-Jin/LVSM#19, espnet/espnet#2362, Azure/MS-AMP#45
rules: [TL406]
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE_TYPE = "cuda" if torch.cuda.is_available() else "cpu"


def loss_of(model, x, y):
    with torch.autocast(DEVICE_TYPE, dtype=torch.bfloat16):
        return F.mse_loss(model(x), y)


def fit_skipping(model, opt, scaler, batches, limit=5.0):
    for x, y in batches:
        opt.zero_grad()
        scaler.scale(loss_of(model, x, y)).backward()
        scaler.unscale_(opt)
        norm = nn.utils.clip_grad_norm_(model.parameters(), limit)
        if norm < 4 * limit:
            scaler.step(opt)
            scaler.update()  # expect: TL406
        else:
            print("gradient norm", float(norm), "- step skipped")


def fit_epoch(model, opt, scaler, batches):
    for x, y in batches:
        opt.zero_grad()
        scaler.scale(loss_of(model, x, y)).backward()
        scaler.step(opt)  # expect: TL406
    return model


def fit_skipping_fixed(model, opt, scaler, batches, limit=5.0):
    skipped = 0
    for x, y in batches:
        opt.zero_grad()
        scaler.scale(loss_of(model, x, y)).backward()
        scaler.unscale_(opt)
        norm = nn.utils.clip_grad_norm_(model.parameters(), limit)
        if norm < 4 * limit:
            scaler.step(opt)
        else:
            skipped += 1
        scaler.update()  # ok: TL406
    return skipped


def fit_accumulating(model, opt, scaler, batches, every=2):
    opt.zero_grad()
    for i, (x, y) in enumerate(batches, start=1):
        scaler.scale(loss_of(model, x, y) / every).backward()
        if i % every == 0:
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # ok: TL406
            scaler.step(opt)
            scaler.update()  # ok: TL406
            opt.zero_grad()


def demonstrate():
    def setup():
        torch.manual_seed(0)
        model = nn.Linear(4, 1).to(DEVICE_TYPE)
        opt = torch.optim.SGD(model.parameters(), lr=0.01)
        x = [torch.randn(8, 4, device=DEVICE_TYPE) for _ in range(4)]
        y = [torch.randn(8, 1, device=DEVICE_TYPE) for _ in range(4)]
        y[1] += 1e4  # one outlier batch
        return model, opt, torch.amp.GradScaler(DEVICE_TYPE), list(zip(x, y))

    for fit, text in ((fit_skipping, "unscale_() has already been called"), (fit_epoch, "step() has already been called")):
        try:
            fit(*setup())
            raise AssertionError("the scaler accepted a second round")
        except RuntimeError as err:
            assert text in str(err), err
    assert fit_skipping_fixed(*setup()) == 1
    parts = setup()
    before = parts[0].weight.detach().clone()
    fit_accumulating(*parts)
    assert not torch.equal(before, parts[0].weight)
