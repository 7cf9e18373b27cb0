"""What the tests over the cases share: the findings of a folder of programs."""

from __future__ import annotations

from pathlib import Path

from torchlint import engine
from torchlint.findings import Finding
from torchlint.settings import Overrides


def found_in(folder: Path) -> tuple[Finding, ...]:
    """All that `check` finds below `folder`, notes too."""
    request = engine.Request(
        paths=(str(folder),),
        overrides=Overrides(show_notes=True),
        config=None,
        isolated=True,
        stdin=None,
        force_exclude=False,
        cache=False,
        jobs=1,
    )
    return engine.check(request, lambda done, total: None).findings
