"""__all__ decides what a star import takes: listed later, listed although private, public and not listed."""
from plain import Added, Extended, Joined, Left, Listed, _Private
from pack import *


class IsListed(Listed):  # class: module; buffers listed
    pass


class IsPrivate(_Private):  # class: module
    pass


class IsAdded(Added):  # class: module
    pass


class IsExtended(Extended):  # class: module
    pass


class IsJoined(Joined):  # class: module
    pass


class IsLeft(Left):  # class: plain
    pass
