"""A process that has imported the package of the classes that come next, and forks their children from there.

The import is most of what a class of a large package costs. A host is started once a class of the package was built, so
that its import does no harm. Where a host does not answer, the zygote itself does the job.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import time
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from . import zygote
from .imports import module_in

Json = dict[str, Any]
_GRACE_SECONDS = 5.0
# A file that does harm when it is imported says nothing of the others of its package: so many are tried.
_MOST_HARMFUL = 3


class Hosts:
    """At most one host at a time. options, pipes and package: as in the zygote."""

    def __init__(self, options: Json, pipes: tuple[int, int], package: ModuleType) -> None:
        self._options, self._pipes, self._package = options, pipes, package
        self._fit: set[str] = set()
        self._harmful: dict[str, set[str]] = {}
        self._name, self._process, self._commands, self._results = "", 0, -1, -1

    def answer(self, job: Json) -> Json:
        """Do a job, in a child of a host where there is one for its package."""
        name = "" if job.get("is_of_lines") else _package_of(job)
        started, spent = time.monotonic(), 0.0
        if self._may_have_a_host(name, job["path"]):
            if name != self._name:
                spent = self._start(name, job)
            said = self._ask(job) if name == self._name else None
            if said is not None:
                return {**said, "seconds": time.monotonic() - started, "cpu": said["cpu"] + spent}
            self._harmful.setdefault(name, set()).add(job["path"])
        self._stop()  # what is left of a job is everything but the zygote
        said = zygote.run(job, self._options, self._pipes, self._package)
        if name and any(record["stage"] == "constructed" for record in said["records"]):
            self._fit.add(name)
        return said

    def _may_have_a_host(self, name: str, path: str) -> bool:
        harmful = self._harmful.get(name, set())
        return name in self._fit and path not in harmful and len(harmful) < _MOST_HARMFUL

    def _start(self, name: str, job: Json) -> float:
        """Start the host of a package; the CPU seconds that its import took."""
        self._stop()
        from_us, self._commands = os.pipe()
        self._results, from_it = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            try:
                for pipe in (*self._pipes, self._commands, self._results):
                    os.close(pipe)
                _be_host(job, self._options, (from_us, from_it), self._package)
            finally:
                os._exit(0)
        os.close(from_us)
        os.close(from_it)
        said = self._hear(job["seconds"])
        self._name = name if said is not None else ""
        return float(said["cpu"]) if said is not None else 0.0

    def _ask(self, job: Json) -> Json | None:
        try:
            os.write(self._commands, (json.dumps(job) + "\n").encode())
        except OSError:
            return None
        return self._hear(job["seconds"] + _GRACE_SECONDS)

    def _hear(self, seconds: float) -> Json | None:
        """The next line of the host; None where it says nothing in time, or the supervisor is gone."""
        deadline, heard = time.monotonic() + seconds, b""
        while not heard.endswith(b"\n"):
            left = max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([self._results, self._pipes[0]], [], [], left)
            read = os.read(self._results, 1 << 16) if self._results in ready else b""
            if not read:
                return None
            heard += read
        said: Json = json.loads(heard)
        return said

    def _stop(self) -> None:
        """End the host with all that it started."""
        if not self._process:
            return
        for pipe in (self._commands, self._results):
            os.close(pipe)
        with suppress(ProcessLookupError, PermissionError):
            os.kill(self._process, signal.SIGKILL)
        zygote.end(self._process, is_running=True)
        self._name, self._process = "", 0


def _package_of(job: Json) -> str:
    """What is imported with the file of a job: its package, or the file."""
    return f"{job['roots'][0]}:{job['module'].partition('.')[0]}"


def _be_host(job: Json, options: Json, pipes: tuple[int, int], package: ModuleType) -> None:
    zygote.settle(options)
    zygote.adopt_orphans()
    module_in(job["path"], job["roots"], job["module"])
    threads = Path("/proc/self/task")
    if threads.exists() and len(list(threads.iterdir())) > 1:
        return  # no fork of it would have them
    gc.freeze()
    zygote.say(pipes[1], {"event": "host", "cpu": time.process_time()})
    for line in zygote.lines(pipes[0]):
        zygote.say(pipes[1], zygote.run(json.loads(line), options, pipes, package))
