"""A program for pictures; nothing is trained in it."""

import torch

from showing import mask, shown

torch.set_grad_enabled(False)


def main(model, frames):
    return shown(model, frames), mask(model, frames[0])
