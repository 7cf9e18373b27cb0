import importlib

_WHERE = {"Base": ".base", "Plain": ".plain"}
_RENAMED = {"Layer": (".base", "Base")}


def __getattr__(name):
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name], __name__), name)
    if name in _RENAMED:
        module, attribute = _RENAMED[name]
        return getattr(importlib.import_module(module, __name__), attribute)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
