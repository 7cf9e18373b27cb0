"""Reading on executors: the same report as in this process, whatever becomes of the workers."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import CLEAN, HAZARD, Command, Project

from torchlint.analysis import reading
from torchlint.analysis.executors import ExecutorError, workshop
from torchlint.engine import Request, check

FILES = {f"part{number}.py": HAZARD.replace("Scale", f"Scale{number}") for number in range(9)} | {
    "clean.py": CLEAN,
    "broken.py": "def (:\n",
    "silent.py": "import torch  # torchlint: ignore[TL101] nothing here\n",
}


class _Here(Executor):
    """Runs each task at once, after what `before` does with its number, which starts at 1."""

    def __init__(self, before: Callable[[int], None]) -> None:
        self.before = before
        self.tasks = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        future: Future[Any] = Future()
        try:
            self.before(self.tasks)
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


OPENED: list[_Here] = []


def _opened(before: Callable[[int], None]) -> _Here:
    OPENED.append(_Here(before))
    return OPENED[-1]


@pytest.fixture(autouse=True)
def _nothing_opened() -> Iterator[None]:
    OPENED.clear()
    yield
    OPENED.clear()


def threads() -> Executor:
    return ThreadPoolExecutor(2)


def faithful() -> Executor:
    return _opened(lambda task: None)


def forgetful() -> Executor:
    def lose(task: int) -> None:
        if task == 1:
            raise ConnectionError("the worker left")

    return _opened(lose)


def breaking_once() -> Executor:
    def break_down(task: int) -> None:
        if len(OPENED) == 1 and task == 2:
            raise BrokenProcessPool("a process died")

    return _opened(break_down)


def useless() -> Executor:
    def fail(task: int) -> None:
        raise ModuleNotFoundError("No module named 'torchlint'")

    return _opened(fail)


def nowhere() -> Executor:
    raise OSError("no route to host")


def _report(torchlint: Command, *arguments: str) -> Any:
    done = torchlint("check", "--show-notes", "--output-format", "json", *arguments)
    return json.loads(done.out)


@pytest.mark.parametrize("name", ["threads", "faithful", "forgetful", "breaking_once"])
@pytest.mark.parametrize("cache", [(), ("--no-cache",)])
def test_an_executor_of_ones_own_gives_the_report_of_a_local_run(
    name: str, cache: tuple[str, ...], project: Project, torchlint: Command
) -> None:
    project(FILES)
    local = _report(torchlint, "--no-cache")
    assert [one["code"] for one in local["findings"]] == ["TL101"] * 9 + ["TL001"]
    assert [one["text"] for one in local["notifications"]] == [
        "cannot analyse broken.py: invalid syntax at line 1, column 5; skipped"
    ]
    assert _report(torchlint, "--executor", f"test_executors:{name}", *cache) == local


def test_the_processes_of_this_machine_are_an_executor(project: Project, torchlint: Command) -> None:
    project(FILES)
    assert _report(torchlint, "--no-cache", "--executor", "processes:2") == _report(torchlint, "--no-cache")


def test_what_is_remembered_here_is_not_handed_over(project: Project, torchlint: Command) -> None:
    folder = project(FILES)
    _report(torchlint, "--executor", "test_executors:faithful", "--cache-dir", "cache")
    shutil.rmtree(folder / "cache" / "results")
    (folder / "part1.py").write_text(CLEAN, encoding="utf-8")
    OPENED.clear()
    again = _report(torchlint, "--executor", "test_executors:faithful", "--cache-dir", "cache", "--select", "TL1")
    assert [one["path"] for one in again["findings"]] == [f"part{number}.py" for number in (0, *range(2, 9))]
    assert sum(one.tasks for one in OPENED) == 1


def test_a_lost_task_is_handed_over_again(project: Project, torchlint: Command) -> None:
    project(FILES)
    _report(torchlint, "--no-cache", "--executor", "test_executors:forgetful")
    assert [one.tasks for one in OPENED] == [3]  # two tasks, one of them twice


def test_an_executor_that_broke_is_opened_again(project: Project, torchlint: Command) -> None:
    project(FILES)
    _report(torchlint, "--no-cache", "--executor", "test_executors:breaking_once")
    assert [one.tasks for one in OPENED] == [2, 1]


def test_what_no_worker_can_read_is_read_here_and_said_once(project: Project, torchlint: Command) -> None:
    project(FILES)
    local = _report(torchlint, "--no-cache")
    remote = _report(torchlint, "--no-cache", "--executor", "test_executors:useless")
    assert remote["findings"] == local["findings"]
    note, *rest = remote["notifications"][::-1]
    assert rest == local["notifications"]
    assert note["text"] == (
        "12 files were read here, because test_executors:useless failed "
        "(ModuleNotFoundError: No module named 'torchlint')"
    )
    assert [one.tasks for one in OPENED] == [2 * reading.TRIES]


def test_workers_with_other_versions_are_refused(
    project: Project, torchlint: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(FILES)
    ours = reading.versions()
    read = reading.read_errands
    monkeypatch.setattr(reading, "read_errands", lambda *given: replace(read(*given), versions="torchlint 0.0.1"))
    done = torchlint("check", "--no-cache", "--executor", "test_executors:faithful")
    assert done.code == 2
    assert done.err == (
        f"torchlint: cannot read on test_executors:faithful: its workers run torchlint 0.0.1, and this is {ours}; "
        "install the same there\n"
    )


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("", "an executor is processes"),
        ("threads", "an executor is processes"),
        ("processes:0", "an executor is processes"),
        ("processes:two", "an executor is processes"),
        ("dask://somewhere", "an executor is processes"),
        ("dask:somewhere", "an executor is processes"),
        ("no.such.module:make", "ModuleNotFoundError: No module named 'no'"),
        ("test_executors:missing", "AttributeError"),
        ("test_executors:nowhere", "OSError: no route to host"),
        ("os:getcwd", "it gave a str, and a concurrent.futures.Executor is needed"),
    ],
)
def test_an_executor_that_is_not_there_is_one_sentence(
    spec: str, reason: str, project: Project, torchlint: Command
) -> None:
    project(FILES)
    done = torchlint("check", "--no-cache", "--executor", spec)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"torchlint: cannot read on `{spec}`: {reason}") or done.err.startswith(
        f"torchlint: cannot read on {spec}: {reason}"
    )
    assert done.err.count("\n") == 1


def test_a_wrong_executor_is_an_error_also_where_nothing_is_to_be_read(project: Project, torchlint: Command) -> None:
    project({"clean.py": CLEAN})
    assert torchlint("check").code == 0
    assert torchlint("check", "--executor", "threads").code == 2


def test_dask_that_is_not_installed_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        ExecutorError, match=r"the package distributed is not installed; `pip install 'torchlint\[dask\]"
    ):
        workshop("dask://127.0.0.1:8786", 1).open().__enter__()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as running:
        yield running


def _spec(cluster: Any) -> str:
    return str(cluster.scheduler_address).replace("tcp:", "dask:")


def test_a_scheduler_that_does_not_answer_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("torchlint.analysis.executors.CONNECT_SECONDS", 1)
    with pytest.raises(ExecutorError, match=r"^cannot read on dask://127\.0\.0\.1:9: no scheduler answers there"):
        workshop("dask://127.0.0.1:9", 1).open().__enter__()


def test_a_scheduler_without_workers_is_one_sentence() -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address=None) as empty,
        pytest.raises(ExecutorError, match="the scheduler has no workers; start one beside it"),
    ):
        workshop(_spec(empty), 1).open().__enter__()


def _worker_processes(cluster: Any) -> list[int]:
    with cluster.get_client() as client:
        return sorted(client.run(os.getpid).values())


def test_dask_gives_the_report_of_a_local_run_also_when_a_worker_is_killed(cluster: Any, project: Project) -> None:
    folder = project({f"part{number}.py": HAZARD.replace("Scale", f"Scale{number}") * 5 for number in range(120)})
    request = Request((str(folder),), cache=False, jobs=1)
    local = check(request, lambda done, total: None)
    assert len(local.findings) == 600
    killed: list[int] = []

    def kill_one(done: int, total: int) -> None:
        if not killed and done >= 20:
            killed.append(_worker_processes(cluster)[0])
            os.kill(killed[0], signal.SIGKILL)

    assert check(replace(request, executor=_spec(cluster)), kill_one) == local
    assert killed
    assert killed[0] not in _worker_processes(cluster)


def test_reading_takes_the_bytes_that_it_is_given(tmp_path: Path) -> None:
    path = str(tmp_path / "gone.py")
    (read,) = reading.read_errands([(path, HAZARD.encode())], None).examined
    assert read.error is None
    assert read.facts is not None
    assert list(read.facts.classes) == ["Scale"]
