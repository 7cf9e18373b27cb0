"""A bad round calls update() alone, in the branch that neither steps nor unscales."""

import torch


def guarded(net, opt, scaler, batches):
    for x in batches:
        loss = net(x).mean()
        if not torch.isfinite(loss):
            scaler.update()  # expect: TL406
            continue
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()


def guarded_by_else(net, opt, scaler, batches):
    for x in batches:
        loss = net(x).mean()
        if loss.isnan().any():
            opt.zero_grad()
            scaler.update()  # expect: TL406
        else:
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()


def left_out(net, opt, scaler, batches):
    for x in batches:
        loss = net(x).mean()
        if not torch.isfinite(loss):
            opt.zero_grad()
            continue
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()  # ok: TL406


def unscaled_before(net, opt, scaler, batches, limit):
    for x in batches:
        scaler.scale(net(x).mean()).backward()
        scaler.unscale_(opt)
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), limit)
        if not torch.isfinite(norm):
            opt.zero_grad()
            scaler.update()  # ok: TL406
            continue
        scaler.step(opt)
        scaler.update()  # ok: TL406


def of_two_scalers(net, opt, scaler, other_scaler, batches):
    for x in batches:
        loss = net(x).mean()
        if not torch.isfinite(loss):
            other_scaler.update()  # ok: TL406
            continue
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
