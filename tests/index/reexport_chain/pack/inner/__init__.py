from .core import Base
from .core import Base as Layer
from .core import Plain as Thing
