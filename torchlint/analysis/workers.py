"""Processes that share what this one holds: each is a fork, works on one numbered task after the other, and may die."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Done(Generic[Result]):
    """What a task gave. result: None where its process died."""

    task: int
    result: Result | None


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    task: int


def can_spread() -> bool:
    """Whether this system can fork."""
    return hasattr(os, "fork")


def spread(work: Callable[[int], Result], tasks: Iterable[int], worker_count: int) -> Iterator[Done[Result]]:
    """What `work` gives for each of `tasks`, as they finish: up to `worker_count` processes take them in this order.

    `work` must not raise, and what it gives is pickled. A process that dies costs its task and is replaced. However
    the iterator ends, all processes end with it.
    """
    from multiprocessing.connection import wait

    waiting = deque(tasks)
    crew: dict[Connection, _Worker] = {}
    try:
        while waiting or crew:
            while waiting and len(crew) < worker_count:
                _hire(work, waiting.popleft(), crew)
            for connection in wait(list(crew)):
                assert not isinstance(connection, int)
                yield _hear(connection, waiting, crew)  # type: ignore[arg-type]
    finally:
        for worker in crew.values():
            worker.process.terminate()
        for connection, worker in crew.items():
            connection.close()
            worker.process.join()


def _hire(work: Callable[[int], Result], task: int, crew: dict[Connection, _Worker]) -> None:
    """Start one more process on a task."""
    from multiprocessing import get_context

    context = get_context("fork")
    here, there = context.Pipe()
    # A fork holds our ends of all pipes; while it does, nobody would learn that we are gone.
    ours = [*crew, here]
    process = context.Process(target=_serve, args=(work, there, ours), daemon=True)
    process.start()
    there.close()
    crew[here] = _Worker(process, task)
    _send(here, task)


def _hear(connection: Connection, waiting: deque[int], crew: dict[Connection, _Worker]) -> Done[Result]:
    """Take what a process says, and give it the next task; or bury it."""
    worker = crew[connection]
    try:
        done: Done[Result] = Done(worker.task, connection.recv())
    except (EOFError, OSError):
        done = Done(worker.task, None)
    if done.result is not None and waiting:
        worker.task = waiting.popleft()
        _send(connection, worker.task)
        return done
    del crew[connection]
    connection.close()
    worker.process.join()
    return done


def _send(connection: Connection, task: int) -> None:
    try:
        connection.send(task)
    except OSError:
        # It died while it had nothing to do; hearing nothing from it tells.
        return


def _serve(work: Callable[[int], Result], connection: Connection, ours: list[Connection]) -> None:
    """The life of a process: it ends when nobody sends any more. Interrupts are left to the one who started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for end in ours:
        end.close()
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        connection.send(work(task))
