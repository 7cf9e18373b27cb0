from .base import Base
