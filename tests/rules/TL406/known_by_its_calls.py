"""A scaler is known by scale(), step() and update(), whatever its name; an update that is left out is told once."""

from torch import nn


class Stage:
    def __init__(self, net, optimizer, amp=None):
        self.net, self.optimizer, self.amp = net, optimizer, amp

    def advance(self, loss):
        self.amp.scale(loss).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)  # expect: TL406
        self.amp.step(self.optimizer)
        self.amp.update()

    def advance_unscaled(self, loss):
        self.amp.scale(loss).backward()
        self.amp.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)  # ok: TL406
        self.amp.step(self.optimizer)
        self.amp.update()

    def advance_two(self, losses, first, second, limit):
        for loss in losses:
            self.amp.scale(loss).backward()
            self.amp.step(first)  # ok: TL406  told at the update
            self.amp.unscale_(second)
            if loss.item() > limit:
                continue
            self.amp.step(second)
            self.amp.update()  # expect: TL406


class Chart:
    def __init__(self, axis, net):
        self.axis, self.net = axis, net

    def draw(self, loss):
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)  # ok: TL406  an axis has no update()
        self.axis.scale(loss)
        self.axis.step(loss)
