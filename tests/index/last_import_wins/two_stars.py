"""Of two star imports the last one wins, name by name."""
from modules import *
from plain import *


class Last(Base):  # class: plain
    pass


class OnlyInTheFirst(Other):  # class: module
    pass
