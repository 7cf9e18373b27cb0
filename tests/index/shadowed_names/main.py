"""One name, several meanings, in the order of the lines."""
from layers import Base, Imported


class Early(Base):  # class: module; buffers table
    pass


class Base:  # class: plain
    pass


class Late(Base):  # class: plain
    pass


class Holder(Imported):  # class: plain
    class Imported:  # class: plain
        pass

    class Inner(Imported):  # class: plain
        pass


from layers import Base


class Last(Base):  # class: module; buffers table
    pass
