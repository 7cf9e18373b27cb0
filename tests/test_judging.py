"""Judging in several processes: the same findings as in one, and what happens when a process dies or is interrupted."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import CLEAN, HAZARD, Command, Project

from torchlint.analysis.judging import SERIAL_BELOW_BYTES, Judgement, Task, judge_files
from torchlint.analysis.workers import can_spread, spread
from torchlint.engine import link
from torchlint.examine import examine
from torchlint.findings import Hit
from torchlint.imported import ImportedFiles
from torchlint.rules import Rule, load
from torchlint.settings import Settings

pytestmark = pytest.mark.skipif(not can_spread(), reason="needs fork")

PADDING = "\n# " + "padding " * (SERIAL_BELOW_BYTES // 8)
DERIVED = HAZARD.replace("nn.Module", "Scale").replace("from torch import nn", "from scale import Scale")


def _dies_on_one(task: int) -> int:
    if task == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return task * task


def _process_of(task: int) -> int:
    time.sleep(0.05)
    return os.getpid()


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_every_task_is_done_once(workers: int) -> None:
    done = {one.task: one.result for one in spread(lambda task: task * task, range(20), workers)}
    assert done == {task: task * task for task in range(20)}


def test_tasks_run_beside_each_other_in_other_processes() -> None:
    processes = {one.result for one in spread(_process_of, range(8), 2)}
    assert len(processes) == 2
    assert os.getpid() not in processes


def test_a_process_that_dies_costs_its_task_and_is_replaced() -> None:
    done = {one.task: one.result for one in spread(_dies_on_one, range(6), 2)}
    assert done == {0: 0, 1: None, 2: 4, 3: 9, 4: 16, 5: 25}


def test_the_last_process_is_replaced_too() -> None:
    done = {one.task: one.result for one in spread(_dies_on_one, range(3), 1)}
    assert done == {0: 0, 1: None, 2: 4}


def test_processes_end_with_the_one_who_stops_listening() -> None:
    from multiprocessing import active_children

    results = spread(lambda task: task or time.sleep(60), [1, 0, 0], 2)
    next(results)
    assert active_children()
    results.close()  # type: ignore[attr-defined]
    assert active_children() == []


_SLEEPING = """\
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from torchlint.analysis.workers import spread

def sleep(task):
    os.write(1, f"{os.getpid()}\\n".encode())
    time.sleep(60)

try:
    list(spread(sleep, range(4), 2))
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_an_interrupt_or_the_death_of_the_first(sent: signal.Signals) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    program = _SLEEPING if sent == signal.SIGINT else _SLEEPING.replace("time.sleep(60)", "time.sleep(0.5)")
    command = [sys.executable, "-c", program]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert running.stdout is not None
    processes = [int(running.stdout.readline()) for _ in range(2)]
    running.send_signal(sent)
    assert running.wait(timeout=30) == (130 if sent == signal.SIGINT else -signal.SIGKILL)
    assert _all_end(processes)


def _all_end(processes: list[int]) -> bool:
    for _ in range(200):
        processes = [process for process in processes if _is_running(process)]
        if not processes:
            return True
        time.sleep(0.05)
    return False


def _is_running(process: int) -> bool:
    status = Path(f"/proc/{process}/stat")
    if status.parent.parent.joinpath("self").exists():
        # One that has ended and that nobody has asked about is no longer running.
        return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_findings_are_the_same_for_any_number_of_processes(project: Project, torchlint: Command) -> None:
    project(
        {
            "scale.py": HAZARD + PADDING,
            "derived.py": DERIVED,
            "clean.py": CLEAN,
            "use.py": "from derived import Scale\nScale().half()\n",
        }
    )
    alone = torchlint("check", "--no-cache", "--jobs", "1")
    assert alone.code == 1
    for jobs in ("2", "3"):
        assert torchlint("check", "--no-cache", "--jobs", jobs) == alone


def _killer(_: Any) -> Iterator[Hit]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield from ()


def test_a_file_that_kills_its_process_is_a_notification_and_others_are_judged(project: Project) -> None:
    folder = project({"deadly.py": HAZARD, "hazard.py": HAZARD, "other.py": HAZARD})
    tasks = [
        Task(
            str(folder / name), (Rule("TL999", "class", _killer),) if name == "deadly.py" else (load()["TL101"],), size
        )
        for name, size in (("deadly.py", SERIAL_BELOW_BYTES), ("hazard.py", 2), ("other.py", 1))
    ]
    files = ImportedFiles(lambda _: Settings(), cache=None)
    linked = link([examine(task.path, cache=None) for task in tasks], files)
    judged = {Path(one.path or "").name: one for one in judge_files(tasks, linked, jobs=2)}
    assert {name: _codes(one) for name, one in judged.items()} == {
        "deadly.py": [],
        "hazard.py": ["TL101"],
        "other.py": ["TL101"],
    }
    trouble = judged["deadly.py"].trouble
    assert trouble is not None
    assert trouble.text.startswith(f"cannot judge {folder / 'deadly.py'}: the process that judged it died")
    assert [one.trouble for name, one in judged.items() if name != "deadly.py"] == [None, None]


def _codes(judgement: Judgement) -> list[str]:
    return [code for code, _ in judgement.hits]


def test_the_collector_of_garbage_is_left_as_it_was(project: Project, torchlint: Command) -> None:
    project({"hazard.py": HAZARD})
    before = gc.get_threshold()
    assert torchlint("check", "--no-cache").code == 1
    assert gc.get_threshold() == before
