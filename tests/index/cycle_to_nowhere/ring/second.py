from .first import Ghost
from .first import Left


class Right(Left):  # class: unknown
    pass
