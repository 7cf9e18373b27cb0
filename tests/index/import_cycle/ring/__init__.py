from . import first
