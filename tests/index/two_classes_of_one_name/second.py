"""Head is plain here and a module in first.py."""
import first


class Head:  # class: plain
    pass


class Neck(Head):  # class: plain
    pass


class Other(first.Head):  # class: module; buffers table
    pass
