"""Several supervisors at once: every job is answered once, whoever dies meanwhile. No torch is needed here."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from torchlint.confirm.plan import Job
from torchlint.confirm.pool import answers_to
from torchlint.confirm.supervisor import Answer, ConfirmError

JOBS = tuple(Job("/p/m.py", ("/p",), "m", f"Class{number}", (), ()) for number in range(24))


class Stand:
    """Stands in for a supervisor: answers jobs, or fails at its start or in the middle."""

    made = 0

    def __init__(self, *, starts: bool = True, fails_at: int = -1) -> None:
        Stand.made += 1
        self.starts, self.fails_at, self.done, self.entered, self.left = starts, fails_at, 0, False, False
        self.interrupted = threading.Event()

    def __enter__(self) -> Stand:
        if not self.starts:
            raise ConfirmError("it cannot be started")
        self.entered = True
        return self

    def __exit__(self, *failure: object) -> None:
        self.left = True

    def interrupt(self) -> None:
        """End what runs now."""
        self.interrupted.set()

    def run(self, jobs: tuple[Job, ...]) -> Iterator[Answer]:
        """Answer each job."""
        for job in jobs:
            if self.done == self.fails_at:
                raise MemoryError
            self.done += 1
            self.interrupted.wait(0.002)
            yield Answer(job, (), "", 0.1)


def answered(first: Stand, others: list[Stand], most: int) -> list[str]:
    waiting = iter(others)
    return [one.job.qualname for one in answers_to(JOBS, first, lambda: next(waiting), most)]  # type: ignore[arg-type,return-value]


EXPECTED = sorted(job.qualname for job in JOBS)


@pytest.mark.parametrize("most", [1, 2, 4, 16])
def test_every_job_is_answered_once(most: int) -> None:
    others = [Stand() for _ in range(most)]
    assert sorted(answered(Stand(), others, most)) == EXPECTED
    assert all(one.left for one in others if one.entered)


def test_a_few_jobs_are_not_worth_another_process() -> None:
    Stand.made = 0
    assert len(list(answers_to(JOBS[:5], Stand(), Stand, 8))) == 5  # type: ignore[arg-type]
    assert Stand.made == 1


def test_the_others_do_the_work_of_one_that_cannot_be_started() -> None:
    assert sorted(answered(Stand(), [Stand(starts=False), Stand(starts=False)], 3)) == EXPECTED


def test_a_lost_job_ends_the_run_and_is_not_waited_for() -> None:
    with pytest.raises(MemoryError):
        answered(Stand(), [Stand(fails_at=2)], 2)


def test_who_stops_asking_leaves_nobody_at_work() -> None:
    first, other = Stand(), Stand()
    answers = answers_to(JOBS, first, lambda: other, 2)  # type: ignore[arg-type,return-value]
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    assert first.interrupted.is_set()
    assert other.interrupted.is_set()
    assert first.done + other.done < len(JOBS)


def test_the_first_one_can_go_on_when_all_is_answered() -> None:
    first, other = Stand(), Stand()
    assert len(answered(first, [other], 2)) == len(JOBS)
    assert not first.interrupted.is_set()
    assert other.interrupted.is_set()
