from . import user
