import importlib
from types import ModuleType


class LazyModule(ModuleType):  # class: plain
    def __init__(self, name, file, structure):
        super().__init__(name)
        self.__file__ = file
        self.__path__ = [file.rpartition("/")[0]]
        self._where = {value: key for key, values in structure.items() for value in values}

    def __getattr__(self, name):
        if name in self._where:
            return getattr(importlib.import_module(f".{self._where[name]}", self.__name__), name)
        raise AttributeError(name)
