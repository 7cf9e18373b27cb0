"""The named import comes last."""
from modules import *
from plain import Base


class Last(Base):  # class: plain
    pass
