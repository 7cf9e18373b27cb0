"""Metaclasses by keyword, by six's with_metaclass and by its decorator."""
from abc import ABC, ABCMeta, abstractmethod

from compat import add_metaclass, with_metaclass
from torch import nn


class Meta(type):  # class: plain
    pass


class ByKeyword(nn.Module, metaclass=ABCMeta):  # class: module; not built
    @abstractmethod
    def build(self): ...


class Concrete(ByKeyword):  # class: module
    def build(self): ...


class WithABC(nn.Module, ABC):  # class: module
    pass


class ByCall(with_metaclass(Meta, nn.Module)):  # class: module
    pass


@add_metaclass(Meta)
class ByDecorator(nn.Module):  # class: module
    pass


class PlainByKeyword(metaclass=Meta):  # class: plain
    pass


class PlainByCall(with_metaclass(Meta, object)):  # class: plain
    pass


class PlainByCallAlone(with_metaclass(Meta)):  # class: plain
    pass
