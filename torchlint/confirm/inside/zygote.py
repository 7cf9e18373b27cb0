"""The process from which children are forked: `python -I zygote.py COMMANDS RESULTS`, two file descriptors.

It imports torch once and never imports the user's code. A job comes in as a line of JSON; its child is forked, here or
in a host (host.py), watched and killed with all that it started; the records that it told go out as a line of JSON.
"""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

Json = dict[str, Any]
_MAX_BYTES = 4 << 20
_POLL_SECONDS = 0.002
_REAP_ROUNDS = 500
_OPEN_FILES = 256
_PROCESSES = 64
# Of Linux's prctl(): the signal that a process gets when its parent dies; orphans of our children become our own.
_DEATH_SIGNAL, _SUBREAPER = 1, 36
_FILE_BYTES = 64 << 20


def main(commands: int, results: int) -> None:
    """Serve jobs until the supervisor closes `commands`."""
    options = json.loads(os.environ.pop("TORCHLINT_ZYGOTE", "{}"))
    # What torch.compile wraps runs as it is written: compiling says nothing of state, and takes seconds.
    os.environ["TORCHDYNAMO_DISABLE"] = "1"
    try:
        package = _package()
    except Exception as error:
        say(results, {"event": "failed", "text": f"{type(error).__name__}: {error}"})
        return
    import torch

    torch.set_num_threads(1)
    sys.modules[f"{package.__name__}.trace"].warm_up()
    adopt_orphans()
    device, note = _device(package, options.get("device", "auto"))
    gc.freeze()  # what is there now is shared with all children, as long as none of them looks through it
    say(results, {"event": "ready", "torch": torch.__version__, "device": device, "note": note})
    host = sys.modules[f"{package.__name__}.host"]
    hosts = host.Hosts({**options, "device": device}, (commands, results), package)
    for line in lines(commands):
        say(results, hosts.answer(json.loads(line)))


def _package() -> ModuleType:
    """This folder as a package of its own: the interpreter need not have torchlint."""
    folder = Path(__file__).parent
    spec = importlib.util.spec_from_file_location(
        "torchlint_inside", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = package
    spec.loader.exec_module(package)
    for name in ("child", "host"):
        importlib.import_module(f"{spec.name}.{name}")
    return package


def _device(package: ModuleType, wanted: str) -> tuple[str, str]:
    """The device to move modules to, and a sentence where there is none. "": only histories on the CPU."""
    import torch

    found: dict[str, Callable[[], bool]] = {"cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available}
    if wanted in found:
        is_there = found[wanted]()
        return (wanted, "") if is_there else ("", f"there is no {wanted} device here; nothing was moved to a device")
    for name, is_available in found.items() if wanted == "auto" else ():
        if is_available():
            return name, ""
    if wanted == "cpu":
        return "", "nothing was moved to a device"
    try:
        sys.modules[f"{package.__name__}.simulated"].warm_up()
    except Exception as error:
        return "", f"no device was simulated: {error}"
    return "sim", ""


def lines(commands: int) -> Iterator[bytes]:
    """The lines that come in, until the other end is closed."""
    waiting = b""
    while True:
        read = os.read(commands, 1 << 16)
        if not read:
            return
        waiting += read
        while b"\n" in waiting:
            line, _, waiting = waiting.partition(b"\n")
            yield line


def say(results: int, said: Json) -> None:
    """Write a line."""
    data = (json.dumps(said) + "\n").encode()
    while data:
        data = data[os.write(results, data) :]


def run(job: Json, options: Json, pipes: tuple[int, int], package: ModuleType) -> Json:
    """Fork a child for a job, and wait for it no longer than the job may last."""
    reading, writing = os.pipe()
    started, spent = time.monotonic(), _spent()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            _be_child(job, options, pipes, writing, package)
        finally:
            os._exit(0)
    os.close(writing)
    deadline = started + job["seconds"]
    records, stopped = _listen(reading, pipes[0], job["nonce"], deadline)
    status = None if stopped else _wait(child, deadline)
    end(child, status is None)
    os.close(reading)
    ended = stopped or ("timeout" if status is None else _how(status))
    seconds, cpu = time.monotonic() - started, _spent() - spent
    return {"event": "job", "records": records, "ended": ended, "seconds": seconds, "cpu": cpu}


def _spent() -> float:
    """The CPU seconds of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _listen(reading: int, commands: int, nonce: str, deadline: float) -> tuple[list[Json], str]:
    """The records of a child, until it says that it is done; and why it must be stopped, if it must.

    The end of the pipe is not waited for: a process that the child started can hold it open.
    """
    records: list[Json] = []
    data, size, is_done = b"", 0, False
    while not is_done:
        ready, _, _ = select.select([reading, commands], [], [], max(0.0, deadline - time.monotonic()))
        if reading not in ready:
            # Nobody asks for a second job meanwhile: `commands` is ready when the supervisor is gone.
            return records, "timeout" if not ready else "nobody waits for it"
        read = os.read(reading, 1 << 16)
        if not read:
            break
        size += len(read)
        if size > _MAX_BYTES:
            return records, "it told too much"
        *lines, data = (data + read).split(b"\n")
        for record in filter(None, (_record(line, nonce) for line in lines)):
            records.append(record)
            is_done = is_done or record["stage"] == "done"
    return records, ""


def _record(line: bytes, nonce: str) -> Json | None:
    """What a child told; None for a line that is not its own."""
    try:
        record = json.loads(line)
    except ValueError:
        return None
    if not isinstance(record, dict) or record.pop("nonce", None) != nonce or "stage" not in record:
        return None
    return record


def _wait(child: int, deadline: float) -> int | None:
    """The status of a child that ends in time; None for one that does not."""
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(_POLL_SECONDS)
    return None


def end(child: int, is_running: bool) -> None:
    """Kill what is left of a job. As the first process of a namespace of our own, everything else is the job's."""
    for kill, who in ((os.killpg, child), (os.kill, child if is_running else 0)):
        with suppress(ProcessLookupError, PermissionError):
            kill(who, signal.SIGKILL) if who else None
    if is_running:
        os.waitpid(child, 0)
    for _ in range(_REAP_ROUNDS):
        left = [-1] if os.getpid() == 1 else _children()
        for one in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        if not _reap():
            return
        time.sleep(_POLL_SECONDS)


def _reap() -> bool:
    """Take note of the ended ones among our children; False where there are no children at all."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def adopt_orphans() -> None:
    """Let the processes that lose their parent, if one of our children started them, become our own."""
    _ask_kernel(_SUBREAPER, 1)


def _ask_kernel(what: int, value: int) -> None:
    """prctl(), on Linux alone."""
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def _children() -> list[int]:
    """The processes whose parent we are."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            if int(place.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                found.append(int(place.parent.name))
    return found


def _how(status: int) -> str:
    if os.WIFSIGNALED(status):
        return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
    code = os.WEXITSTATUS(status)
    return f"exited with {code}" if code else ""


# In the child


def settle(options: Json) -> None:
    """What a process does before it runs code of the user's: a session and limits of its own, and no streams."""
    os.setsid()
    _ask_kernel(_DEATH_SIGNAL, signal.SIGKILL)
    _limit(options)
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)


def _be_child(job: Json, options: Json, pipes: tuple[int, int], writing: int, package: ModuleType) -> None:
    settle(options)
    for pipe in pipes:
        os.close(pipe)
    nonce, own = job.pop("nonce"), os.getpid()

    def tell(record: Json) -> None:
        if os.getpid() != own:
            os._exit(0)  # the user's code forked, and this is the copy
        say(writing, {**record, "nonce": nonce})

    job["device"] = options["device"]
    sys.modules[f"{package.__name__}.child"].live(job, tell)
    tell({"stage": "done"})


def _limit(options: Json) -> None:
    """The most that a child may take. Memory counts on top of what torch has mapped already."""
    pages = Path("/proc/self/statm")
    mapped = int(pages.read_text().split()[0]) * resource.getpagesize() if pages.exists() else 0
    limits = {
        resource.RLIMIT_CPU: int(options["seconds"]) + 1,
        resource.RLIMIT_FSIZE: _FILE_BYTES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_NPROC: _running() + _PROCESSES,
    }
    if mapped and options["device"] in ("", "sim"):
        # A driver of a real device maps far more than it uses.
        limits[resource.RLIMIT_AS] = mapped + (options["memory"] << 20)
    for kind, most in limits.items():
        try:
            resource.setrlimit(kind, (most, most))
        except (ValueError, OSError):
            continue  # a limit that this system does not have, or that is lower already


def _running() -> int:
    """How many processes and threads the user has, which count for the limit too."""
    tasks = 0
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            tasks += sum(1 for _ in (place / "task").iterdir()) if place.stat().st_uid == os.getuid() else 0
    return tasks


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
