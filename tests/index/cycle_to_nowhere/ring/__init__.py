from .first import Ghost
