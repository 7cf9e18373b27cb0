"""Decorators of the standard library that remember what a method returned."""

from __future__ import annotations

# One table for all instances, keyed by the arguments, self among them: it keeps every instance alive.
SHARED = frozenset({"functools.lru_cache", "functools.cache"})
# One value in each instance's __dict__.
OWN = frozenset({"functools.cached_property"})
