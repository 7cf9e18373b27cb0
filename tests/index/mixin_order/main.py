"""A mixin before the module replaces its method; the same mixin behind it does not."""
from base import Base
from mixins import Tables, Words


class MixinFirst(Tables, Base):  # class: module; buffers mixed; parameters weight
    pass


class MixinLast(Base, Tables):  # class: module; buffers own; parameters weight
    pass


class TwoPlain(Tables, Words):  # class: plain
    pass
