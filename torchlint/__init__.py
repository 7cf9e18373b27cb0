"""torchlint: a static analyzer for the state and dtype hazards of PyTorch modules."""

__version__ = "0.1.0"
