"""The search for arguments with which a class can be built: likely ones first, then what their errors suggest."""

from __future__ import annotations

import functools
import heapq
import inspect
import itertools
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any

from torch import nn

from .candidates import Candidate, by_name, candidates, is_configuration, plainly, required
from .clues import lines, wishes
from .configurations import SMALL, small
from .sight import BASES, configurations_near, holders
from .sizes import SLOW_SECONDS, is_deep, smaller
from .suggestions import granted, halved, literal, names, reshaped, with_object, with_tensor

_TRIES = 50
_INNER_TRIES = 16
_SECONDS = 3.0
_DEPTH = 3
_MOST_REPAIRS = 10
_MOST_VALUES = 2
_CONFIGURATIONS = ("config", "cfg", "args", "params", "hparams", "conf")
Arguments = Mapping[str, Candidate]


def arguments_for(kind: type, depth: int = 0, *, fixed: Arguments | None = None) -> Arguments | Exception:
    """Arguments with which a class can be built; what the likeliest ones raised, where none are found.

    fixed: those that are given, and stay as they are.
    """
    search = Search(kind, depth, fixed=fixed)
    found = search.in_small_sizes() or search.next_that_builds()
    if found is None:
        return search.first or TypeError(f"{kind.__name__} was not built")
    small = smaller(kind, found) if search.seconds > SLOW_SECONDS else None
    return small or found


@functools.lru_cache(maxsize=64)
def _inner(kind: type, depth: int) -> Arguments | Exception:
    return arguments_for(kind, depth)


def part(kind: type, depth: int) -> Candidate:
    """An object of a class that another class is built with."""

    def make() -> Any:
        found = _inner(kind, depth + 1)
        if isinstance(found, Exception):
            raise found
        return kind(**{name: one.make() for name, one in found.items()})

    if is_configuration(kind) and not issubclass(kind, nn.Module):
        return Candidate(f"{kind.__name__}(small)", lambda: small(kind, lambda one: part(one, depth + 1)))
    if depth >= _DEPTH:
        return Candidate(f"{kind.__name__}()", kind)
    return Candidate(f"{kind.__name__}(..)", make)


class Search:
    """Arguments that are tried in turn, those first that follow from an error late in the constructor."""

    def __init__(self, kind: type, depth: int = 0, *, fixed: Arguments | None = None, is_new: bool = True) -> None:
        """is_new: False where it goes on from arguments that build, with what is learned of them.

        seconds: how long the arguments that were found took to build.
        """
        self._kind, self._depth, self._fixed = kind, depth, dict(fixed or {})
        self._parameters = _parameters(kind)
        self._tries = _TRIES if is_new and not depth else _INNER_TRIES
        self._until = time.process_time() + _SECONDS / (1 + depth)
        self._waiting: list[tuple[Any, ...]] = []
        self._seen: set[str] = set()
        self._order = itertools.count()
        self.first: Exception | None = None
        self.seconds = 0.0
        if is_new:
            self._push((0, 0), {one.name: self._options(one.name)[0] for one in required(kind)})

    def in_small_sizes(self) -> Arguments | None:
        """The likeliest arguments with small sizes, where the class is a large model by default."""
        return smaller(self._kind, self._waiting[0][-1]) if is_deep(self._kind) else None

    def next_that_builds(self) -> Arguments | None:
        """The next arguments that raise nothing."""
        while self._waiting and self._tries and time.process_time() < self._until:
            arguments = heapq.heappop(self._waiting)[-1]
            self._tries -= 1
            started = time.process_time()
            try:
                self._kind(**{name: one.make() for name, one in arguments.items()})
            except Exception as error:
                self.first = self.first or error
                self.learn(arguments, error)
            else:
                self.seconds = time.process_time() - started
                return arguments  # type: ignore[no-any-return]
        return None

    def learn(self, arguments: Arguments, error: Exception) -> None:
        """Take in what an error suggests."""
        progress = _progress(error, self._kind)
        self._seen.add(_key(arguments))
        pushed = 0
        for one in self._repairs(arguments, error):
            pushed += self._push((-progress, pushed), one)
            if pushed == _MOST_REPAIRS:
                return

    def _push(self, priority: tuple[int, int], arguments: Arguments) -> bool:
        arguments = {**arguments, **self._fixed}
        is_known = _key(arguments) in self._seen
        if not is_known:
            self._seen.add(_key(arguments))
            heapq.heappush(self._waiting, (*priority, next(self._order), arguments))
        return not is_known

    def takes(self, name: str) -> bool:
        """True where the constructor has a parameter of this name."""
        return name in self._parameters

    def values_for(self, name: str, given: Candidate | None) -> Iterator[Candidate]:
        """Other values of a parameter than the given one, or its default: the other flag, something for nothing."""
        parameter = self._parameters[name]
        value = literal(given) if given is not None else parameter.default
        if type(value) is bool:
            yield plainly(not value)
        elif not value and (given is None or given.text in ("None", repr(value))):
            others = [one for one in self._options(name) if literal(one) or literal(one) is None]
            yield from [one for one in others if one.text != "None"][:_MOST_VALUES]

    # What an error suggests

    def _repairs(self, arguments: Arguments, error: Exception) -> Iterator[Arguments]:
        text = lines(error)
        for name in _missing(error, text):
            if name not in arguments and (name in self._parameters or self._takes_any):
                yield from ({**arguments, name: one} for one in self._options(name)[:2])
        yield from self._with_attribute(arguments, error)
        yield from with_tensor(arguments, error, text)
        yield from with_object(arguments, error)
        named = [name for name in arguments if names(text, name)]
        for name in named:
            yield from ({**arguments, name: one} for one in reshaped(arguments[name], error))
        yield from self._with_longer(arguments, error, text)
        for wish in wishes(error):
            yield from granted(arguments, wish)
        for name, parameter in self._parameters.items():
            if name not in arguments and names(text, name) and _is_empty(parameter.default):
                yield from ({**arguments, name: one} for one in self._options(name)[:2])
        for name in dict.fromkeys((*named, *arguments)):
            following = self._after(name, arguments[name])
            if following is not None:
                yield {**arguments, name: following}
        for name, parameter in self._parameters.items():
            if name not in arguments and names(text, name) and not _is_empty(parameter.default):
                yield from ({**arguments, name: one} for one in halved(parameter.default))

    def _with_longer(self, arguments: Arguments, error: Exception, text: str) -> Iterator[Arguments]:
        """With more of the same than a default has, where its end was passed."""
        for name, parameter in self._parameters.items() if "index out of range" in str(error) else ():
            default = parameter.default
            if isinstance(default, (tuple, list)) and default and name not in arguments and names(text, name):
                yield from ({**arguments, name: plainly(default * times)} for times in (2, 4))

    @property
    def _takes_any(self) -> bool:
        parameters = inspect.signature(self._kind).parameters.values()
        return any(one.kind is one.VAR_KEYWORD for one in parameters)

    def _after(self, name: str, candidate: Candidate) -> Candidate | None:
        options = self._options(name)
        texts = [one.text for one in options]
        at = texts.index(candidate.text) + 1 if candidate.text in texts else 0
        return options[at] if at < len(options) and options[at].text != candidate.text else None

    @functools.lru_cache(maxsize=64)  # noqa: B019 a search lives as long as its child process
    def _options(self, name: str) -> list[Candidate]:
        parameter = self._parameters.get(name) or inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY)
        found = candidates(parameter, self._kind, lambda kind: part(kind, self._depth))
        found = [one for one in found if one.text != "None" or parameter.default is parameter.empty]
        if name in _CONFIGURATIONS or name.endswith("_config"):
            known = [part(kind, self._depth) for kind in configurations_near(self._kind)]
            is_vague = parameter.annotation in (parameter.empty, Any) or _is_base(parameter.annotation)
            return [*known, *found] if is_vague else [*found, *known]
        return found or [plainly(None)]

    def _with_attribute(self, arguments: Arguments, error: Exception) -> Iterator[Arguments]:
        """With an object that has the attribute that was missed."""
        found = re.search(r"'(\w+)' object has no attribute '(\w+)'", str(error))
        if not found or not isinstance(error, AttributeError):
            return
        owner, attribute = found[1], found[2]
        for name, candidate in arguments.items():
            if owner.endswith(("Config", "Args", "Cfg")) and candidate.text.startswith(owner):
                yield {**arguments, name: _with_setting(candidate, attribute)}
            elif owner in ("Through", "int", "str", "tuple") and (
                candidate.text.startswith("nn.Identity") or type(literal(candidate)).__name__ == owner
            ):
                kinds = holders(self._kind, attribute, name)
                yield from ({**arguments, name: part(kind, self._depth)} for kind in kinds)


def _key(arguments: Arguments) -> str:
    return repr(sorted((name, one.text) for name, one in arguments.items()))


def _is_empty(default: Any) -> bool:
    """True for the defaults that stand for nothing, so that another value may be needed."""
    return default is None or default is inspect.Parameter.empty or default == () or default == "" or default is False


def _is_base(annotation: Any) -> bool:
    return getattr(annotation, "__name__", annotation) in BASES


def _progress(error: Exception, kind: type) -> int:
    """The line of the constructor, of the class itself or of a base, in which an error arose."""
    trace, line = error.__traceback__, 0
    constructors = [getattr(one.__dict__.get("__init__"), "__code__", None) for one in kind.__mro__]
    while trace is not None:
        if trace.tb_frame.f_code in constructors:
            line += trace.tb_lineno - trace.tb_frame.f_code.co_firstlineno
        trace = trace.tb_next
    return line


def _parameters(kind: type) -> dict[str, inspect.Parameter]:
    """The parameters of a constructor, and where it hands on any by name those of the constructors of its bases."""
    found: dict[str, inspect.Parameter] = {}
    for owner in kind.__mro__:
        constructor = owner.__dict__.get("__init__")
        if owner in (nn.Module, object) or constructor is None:
            continue
        own = list(inspect.signature(constructor).parameters.values())[1:]
        found = {one.name: one for one in own if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)} | found
        if not any(one.kind is one.VAR_KEYWORD for one in own):
            break
    return found or {one.name: one for one in inspect.signature(kind).parameters.values()}


def _missing(error: Exception, text: str) -> list[str]:
    """The names of arguments that the error says are not given."""
    message = str(error)
    found = re.search(r"missing \d+ required (?:positional|keyword-only) arguments?: (.*)", message)
    if found:
        return re.findall(r"'(\w+)'", found[1])
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], str):
        return [error.args[0]]
    if isinstance(error, (AssertionError, ValueError, TypeError)):
        return re.findall(r"[`'\"](\w+)[`'\"]", message.partition("\n")[0])
    return []


def _with_setting(candidate: Candidate, attribute: str) -> Candidate:
    def make() -> Any:
        configuration = candidate.make()
        setattr(configuration, attribute, value)
        return configuration

    likely = SMALL.get(attribute, next((one.make() for one in by_name(attribute)), None))
    value = likely
    return Candidate(f"{candidate.text[:-1]}, {attribute}={value!r})", make)
