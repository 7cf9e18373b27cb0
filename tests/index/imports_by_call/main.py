"""importlib and getattr with names that are written down, and with names that are not."""
import importlib
import os
from importlib import import_module

import layers as known

layers = importlib.import_module("layers")
plain = import_module("plain")
either = import_module(os.environ.get("NO_SUCH_VARIABLE", "layers"))


class OfModule(layers.Base):  # class: module; buffers table
    pass


class OfAttribute(getattr(known, "Base")):  # class: module; buffers table
    pass


class OfPlain(plain.Base):  # class: plain
    pass


class OfEither(either.Base):  # class: unknown
    pass


class OfUnknownName(getattr(known, os.environ.get("NO_SUCH_VARIABLE", "Base"))):  # class: unknown
    pass
