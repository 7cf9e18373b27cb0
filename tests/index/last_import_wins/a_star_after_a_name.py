"""The star import comes last, so its Base is the one."""
from plain import Base
from modules import *


class Last(Base):  # class: module; buffers table
    pass
