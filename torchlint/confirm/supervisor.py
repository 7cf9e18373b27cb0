"""The parent of all processes that run user code: it starts them, waits for no longer than it should, and ends them."""

from __future__ import annotations

import json
import os
import secrets
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from torchlint.confirm.plan import Job

_ZYGOTE = Path(__file__).parent / "inside" / "zygote.py"
_START_SECONDS = 120.0
_GRACE_SECONDS = 10.0
_END_SECONDS = 2.0
_NAMESPACES = ("unshare", "--net", "--pid", "--fork", "--kill-child")
_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "VIRTUAL_ENV", "CONDA_PREFIX")


class ConfirmError(Exception):
    """Nothing can be confirmed at all; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one class may take. seconds: of wall clock. memory: MiB beyond what torch takes by itself."""

    seconds: float = 30.0
    memory: int = 4096


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a job. records: what its child told, in order. ended: "" where it ended by itself.

    seconds: of wall clock. cpu: seconds of its processes.
    """

    job: Job
    records: tuple[dict[str, Any], ...]
    ended: str
    seconds: float
    cpu: float = 0.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where the classes ran. device: "cuda", "mps", "sim" or "". note: why there is no device. is_offline: the network
    was out of reach."""

    torch: str
    device: str
    note: str
    is_offline: bool


class Supervisor:
    """One zygote at a time, started anew when it dies. Use it as a context manager; it leaves nothing running."""

    def __init__(self, python: Path, device: str, seed: int, limits: Limits) -> None:
        self._python = python
        self._device = device
        self._seed = seed
        self._limits = limits
        self._home = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._commands = -1
        self._results = -1
        self._waiting = b""
        self._is_offline = _has_namespaces()
        self.surroundings: Surroundings | None = None

    def __enter__(self) -> Supervisor:
        if not hasattr(os, "fork"):
            raise ConfirmError("confirm needs a system that can fork processes: Linux, macOS, or WSL on Windows")
        self._home = tempfile.mkdtemp(prefix="torchlint-")
        try:
            self._start()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        shutil.rmtree(self._home, ignore_errors=True)

    def interrupt(self) -> None:
        """End what runs now, from another thread: the job that it was busy with gets its answer at once."""
        process = self._process
        if process is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def run(self, jobs: tuple[Job, ...]) -> Iterator[Answer]:
        """Do the jobs, one after the other; each gets an answer, whatever its code does."""
        for job in jobs:
            yield self._do(job)

    def _do(self, job: Job) -> Answer:
        started = time.monotonic()
        nonce = secrets.token_hex(8)
        limit = self._limits.seconds
        claims = [{**asdict(claim), "histories": claim.histories} for claim in job.claims]
        asked = {**asdict(job), "claims": claims, "roots": _roots(job), "seconds": limit, "seed": self._seed}
        asked["nonce"] = nonce
        ended = "the process died with everything that it had found"
        try:
            if self._process is None:
                self._start()
            os.write(self._commands, (json.dumps(asked) + "\n").encode())
            said = self._hear(limit + _GRACE_SECONDS)
        except (OSError, ValueError, ConfirmError) as error:
            said, ended = None, str(error) if isinstance(error, ConfirmError) else ended
        if said is None:
            self._stop()
            return Answer(job, (), ended, time.monotonic() - started)
        return Answer(job, tuple(said["records"]), said["ended"], said["seconds"], said["cpu"])

    # The zygote

    def _start(self) -> None:
        from_us, commands = os.pipe()
        results, from_it = os.pipe()
        line = [str(self._python), "-I", str(_ZYGOTE), str(from_us), str(from_it)]
        with tempfile.TemporaryFile(dir=self._home) as complaints:
            try:
                self._process = subprocess.Popen(
                    [*(_namespaces() if self._is_offline else ()), *line],
                    pass_fds=(from_us, from_it),
                    env=self._environment(),
                    cwd=self._home,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=complaints,
                    start_new_session=True,
                )
            except OSError as error:
                raise ConfirmError(f"cannot run {self._python}: {(error.strerror or str(error)).lower()}") from error
            finally:
                os.close(from_us)
                os.close(from_it)
                self._commands, self._results, self._waiting = commands, results, b""
            said = self._hear(_START_SECONDS)
            if said is None or said["event"] == "failed":
                complaints.seek(0)
                last = complaints.read().decode(errors="replace").strip().rpartition("\n")[2]
                raise ConfirmError(self._why(said["text"] if said else last))
        self.surroundings = Surroundings(said["torch"], said["device"], said["note"], self._is_offline)

    def _why(self, text: str) -> str:
        if "No module named 'torch'" in text:
            return (
                f"confirm runs the classes with torch, and {self._python} has none: install it there "
                f"(`{self._python} -m pip install torch`), or name the python of your project with --python"
            )
        return f"cannot start {self._python} with torch: {text or 'it did not answer'}"

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        homes = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), self._home)
        options = {"device": self._device, **asdict(self._limits)}
        quiet = {
            "OMP_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "HF_HUB_OFFLINE": "1",
            "PYTORCH_NVML_BASED_CUDA_CHECK": "1",  # asks for a device without starting CUDA, which no fork survives
        }
        return {**kept, **homes, **quiet, "TORCHLINT_ZYGOTE": json.dumps(options)}

    def _hear(self, seconds: float) -> dict[str, Any] | None:
        """The next line of the zygote; None where it says nothing in time, or died."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._waiting:
            ready, _, _ = select.select([self._results], [], [], max(0.0, deadline - time.monotonic()))
            read = os.read(self._results, 1 << 16) if ready else b""
            if not read:
                return None
            self._waiting += read
        line, _, self._waiting = self._waiting.partition(b"\n")
        said: dict[str, Any] = json.loads(line)
        return said

    def _stop(self) -> None:
        """End the zygote and all that belongs to its session."""
        for pipe in (self._commands, self._results):
            if pipe >= 0:
                os.close(pipe)
        self._commands = self._results = -1
        if self._process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_SECONDS)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None


def _roots(job: Job) -> list[str]:
    """Where imports are looked for before the installed packages: the job's own, then where Python would."""
    return [*job.roots, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)), str(Path.cwd())]


def _namespaces() -> tuple[str, ...]:
    as_user = () if os.getuid() == 0 else ("--user", "--map-root-user")
    return (*_NAMESPACES, *as_user)


def _has_namespaces() -> bool:
    """True where a process without network can be started here."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        done = subprocess.run([*_namespaces(), "true"], capture_output=True, timeout=_END_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
