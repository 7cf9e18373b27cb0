from enum import Enum as Standard
from logging import Handler

from . import logging
from .enum import Enum


class Own(Enum):  # class: module; buffers table
    pass


class OfStandard(Standard):  # class: plain
    pass


class OfStandardHandler(Handler):  # class: plain
    pass


class OfOwnHandler(logging.Handler):  # class: plain
    pass
