"""Where files can be read beside this process: processes of this machine, Dask's workers, an executor of one's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module

from torchlint.source import CommandError

PROCESSES = "processes"
CONNECT_SECONDS = 10
DASK_RETRIES = 3

_FORMS = "processes, processes:N, dask://HOST:PORT or MODULE:CALLABLE"
_OBJECT = re.compile(r"(?P<module>\w+(?:\.\w+)*):(?P<name>[^\W\d]\w*)")


class ExecutorError(CommandError):
    """An executor that is not there; the text is a whole sentence."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """An executor that can be opened, again where it broke. open: raises ExecutorError where it cannot be had.

    width: how many tasks it should have at a time. is_here: its workers see the files and the cache of this process.
    """

    name: str
    open: Callable[[], AbstractContextManager[Executor]]
    width: int
    is_here: bool


def workshop(spec: str, jobs: int) -> Workshop:
    """The executor that `spec` names. Raises ExecutorError for a text that names none; nothing is opened yet."""
    kind, _, rest = spec.partition(":")
    if kind == PROCESSES and (not rest or (rest.isascii() and rest.isdecimal() and int(rest))):
        return processes(int(rest or jobs))
    if kind == "dask" and re.fullmatch(r"//[^/\s]+:\d+", rest):
        return Workshop(spec, partial(_dask, spec), 64, is_here=False)
    named = _OBJECT.fullmatch(spec)
    if named and kind not in (PROCESSES, "dask"):
        return Workshop(spec, partial(_own, spec, named["module"], named["name"]), 64, is_here=False)
    raise ExecutorError(f"cannot read on `{spec}`: an executor is {_FORMS}")


def processes(count: int) -> Workshop:
    """`count` processes of this machine."""
    return Workshop(f"{PROCESSES}:{count}", partial(_pool, count), 2 * count, is_here=True)


def _pool(count: int) -> Executor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(
        count, multiprocessing.get_context("spawn"), initializer=_leave_interrupts_to_the_one_who_asks
    )


def _leave_interrupts_to_the_one_who_asks() -> None:
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _dask(spec: str) -> Iterator[Executor]:
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise ExecutorError(
            f"cannot read on {spec}: the package distributed is not installed; `pip install 'torchlint[dask]'`"
        ) from None
    try:
        client = distributed.Client(spec.replace("dask:", "tcp:", 1), timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise ExecutorError(f"cannot read on {spec}: no scheduler answers there ({reason})") from error
    with client:
        if not client.scheduler_info()["workers"]:
            raise ExecutorError(f"cannot read on {spec}: the scheduler has no workers; start one beside it")
        # What was computed once for a key would be remembered there; files change under their names.
        executor: Executor = client.get_executor(pure=False, retries=DASK_RETRIES)
        yield executor


def _own(spec: str, module: str, name: str) -> Executor:
    try:
        executor = getattr(import_module(module), name)()
    except Exception as error:
        raise ExecutorError(f"cannot read on {spec}: {type(error).__name__}: {error}") from error
    if not isinstance(executor, Executor):
        raise ExecutorError(
            f"cannot read on {spec}: it gave a {type(executor).__name__}, and a concurrent.futures.Executor is needed"
        )
    return executor
