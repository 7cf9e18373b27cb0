from pack.inner.core.base import Base as Base
from pack.inner.core.base import Thing as _Thing

from .plain import Plain
