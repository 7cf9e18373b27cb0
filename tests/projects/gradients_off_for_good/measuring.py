"""demo_fast.py switches gradients off, and report.py does not."""

import torch


def measured(model, frames):
    model.eval()  # expect: TL304
    found = []
    for x in frames:
        found.append(torch.relu(model(x)))
    return found


def values(model, x):
    return model(x).cpu().numpy()  # expect: TL306
