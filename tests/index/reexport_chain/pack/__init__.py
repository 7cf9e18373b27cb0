from .inner import Base, Layer, Thing
