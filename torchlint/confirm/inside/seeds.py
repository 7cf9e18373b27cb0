"""Random numbers that begin anew."""

from __future__ import annotations

import torch

# torch.manual_seed() also writes down, with a stack, what each kind of device is to do once it is used.
_IS_CPU_ALONE = not (torch.cuda.is_available() or torch.backends.mps.is_available())


def reseed(number: int) -> None:
    """Begin torch's random numbers anew, on all devices that are there."""
    if _IS_CPU_ALONE:
        torch.default_generator.manual_seed(number)
    else:
        torch.manual_seed(number)
