"""Build what can be built of the module classes of a package, and note the names that the objects hold.

The classes of each file are built in a fork, so that a crash, a hang or a gigabyte of weights costs one file.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import click

from tests.benchmarks.truth_arguments import NoArgumentsError, Package, attempts
from tests.benchmarks.truth_record import ClassTruth, Instance, Origin, instance_of

BUILD_SECONDS = 6
FILE_SECONDS = 240
_MEMORY_BYTES = 8 * 2**30
_ORIGINS = "_truth_origins"
_MAX_FRAMES = 60

Found = dict[type, ClassTruth]
Built = tuple[dict[str, Instance], dict[str, str]]


class TooLongError(BaseException):
    """The time limit ran out. Not an Exception, so that no library swallows it."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooLongError inside, at the next chance, once so many seconds of wall time have passed."""
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ring(_: int, __: FrameType | None) -> NoReturn:
    raise TooLongError


def leave_weights_unset() -> None:
    """Make initialisation do nothing: names do not depend on it, and memory that nobody writes costs nothing."""
    import torch

    def unchanged(tensor: Any, *_: Any, **__: Any) -> Any:
        return tensor

    for name in ("normal_", "uniform_", "random_", "exponential_", "cauchy_", "log_normal_"):
        setattr(torch.Tensor, name, unchanged)
    for name in vars(torch.nn.init).copy():
        if name.endswith("_") and not name.startswith("__"):
            setattr(torch.nn.init, name, unchanged)


def watch_registrations() -> None:
    """Note on each module where its buffers and parameters are registered, and those that others gave it."""
    from torch import nn

    for method in ("register_buffer", "register_parameter"):
        setattr(nn.Module, method, _watched(getattr(nn.Module, method)))


def _watched(register: Callable[..., None]) -> Callable[..., None]:
    def noted(self: Any, name: str, *values: Any, **options: Any) -> None:
        vars(self).setdefault(_ORIGINS, {}).setdefault(name, _origin(self))
        register(self, name, *values, **options)

    return noted


def _origin(module: object) -> tuple[str, int, bool]:
    """Path and line of the first frame outside torch.nn.Module, and whether a method of `module` is running."""
    frame: FrameType | None = sys._getframe(2)
    place: tuple[str, int] | None = None
    for _ in range(_MAX_FRAMES):
        if frame is None:
            break
        if place is None and not _is_plumbing(frame):
            place = frame.f_code.co_filename, frame.f_lineno
        first = frame.f_code.co_varnames[:1]
        if place and first and frame.f_locals.get(first[0]) is module:
            return (*place, True)
        frame = frame.f_back
    return (*(place or ("", 0)), False)


def _is_plumbing(frame: FrameType) -> bool:
    """True for a frame that only passes a registration on: in nn.Module, or in an override of its __setattr__."""
    code = frame.f_code
    return code.co_name == "__setattr__" or code.co_filename.endswith("torch/nn/modules/module.py")


def build_all(found: Found, package: Package) -> tuple[ClassTruth, ...]:
    """The truth with the instances of all classes that could be built, or were met inside others."""
    known: dict[str, Instance] = {}
    reasons: dict[str, str] = {}
    for title, work in _tasks(found, known, package):
        began = time.monotonic()
        instances, why = _in_fork(work)
        reasons.update(why)
        for key, instance in instances.items():
            known[key] = known[key].merged(instance) if key in known else instance
        click.echo(f"{title}: {time.monotonic() - began:.1f} s, {len(why)} not built", err=True)
    distinct = {truth.key: truth for truth in found.values()}
    return tuple(
        replace(one, instance=known.get(key), why=_reason(one, known, reasons)) for key, one in sorted(distinct.items())
    )


def _reason(truth: ClassTruth, known: dict[str, Instance], reasons: dict[str, str]) -> str:
    if not truth.is_module or truth.key in known:
        return ""
    return reasons.get(truth.key, "the process ended before its turn")


def _tasks(found: Found, known: dict[str, Instance], package: Package) -> Iterator[tuple[str, Callable[[], Built]]]:
    """What is built in one fork each: the models that a factory of the package makes, then the classes of each file."""
    for title, makers in package.factories().items():
        yield title, partial(_make_models, makers, found)
    files: dict[str, list[type]] = {}
    for kind, truth in found.items():
        if truth.is_module:
            files.setdefault(truth.path, []).append(kind)
    for path, kinds in sorted(files.items()):
        # Whole models stand at the end of their file, and hold objects of the classes above.
        yield path, partial(_build_file, sorted(kinds, key=lambda kind: -found[kind].line), found, known, package)


def _in_fork(work: Callable[[], Built]) -> Built:
    """The result of `work`, done in a fork; nothing when that dies or takes longer than FILE_SECONDS."""
    with tempfile.NamedTemporaryFile() as result:
        child = os.fork()
        if child == 0:
            _work_and_exit(work, result.name)
        deadline = time.monotonic() + FILE_SECONDS
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > deadline:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                break
            time.sleep(0.02)
        content = Path(result.name).read_text(encoding="utf-8")
    if not content:
        return {}, {}
    instances, why = json.loads(content)
    return {key: instance_of(one) for key, one in instances.items()}, why


def _work_and_exit(work: Callable[[], Built], result: str) -> NoReturn:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        limit = pages * resource.getpagesize() + _MEMORY_BYTES
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        instances, why = work()
        stored = {key: asdict(one) for key, one in instances.items()}
        Path(result).write_text(json.dumps([stored, why], default=sorted), encoding="utf-8")
    finally:
        os._exit(0)


def _make_models(makers: list[Callable[[], Any]], found: Found) -> Built:
    instances: dict[str, Instance] = {}
    for make in makers:
        with contextlib.suppress(Exception, SystemExit, TooLongError):
            _note(_made(make), found, instances)
    return instances, {}


def _build_file(kinds: list[type], found: Found, known: dict[str, Instance], package: Package) -> Built:
    instances: dict[str, Instance] = {}
    why: dict[str, str] = {}
    deadline = time.monotonic() + FILE_SECONDS * 0.8
    for kind in kinds:
        key = found[kind].key
        if key in known or key in instances:
            continue
        if time.monotonic() > deadline:
            why[key] = "no time left for this file"
            continue
        try:
            _note(_build(kind, package), found, instances)
        except (Exception, SystemExit, TooLongError) as error:
            why[key] = f"{type(error).__name__}: {error}"[:200]
    return instances, why


def _build(kind: type, package: Package) -> Any:
    """An object of `kind`. Raises what the last attempt raised."""
    if inspect.isabstract(kind):
        raise NoArgumentsError("abstract")
    last: BaseException = NoArgumentsError("no way to build it")
    deadline = time.monotonic() + 3 * BUILD_SECONDS
    for arguments in attempts(kind, package):
        try:
            return _made(partial(kind, **arguments))
        except (Exception, SystemExit, TooLongError) as error:
            last = error
        if time.monotonic() > deadline:
            break
    raise last


def _made(make: Callable[[], Any]) -> Any:
    """What `make` makes on the meta device or, where that fails, on the CPU."""
    import torch

    try:
        with time_limit(BUILD_SECONDS), torch.device("meta"):
            return make()
    except Exception:
        with time_limit(BUILD_SECONDS):
            return make()


def _note(built: Any, found: Found, instances: dict[str, Instance]) -> None:
    """Add the state of an object, and of the modules inside it, to `instances`."""
    for key, instance in _instances(built, found):
        instances[key] = instances[key].merged(instance) if key in instances else instance


def _instances(built: Any, found: Found) -> Iterator[tuple[str, Instance]]:
    """The state of an object and of the modules inside it, as far as the package's files define their classes."""
    from torch import nn

    if not isinstance(built, nn.Module):
        return
    for module in built.modules():
        truth = found.get(type(module))
        if truth is not None:
            within = "" if module is built else type(built).__qualname__
            yield truth.key, _state(module, within)


def _state(module: Any, within: str) -> Instance:
    """The names of one module. What others registered on a module inside is theirs to answer for, and left out."""
    origins: dict[str, tuple[str, int, bool]] = vars(module).get(_ORIGINS, {})

    def own(names: Any) -> dict[str, Origin]:
        places = {name: origins.get(name, ("", 0, True)) for name in names}
        return {
            name: Origin(os.path.realpath(p) if p else "", line)
            for name, (p, line, is_own) in places.items()
            if is_own or not within
        }

    others = {name for name in vars(module) if isinstance(name, str) and name not in _internal_names()}
    return Instance(own(module._buffers), own(module._parameters), frozenset({*others, *module._modules}), within)


@cache
def _internal_names() -> frozenset[str]:
    from torch import nn

    return frozenset({*vars(nn.Module()), _ORIGINS})
