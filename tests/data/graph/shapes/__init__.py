"""A package for `torchlint graph`; it offers Scale, which another file defines."""

from .layers import Scale

__all__ = ["Scale"]
