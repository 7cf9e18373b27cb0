"""Several supervisors at work at once. What comes out does not depend on how many there are."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from torchlint.confirm.plan import Job
from torchlint.confirm.supervisor import Answer, ConfirmError, Supervisor

# Fewer jobs than this are done sooner than another process has imported torch.
_WORTH_A_START = 6
_Jobs = queue.SimpleQueue[Job]
_Answers = queue.SimpleQueue[Answer | BaseException]


def answers_to(
    jobs: tuple[Job, ...], first: Supervisor, other: Callable[[], Supervisor], most: int
) -> Iterator[Answer]:
    """The answers to all jobs, each as soon as it is there, from up to `most` supervisors.

    first: one that has been started. other: makes another one, which is started here. Where that fails, the others do
    its work.
    """
    count = min(most, max(1, len(jobs) // _WORTH_A_START))
    if count == 1:
        yield from first.run(jobs)
        return
    waiting, answers = _filled(jobs), _Answers()
    crew = _Crew(waiting, answers)
    with ExitStack() as stack:
        stack.callback(crew.dismiss)
        crew.hire(first, is_started=True)
        for _ in range(count - 1):
            crew.hire(other(), is_started=False)
        for _ in jobs:
            found = answers.get()
            if isinstance(found, BaseException):
                raise found
            yield found
        crew.is_done = True


def _filled(jobs: tuple[Job, ...]) -> _Jobs:
    waiting = _Jobs()
    for job in jobs:
        waiting.put(job)
    return waiting


class _Crew:
    """Threads, each with a supervisor of its own, that take jobs from one queue."""

    def __init__(self, waiting: _Jobs, answers: _Answers) -> None:
        self._waiting, self._answers = waiting, answers
        self._threads: list[threading.Thread] = []
        self._supervisors: list[Supervisor] = []
        self._is_dismissed = False
        self.is_done = False

    def hire(self, supervisor: Supervisor, *, is_started: bool) -> None:
        """Let one more supervisor work."""
        work = self._take_turns if is_started else self._work
        thread = threading.Thread(target=work, args=(supervisor,), daemon=True)
        self._supervisors.append(supervisor)
        self._threads.append(thread)
        thread.start()

    def dismiss(self) -> None:
        """End what is still running, and wait until all have gone. The first one stays as it is where it is idle."""
        self._is_dismissed = True
        for supervisor in self._supervisors[1 if self.is_done else 0 :]:
            supervisor.interrupt()
        for thread in self._threads:
            thread.join()

    def _work(self, supervisor: Supervisor) -> None:
        try:
            with supervisor:
                self._take_turns(supervisor)
        except ConfirmError:
            return  # no other process can be started: those that run do it all

    def _take_turns(self, supervisor: Supervisor) -> None:
        try:
            while not self._is_dismissed:
                for answer in supervisor.run((self._waiting.get_nowait(),)):
                    self._answers.put(answer)
        except queue.Empty:
            return
        except BaseException as error:
            self._answers.put(error)  # the job is lost, and nobody shall wait for it
