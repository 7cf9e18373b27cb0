"""A base that registers what its subclasses fill in."""
from .base import PositionBase


class RegisteredBase(PositionBase):
    def __init__(self, length: int = 4):
        super().__init__(length)
        self.scale = None

    def build(self, length):
        self.register_buffer("table", None)
        self.fill(length)

    def fill(self, length: int) -> None:
        raise NotImplementedError
