"""Imports across the files of a project: re-exports, relative and star imports, packages, names that lead nowhere."""
import torch

import shapes
import shapes.deep as deep
from shapes import Scale, made, renamed
from shapes.base import *
from shapes.base import Missing
from shapes.deep.inner import Inner


def calls(x):
    made()  # fact: tensor float16
    renamed()  # fact: tensor float16
    shapes.made()  # fact: tensor float16
    shapes.deep.inner.own_zeros(2)  # fact: tensor int64
    shapes.base.only_by_star()  # fact: tensor int64
    only_by_star()  # fact: tensor int64
    Scale()  # fact: module is Scale
    shapes.Scale()  # fact: module is Scale
    shapes.base.Scale().table  # fact: buffer int64
    Inner()  # fact: module is Inner
    deep.Inner()  # fact: module is Inner
    Inner()(x)  # fact: buffer int64
    shapes.COUNT  # fact: number integral
    shapes.TABLE  # fact: tensor float32
    shapes.deep.inner.of_the_parent()  # fact: tensor float16
    shapes.not_there()  # fact: unknown dtype ?
    deep.not_there()  # fact: unknown dtype ?
    Missing(x)  # fact: unknown dtype ?
    shapes.lazy()  # fact: unknown dtype ?
    shapes.swapped(x)  # fact: unknown dtype ? from x
    return shapes.computed  # fact: number integral


def not_called(x):
    _hidden()  # fact: unknown dtype ?
    shapes.base.not_there()  # fact: unknown dtype ?
    shapes.absent.make()  # fact: unknown dtype ?
    Scale.not_there  # fact: unknown dtype ?
    return shapes  # todo: unknown dtype ?  an imported name need not be callable


def demo():
    calls(torch.ones(2))
