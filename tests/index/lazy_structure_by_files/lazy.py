import ast
import importlib
from pathlib import Path
from types import ModuleType


def define_import_structure(file):
    """The names in the __all__ of each file beside `file`."""
    structure = {}
    for path in sorted(Path(file).parent.glob("[a-z]*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Assign) and node.targets[0].id == "__all__":
                structure[path.stem] = ast.literal_eval(node.value)
    return structure


class LazyModule(ModuleType):  # class: plain
    def __init__(self, name, file, structure, module_spec=None):
        super().__init__(name)
        self.__file__ = file
        self.__path__ = [str(Path(file).parent)]
        self.__spec__ = module_spec
        self._where = {value: key for key, values in structure.items() for value in values}

    def __getattr__(self, name):
        if name in self._where:
            return getattr(importlib.import_module(f".{self._where[name]}", self.__name__), name)
        raise AttributeError(name)
