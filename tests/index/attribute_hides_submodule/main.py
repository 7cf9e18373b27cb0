"""A package whose __init__ binds a class to the name of the file that defines it, and one that does not."""
import bare.Gate
import pack
from bare import Gate
from pack import Layer, Plain
from pack.Layer import Layer as Whole


class OfTheClass(Layer):  # class: module; buffers table
    pass


class OfTheWholePath(Whole):  # class: module; buffers table
    pass


class OfTheAttribute(pack.Layer):  # class: module; buffers table
    pass


class OfTheFile(Gate.Gate):  # class: module; buffers gate
    pass


class OfTheDottedFile(bare.Gate.Plain):  # class: plain
    pass


class OfThePlainClass(Plain):  # class: plain
    pass
