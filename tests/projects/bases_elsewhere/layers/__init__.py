"""The names that the package offers."""
from layers.base import PositionBase as Positions
from layers.registered import RegisteredBase
