"""The same from further below."""
import pack


class Tested(pack.Base):  # class: module; buffers table
    pass


class PlainTested(pack.base.Plain):  # class: plain
    pass
