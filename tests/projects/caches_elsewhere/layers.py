"""The same override, with and without the mixin of the other file."""
from dropping import DropsTable
from switching import Switching


class Stale(Switching):
    def train(self, mode: bool = True):
        super().train(mode)
        self.table = None if mode else self.fold()  # expect: TL103
        return self


class Dropping(DropsTable, Switching):
    def train(self, mode: bool = True):
        super().train(mode)
        self.table = None if mode else self.fold()  # ok: TL103  the mixin drops it
        return self
