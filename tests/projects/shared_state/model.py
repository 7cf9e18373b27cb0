"""Children of the base, which read what other files hold."""

import torch
from bases import Prepared
from tables import NUMBERS, WINDOW, nearest, turned


class Decoder(Prepared):
    def prepare(self):
        self.decoder = turned(self.weight)  # expect: TL106
        self.register_buffer("window", WINDOW.clone())  # ok: TL106

    def forward(self, x):
        if self.mean is None:
            self.mean = x.detach().mean(0)
        x = (x - self.mean).to(self.dtype)
        return nearest(x @ self.decoder) + self.margin + self.window.sum() + sum(NUMBERS)


class Fresh(Prepared):
    def prepare(self):
        self.register_buffer("window", WINDOW.clone())  # ok: TL106

    def forward(self, x):
        return x @ turned(self.weight) + torch.zeros(3, device=x.device) + self.window.sum()
