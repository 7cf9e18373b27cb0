from .parts import Reexported
from .sound import Sound
