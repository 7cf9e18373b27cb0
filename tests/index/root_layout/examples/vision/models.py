"""Two folders below the root, which is where imports begin; no __init__.py on the way."""
from pack import Base
from pack.plain import Base as Plain


class Example(Base):  # class: module; buffers table
    pass


class PlainExample(Plain):  # class: plain
    pass
