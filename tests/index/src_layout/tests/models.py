"""What lies beside src/ imports the package in it."""
from pack import Base
from pack.base import Plain
from pack.plain import Base as OtherBase


class Tested(Base):  # class: module; buffers table
    pass


class PlainTested(Plain):  # class: plain
    pass


class OtherTested(OtherBase):  # class: plain
    pass
