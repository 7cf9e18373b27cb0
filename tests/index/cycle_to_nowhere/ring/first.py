from .second import Ghost
from .second import Right


class Left(Right):  # class: unknown
    pass
