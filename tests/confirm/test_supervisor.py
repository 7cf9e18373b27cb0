"""Files that do harm when they are imported: each class gets an answer in time, and nothing is left running."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import HAZARD

from torchlint.confirm import supervisor as supervising
from torchlint.confirm.plan import Claim, Job
from torchlint.confirm.supervisor import Answer, ConfirmError, Limits, Supervisor
from torchlint.confirm.verdict import judge
from torchlint.findings import Verdict

pytest.importorskip("torch")
if not hasattr(os, "fork"):
    pytest.skip("this system cannot fork", allow_module_level=True)

LIMITS = Limits(seconds=2.0, memory=1024)
HASTY = Limits(seconds=0.5, memory=1024)
PATIENT = Limits(seconds=60.0)
HASTY_BUT_FAIR = Limits(seconds=20.0)
FINE = "class Scale is built and its finding confirmed all the same"

# What a file does before it defines its class, and what is said of it.
HOSTILE = {
    "endless_loop": ("while True: pass", "stopped at import: timeout"),
    "long_sleep": ("import time; time.sleep(99)", "stopped at import: timeout"),
    "ignored_signals": (
        "import signal, time\nfor one in range(1, 32):\n    if one not in (9, 19): signal.signal(one, signal.SIG_IGN)\n"
        "time.sleep(99)",
        "stopped at import: timeout",
    ),
    "exit_at_once": ("import os; os._exit(3)", "stopped at import: exited with 3"),
    "exit_silently": ("import os; os._exit(0)", "stopped at import: it ended without a word"),
    "sys_exit": ("import sys; sys.exit('no GPU')", "the file could not be imported: SystemExit: no GPU"),
    "segfault": ("import ctypes; ctypes.string_at(0)", "stopped at import: killed by SIGSEGV"),
    "abort": ("import os; os.abort()", "stopped at import: killed by SIGABRT"),
    "kills_itself": ("import os; os.kill(os.getpid(), 9)", "stopped at import: killed by SIGKILL"),
    "kills_its_group": ("import os; os.killpg(0, 9)", "stopped at import: killed by SIGKILL"),
    "deep_recursion": ("def f(n): return f(n + 1)\nf(0)", "the file could not be imported: RecursionError"),
    "deep_nesting": ("import sys\nsys.setrecursionlimit(10**8)\nx = []\nfor _ in range(10**6): x = [x]\nrepr(x)", ""),
    "much_memory": ("x = bytearray(1 << 42)", "the file could not be imported: MemoryError"),
    "much_torch_memory": ("import torch; torch.empty(1 << 40)", "the file could not be imported: RuntimeError"),
    "growth": ("x = []\nwhile True: x.append(bytearray(1 << 24))", "the file could not be imported: MemoryError"),
    "noise": ("import os, sys\nfor _ in range(20): print('x' * 10**6); os.write(2, b'y' * 10**6)", FINE),
    "closed_files": ("import os; os.closerange(0, 256)", "stopped at import: it ended without a word"),
    "input": ("input('your name? ')", "the file could not be imported: EOFError"),
    "big_file": ("open('big', 'wb').write(bytes(200 << 20))", "the file could not be imported: OSError"),
    "fake_results": (
        "import json, os\nfor pipe in range(3, 64):\n    for one in ('constructed', 'done'):\n"
        "        try: os.write(pipe, (json.dumps({'stage': one, 'text': 'Fake()', 'nonce': ''}) + chr(10)).encode())\n"
        "        except OSError: pass",
        FINE,
    ),
    "many_processes": ("import os, time\nfor _ in range(20):\n    if not os.fork(): time.sleep(99)", FINE),
    "copy_goes_on": ("import os; os.fork()", FINE),
    "daemon": (
        "import os, time\nif not os.fork():\n    os.setsid()\n    if not os.fork(): time.sleep(99)\n    os._exit(0)",
        FINE,
    ),
    "threads": (
        "import threading, time\nfor _ in range(5): threading.Thread(target=time.sleep, args=(99,)).start()",
        FINE,
    ),
    "random": ("# the name of a module that is imported already", FINE),
    "silent_error": (
        "class Odd(Exception):\n    def __str__(self): raise ValueError\nraise Odd",
        "stopped at import: it ended without a word",
    ),
}


def job_for(path: Path) -> Job:
    claim = Claim("key", "TL101", "offset", 0, 10**6)
    return Job(str(path), (str(path.parent),), path.stem, "Scale", (claim,), claim.histories)


def write(folder: Path, name: str, start: str = "") -> Job:
    path = folder / f"{name}.py"
    path.write_text(f"{start}\n{HAZARD}", encoding="utf-8")
    return job_for(path)


def said_of(answer: Answer) -> tuple[Verdict, str]:
    judgement = judge(answer, "sim")["key"]
    return judgement.verdict, judgement.evidence


def running_in(home: str) -> list[str]:
    """The processes whose working directory is, or was, that of a supervisor."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if str((place / "cwd").readlink()).startswith(home) and b"State:\tZ" not in (place / "status").read_bytes():
                found.append(place.name)
        except OSError:
            continue
    return found


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Answer, list[str]]]:
    """The answers for all hostile files, from one supervisor, and what still ran after each."""
    folder = tmp_path_factory.mktemp("hostile")
    found: dict[str, tuple[Answer, list[str]]] = {}
    with Supervisor(Path(sys.executable), "cpu", 0, LIMITS) as supervisor:
        usual = set(running_in(supervisor._home))
        for name, (start, end) in HOSTILE.items():
            supervisor._limits = HASTY if "timeout" in end else LIMITS
            (answer,) = supervisor.run((write(folder, name, start),))
            found[name] = answer, sorted(set(running_in(supervisor._home)) - usual)
        home = supervisor._home
    found[""] = answer, running_in(home)
    return found


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_file_gets_an_answer(name: str, answers: dict[str, tuple[Answer, list[str]]]) -> None:
    answer, _ = answers[name]
    verdict, evidence = said_of(answer)
    expected = HOSTILE[name][1]
    if answer.ended == "timeout":  # on a machine that is busy everything may end so
        assert verdict is Verdict.INCONCLUSIVE or expected is FINE
    elif expected is FINE:
        assert (verdict, "self.offset" in evidence) == (Verdict.CONFIRMED, True)
    else:
        assert (verdict, evidence[: len(expected)]) == (Verdict.INCONCLUSIVE, expected)
    assert answer.seconds < LIMITS.seconds + 3


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc")
@pytest.mark.parametrize("name", [*HOSTILE, ""])
def test_hostile_file_leaves_nothing_running(name: str, answers: dict[str, tuple[Answer, list[str]]]) -> None:
    assert answers[name][1] == []


ALONE = {name: HOSTILE[name][0] for name in ("daemon", "many_processes", "kills_its_group")}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc")
def test_nothing_is_left_running_without_namespaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervising, "_has_namespaces", lambda: False)
    with Supervisor(Path(sys.executable), "cpu", 0, LIMITS) as supervisor:
        usual = running_in(supervisor._home)
        for name, start in ALONE.items():
            list(supervisor.run((write(tmp_path, name, start),)))
            assert running_in(supervisor._home) == usual
        assert supervisor.surroundings is not None
        assert not supervisor.surroundings.is_offline
        (answer,) = supervisor.run((write(tmp_path, "parent", "import os; os.kill(os.getppid(), 9)"),))
        assert said_of(answer)[0] is Verdict.INCONCLUSIVE
        home = supervisor._home
    wait_until(lambda: running_in(home) == [])


def test_death_of_the_zygote_costs_one_class(tmp_path: Path) -> None:
    jobs = write(tmp_path, "sleeps", "import time; time.sleep(99)"), write(tmp_path, "fine")
    with Supervisor(Path(sys.executable), "cpu", 0, PATIENT) as supervisor:
        assert supervisor._process is not None
        threading.Timer(0.5, os.kill, (supervisor._process.pid, signal.SIGKILL)).start()
        first, second = supervisor.run(jobs)
    assert said_of(first) == (
        Verdict.INCONCLUSIVE,
        "stopped at start: the process died with everything that it had found",
    )
    assert said_of(second)[0] is Verdict.CONFIRMED


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks /proc")
def test_death_of_the_supervisor_ends_the_rest(tmp_path: Path) -> None:
    job = write(tmp_path, "sleeps", "import time; time.sleep(99)")
    note = tmp_path / "home"
    child = os.fork()
    if child == 0:
        try:
            with Supervisor(Path(sys.executable), "cpu", 0, PATIENT) as supervisor:
                note.write_text(supervisor._home, encoding="utf-8")
                list(supervisor.run((job,)))
        finally:
            os._exit(0)
    wait_until(note.exists)
    home = note.read_text(encoding="utf-8")
    wait_until(lambda: len(running_in(home)) > 1)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    wait_until(lambda: running_in(home) == [])
    shutil.rmtree(home)  # nobody is left to do it


def wait_until(is_so: object) -> None:
    assert callable(is_so)
    deadline = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_python_without_torch_is_one_sentence_that_says_what_to_do(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(
        "#!/bin/sh\necho \"ModuleNotFoundError: No module named 'torch'\" >&2\nexit 1\n", encoding="utf-8"
    )
    python.chmod(0o755)
    with pytest.raises(ConfirmError) as failure, Supervisor(python, "cpu", 0, LIMITS):
        pass
    assert str(failure.value) == (
        f"confirm runs the classes with torch, and {python} has none: install it there "
        f"(`{python} -m pip install torch`), or name the python of your project with --python"
    )


def test_python_that_is_none_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfirmError, match="nowhere"), Supervisor(tmp_path / "nowhere", "cpu", 0, LIMITS):
        pass


def test_zygote_that_does_not_start_again_leaves_a_reason(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    with Supervisor(python, "cpu", 0, PATIENT) as supervisor:
        supervisor._stop()
        python.unlink()
        (answer,) = supervisor.run((write(tmp_path, "fine"),))
    assert "python" in said_of(answer)[1]


PACKAGE = """
import os, torch
from pathlib import Path
from torch import nn

with Path({log!r}).open("a") as log:
    log.write(f"{{os.getpid()}}\\n")
{start}


class First(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = torch.zeros(3)

    def forward(self, x):
        return x + self.offset


class Second(First):
    def forward(self, x):
        {inside}
        return x + self.offset


class Third(First):
    pass
"""


def package(folder: Path, start: str = "", inside: str = "pass") -> tuple[tuple[Job, ...], Path]:
    """Jobs for the three classes of a file, and where each of its imports leaves a line."""
    log = folder / "imports.log"
    path = folder / "several.py"
    path.write_text(PACKAGE.format(log=str(log), start=start, inside=inside), encoding="utf-8")
    jobs = []
    for name in ("First", "Second", "Third"):
        claim = Claim("key", "TL101", "offset", 14)
        jobs.append(Job(str(path), (str(folder),), "several", name, (claim,), claim.histories))
    return tuple(jobs), log


def test_classes_of_a_file_share_one_more_import(tmp_path: Path) -> None:
    jobs, log = package(tmp_path)
    with Supervisor(Path(sys.executable), "cpu", 0, PATIENT) as supervisor:
        verdicts = [said_of(answer)[0] for answer in supervisor.run((*jobs, *jobs))]
    assert verdicts == [Verdict.CONFIRMED] * 6
    assert len(log.read_text().split()) == 2


@pytest.mark.parametrize(
    ("inside", "verdict"),
    [
        ("import os; os.kill(os.getppid(), 9)", Verdict.INCONCLUSIVE),
        ("import os; os._exit(1)", Verdict.INCONCLUSIVE),
    ],
)
def test_class_that_ends_its_host_costs_its_own_verdict(tmp_path: Path, inside: str, verdict: Verdict) -> None:
    jobs, _ = package(tmp_path, inside=inside)
    with Supervisor(Path(sys.executable), "cpu", 0, HASTY_BUT_FAIR) as supervisor:
        verdicts = [said_of(answer)[0] for answer in supervisor.run(jobs)]
        home = supervisor._home
    assert (verdicts[0], verdicts[2]) == (Verdict.CONFIRMED, Verdict.CONFIRMED)
    assert verdicts[1] is verdict or "getppid" in inside  # the first process of a namespace survives that
    wait_until(lambda: running_in(home) == [])


def test_file_that_starts_a_thread_has_no_host(tmp_path: Path) -> None:
    start = "import threading, time; threading.Thread(target=time.sleep, args=(99,), daemon=True).start()"
    jobs, log = package(tmp_path, start=start)
    with Supervisor(Path(sys.executable), "cpu", 0, PATIENT) as supervisor:
        verdicts = [said_of(answer)[0] for answer in supervisor.run(jobs)]
    assert verdicts == [Verdict.CONFIRMED] * 3
    assert len(log.read_text().split()) == 4  # each child, and the host that was not wanted


def test_file_that_does_harm_keeps_no_host_from_its_package(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "__init__.py").write_text("", encoding="utf-8")
    count = f"with open({str(tmp_path / 'log')!r}, 'a') as log: log.write('imported ')"
    jobs = []
    for name, start in (("first", ""), ("harmful", "raise ImportError"), ("third", count), ("fourth", "")):
        job = write(tmp_path / "parts", name, start)
        jobs.append(replace(job, roots=(str(tmp_path),), module=f"parts.{name}"))
    with Supervisor(Path(sys.executable), "cpu", 0, PATIENT) as supervisor:
        verdicts = [said_of(answer)[0] for answer in supervisor.run((*jobs, jobs[2], jobs[2]))]
    assert verdicts.count(Verdict.CONFIRMED) == 5
    assert (tmp_path / "log").read_text() == "imported "


def test_children_find_imported_what_watching_needs(tmp_path: Path) -> None:
    job = write(tmp_path, "eager", "import sys; assert 'torch._dynamo' in sys.modules")
    with Supervisor(Path(sys.executable), "cpu", 0, PATIENT) as supervisor:
        (answer,) = supervisor.run((job,))
    assert said_of(answer)[0] is Verdict.CONFIRMED
