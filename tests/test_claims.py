"""What we claim of PyTorch, PyTorch must confirm: each sample that shows its hazard is run."""

from __future__ import annotations

import importlib
import runpy
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from metamorphosis import CHANGES, Changed
from samples import TESTS, Sample, page_blocks

torch = pytest.importorskip("torch")

DEMONSTRATIONS = sorted(
    path for path in (TESTS / "rules").glob("TL*/*.py") if "def demonstrate(" in path.read_text("utf-8")
)
CLAIMS = sorted((TESTS / "projects").glob("*/claims.py"))


@pytest.fixture(autouse=True)
def _same_numbers_every_time() -> Iterator[None]:
    torch.manual_seed(0)
    with warnings.catch_warnings():
        # The hazards warn, as they should: complex values that become real, autocast without a GPU.
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("path", DEMONSTRATIONS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_torch_confirms_the_fixture(path: Path) -> None:
    runpy.run_path(str(path))["demonstrate"]()


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("path", DEMONSTRATIONS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_change_keeps_what_a_program_does(path: Path, change: Callable[[str], Changed], tmp_path: Path) -> None:
    changed = tmp_path / path.name
    changed.write_text(change(path.read_text("utf-8")).text, encoding="utf-8")
    runpy.run_path(str(changed))["demonstrate"]()


@pytest.mark.parametrize("path", CLAIMS, ids=lambda path: path.parent.name)
def test_torch_confirms_the_project(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(path.parent))
    try:
        importlib.import_module("claims").demonstrate()
    finally:
        _forget_modules_of(path.parent)


@pytest.mark.parametrize("block", page_blocks(), ids=lambda block: block.name)
def test_example_of_a_page_runs(block: Sample, tmp_path: Path) -> None:
    path = tmp_path / "example.py"
    path.write_text(block.files["example.py"], encoding="utf-8")
    runpy.run_path(str(path))


def _forget_modules_of(folder: Path) -> None:
    """Projects use the same names for their files, so the next one must not meet these."""
    for name, module in list(sys.modules.items()):
        if str(folder) in (getattr(module, "__file__", None) or ""):
            del sys.modules[name]
