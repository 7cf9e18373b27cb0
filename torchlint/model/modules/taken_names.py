"""Names that a class has already: values, methods and properties of its body, which every object answers by."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from torchlint.knowledge.module_members import MODULE_MEMBERS
from torchlint.model.events import Evaluated
from torchlint.model.facts import Function
from torchlint.model.frames import last_name
from torchlint.model.terms import Attribute, Call, Constant, Display, Super
from torchlint.source import Span

if TYPE_CHECKING:
    from torchlint.model.classes import ModuleClass

# Decorators under which the class has something of the name that an object finds.
_KEEPS_THE_NAME = frozenset(
    """
    staticmethod classmethod no_grad inference_mode enable_grad abstractmethod lru_cache cache export ignore unused
    override wraps
    """.split()
)
_PROPERTIES = frozenset(("property", "cached_property", "abstractproperty"))
_ASKS_BY_NAME = frozenset(("getattr", "AttributeError", "super"))


def has_own(module: ModuleClass, name: str) -> bool:
    """True where a class body of the project has something of the name: a property may raise, so that torch takes the
    name as free. An annotation without a value is nothing."""
    return any(name in one.outline.methods or _has_value(one, name) for one in module.ancestors)


def _has_value(view: ModuleClass, name: str) -> bool:
    return name in view.outline.values and (name not in view.outline.annotations or name in view.facts.values)


def class_place(module: ModuleClass, name: str, is_there: Callable[[str], bool]) -> Span | None:
    """Where a method, a property that answers, or a class-level value that is no descriptor, has the name. is_there:
    tells whether an attribute is on the object by then."""
    for ancestor in module.ancestors:
        if name in ancestor.outline.methods and (method := ancestor.facts.methods.get(name)) is not None:
            is_taken = _is_found(method) or _answers(method, module, is_there)
            return module.frame(method).span(method.place) if is_taken else None
        if name in ancestor.outline.values and (value := ancestor.facts.values.get(name)) is not None:
            return Span(ancestor.path, *value.place) if isinstance(value, (Constant, Display)) else None
    return None


def _is_found(method: Function) -> bool:
    return all(last_name(decorator) in _KEEPS_THE_NAME for decorator in method.decorators)


def _answers(method: Function, module: ModuleClass, is_there: Callable[[str], bool]) -> bool:
    """True for a property that reads what is on the object by then, and nothing else of it: only an AttributeError
    would leave the name free."""
    if not method.returned or not all(last_name(one) in _PROPERTIES for one in method.decorators):
        return False
    frame = module.frame(method)
    for event in method.events:
        term = event.term if isinstance(event, Evaluated) else None
        if isinstance(term, Call) and (last_name(term) in _ASKS_BY_NAME or frame.is_self(term.callee)):
            return False
        if isinstance(term, Attribute) and isinstance(term.base, Super):
            return False
        is_own = isinstance(term, Attribute) and frame.is_self(term.base)
        if isinstance(term, Attribute) and is_own and not (_is_of_class(term.name, module) or is_there(term.name)):
            return False
    return True


def _is_of_class(name: str, module: ModuleClass) -> bool:
    """True for a value of the class, and for what every module has."""
    return name in MODULE_MEMBERS or any(_has_value(one, name) for one in module.ancestors)
