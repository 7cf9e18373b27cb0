from .Layer import Layer
from .Layer import Other as Plain
