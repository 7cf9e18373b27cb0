from base import Base


class Head(Base):  # class: plain
    pass
