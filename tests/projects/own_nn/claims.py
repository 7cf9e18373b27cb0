"""What torch says of the classes."""
import torch
from layers import Layer, TorchLayer


def demonstrate():
    assert not isinstance(Layer(), torch.nn.Module)
    assert Layer().forward(None).shape == (2,)
    assert not TorchLayer().to("meta").shift.is_meta
