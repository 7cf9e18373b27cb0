from .first import *
from .second import *
