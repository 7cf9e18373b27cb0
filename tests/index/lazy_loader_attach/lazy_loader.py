"""The part of lazy_loader that packages use."""
import importlib


def attach(package, submodules=None, submod_attrs=None):
    submodules = set(submodules or ())
    where = {name: module for module, names in (submod_attrs or {}).items() for name in names}

    def __getattr__(name):
        if name in submodules:
            return importlib.import_module(f"{package}.{name}")
        if name in where:
            return getattr(importlib.import_module(f"{package}.{where[name]}"), name)
        raise AttributeError(name)

    return __getattr__, lambda: sorted(submodules | where.keys()), sorted(submodules | where.keys())
