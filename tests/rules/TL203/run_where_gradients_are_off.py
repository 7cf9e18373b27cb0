"""What an object calls where gradients are off is a network, whatever it is called."""

import numpy as np
import torch


class Preview:
    def __init__(self, maker, paint):
        self.maker, self.paint = maker, paint
        self.dice = np.random.default_rng(0)

    def show(self, count):
        codes = torch.from_numpy(self.dice.standard_normal((count, 8)))  # expect: TL203
        with torch.no_grad():
            return self.maker(codes)

    def between(self, start, end, frames):
        share = torch.as_tensor(np.linspace(0, 1, frames))[:, None]  # expect: TL203
        with torch.inference_mode():
            return self.maker(start + share * (end - start))

    def show_narrow(self, count):
        codes = torch.from_numpy(self.dice.standard_normal((count, 8), dtype=np.float32))  # ok: TL203
        with torch.no_grad():
            return self.maker(codes)

    def show_cast(self, count):
        codes = torch.from_numpy(self.dice.standard_normal((count, 8)))  # ok: TL203  cast on its way
        with torch.no_grad():
            return self.maker(codes.float())

    def draw(self, count):
        codes = torch.from_numpy(self.dice.standard_normal((count, 8)))  # ok: TL203  a drawing takes any numbers
        return self.paint(codes)
