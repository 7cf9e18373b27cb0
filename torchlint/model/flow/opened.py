"""Opened terms: in the place of the call of a helper that does nothing but return stands what it returns, with the
caller's terms for its parameters, so that a question about terms sees through it."""

from __future__ import annotations

from collections.abc import Iterator

from torchlint.model.events import RegionKind, Return
from torchlint.model.facts import Function
from torchlint.model.flow.rebuilding import rebuilt
from torchlint.model.frames import Frame, has_self
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Closure,
    Comprehension,
    Constant,
    Display,
    Element,
    Item,
    Starred,
    Subscript,
    Super,
    Term,
)

_DEPTH = 10
_NOT_MOVED = (Captured, Closure, Super, Starred)


def opened(term: Term, frame: Frame) -> Term:
    """The term with its helpers opened; the term itself where it holds none. Asked twice, it is one object."""
    if not any(isinstance(part, (Element, Item, Subscript, Call, Comprehension)) for part in (term, *_inside(term))):
        return term
    if frame.answers is None:
        frame.answers = {}
    known: dict[int, tuple[Term, Term]] = frame.answers.setdefault("opened terms", {})
    return _opened(term, frame, known, _DEPTH)


def _inside(term: Term) -> tuple[Term, ...]:
    return (term.base,) if isinstance(term, (Attribute, Subscript, Item)) else ()


def _opened(term: Term, frame: Frame, known: dict[int, tuple[Term, Term]], depth: int) -> Term:
    found = known.get(id(term))
    if found is None:
        known[id(term)] = (term, term)
        found = known[id(term)] = (term, _open(term, frame, known, depth) if depth else term)
    return found[1]


def _open(term: Term, frame: Frame, known: dict[int, tuple[Term, Term]], depth: int) -> Term:
    if isinstance(term, Call):
        result = _result_of(term, frame)
        if result is not None:
            return _opened(result, frame, known, depth - 1)
    return rebuilt(term, lambda part: _opened(part, frame, known, depth - 1))


def _result_of(call: Call, frame: Frame) -> Term | None:
    """What a helper of the project returns, in the caller's terms; None where it does more than return one thing."""
    function = helper_of(call, frame)
    if function is None or (function.decorators and not _is_static(function)):
        return None
    result = _only_result(function)
    given = terms_given(call, function) if result is not None else None
    if result is None or given is None or not all(one.index in given for one in _arguments_in(result.value)):
        return None
    value = _with_arguments(result.value, given, {})
    return Comprehension(call.place, "generator", (value,)) if result.is_yield else value


def _only_result(function: Function) -> Return | None:
    """The one return of a function that nothing but a test of what it yields decides on, where its term can stand
    elsewhere."""
    if "only result" not in function.derived:
        one = function.returned[0] if len(function.returned) == 1 else None
        is_sure = one is not None and (one.is_yield or all(r.kind is RegionKind.WITH for r in one.regions))
        is_plain = is_sure and one is not None and not any(map(_is_bound_to_place, _all_in(one.value)))
        function.derived["only result"] = one if is_plain else None
    known: Return | None = function.derived["only result"]
    return known


def _is_bound_to_place(term: Term) -> bool:
    """True for what means something else in another function."""
    is_dict = isinstance(term, Display) and any(not isinstance(key, Constant) for key in term.keys)
    return is_dict or isinstance(term, _NOT_MOVED)


def _arguments_in(term: Term) -> Iterator[Argument]:
    return (part for part in _all_in(term) if isinstance(part, Argument))


def _is_static(function: Function) -> bool:
    return not has_self(function) and len(function.decorators) == 1


def helper_of(call: Call, frame: Frame) -> Function | None:
    callee = call.callee
    if isinstance(callee, Attribute):
        is_own = frame.view is not None and frame.is_self(callee.base)
        return frame.view.method(callee.name) if is_own and frame.view is not None else None
    found = frame.evaluator.project.names.of_term(callee, frame.path)
    return found if isinstance(found, Function) else None


def terms_given(call: Call, function: Function) -> dict[int, Term] | None:
    """The caller's terms, by the position of the parameter; None where stars leave that open."""
    if any(isinstance(term, Starred) for term in call.arguments) or any(name is None for name, _ in call.keywords):
        return None
    is_bound = has_self(function) and isinstance(call.callee, Attribute)
    given: dict[int, Term] = {0: call.callee.base} if is_bound and isinstance(call.callee, Attribute) else {}
    for index, parameter in enumerate(function.parameters[int(is_bound) :]):
        term = call.argument(index, parameter.name) if not parameter.kind else None
        if term is not None:
            given[index + int(is_bound)] = term
    return given


def _all_in(term: Term, limit: int = 120) -> Iterator[Term]:
    waiting, seen = [term], {id(term)}
    while waiting and len(seen) < limit:
        one = waiting.pop()
        yield one
        parts = _children(one)
        waiting += [part for part in parts if id(part) not in seen]
        seen.update(map(id, parts))


def _children(term: Term) -> list[Term]:
    found: list[Term] = []
    rebuilt(term, lambda part: found.append(part) or part)  # type: ignore[func-returns-value]
    return found


def _with_arguments(term: Term, given: dict[int, Term], done: dict[int, Term]) -> Term:
    """A helper's term with the caller's terms for its parameters."""
    if isinstance(term, Argument):
        return given.get(term.index, term)
    if id(term) not in done:
        done[id(term)] = term
        done[id(term)] = rebuilt(term, lambda part: _with_arguments(part, given, done))
    return done[id(term)]
