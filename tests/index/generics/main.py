"""Type parameters and protocols among the bases."""
from typing import Dict, Generic, List, Protocol, TypeVar, runtime_checkable

from layers import Layer
from torch import nn

T = TypeVar("T")


class Child(Layer[int]):  # class: module; buffers table
    pass


class Grandchild(Child, Generic[T]):  # class: module; buffers table
    pass


class Behind(Generic[T], nn.Module):  # class: module
    pass


@runtime_checkable
class HasTable(Protocol):  # class: plain
    def forward(self, x): ...


class Promises(nn.Module, HasTable):  # class: module
    pass


class Box(Generic[T]):  # class: plain
    pass


class BoxOfModules(Box[nn.Module]):  # class: plain
    pass


class Layers(List[nn.Module]):  # class: plain
    pass


class Table(Dict[str, nn.Module]):  # class: plain
    pass


class Pair(tuple[nn.Module, nn.Linear]):  # class: plain
    pass
