"""A package that replaces itself by a lazy module with a table {file: [names]}, and tells type checkers the same."""
import pack
from pack import Base, Extra, Late, Plain


class Structured(Base):  # class: module; buffers table
    pass


class ByAttribute(pack.Base):  # class: module; buffers table
    pass


class AddedBelow(Extra):  # class: module; buffers extra
    pass


class AppendedBelow(Late):  # class: module
    pass


class PlainStructured(Plain):  # class: plain
    pass
