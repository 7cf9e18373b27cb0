from enum import Enum

TABLE = "table"
DOTTED = "dotted"
SHIFT = "shift"


class Names:  # class: plain
    scale = "scale"


class Words(Enum):  # class: plain
    MEAN = "mean"


class Plain:  # class: plain
    def register_buffer(self, name, value):
        setattr(self, name, value)
