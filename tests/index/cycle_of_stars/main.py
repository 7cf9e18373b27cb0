from ring import Child, Grandchild, PlainChild


class Outside(Grandchild):  # class: module; buffers table
    pass


class Beside(Child):  # class: module; buffers table
    pass


class PlainOutside(PlainChild):  # class: plain
    pass
