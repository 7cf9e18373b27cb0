"""The model knows what `# fact:` lines say, no more where they say "not known", and torch agrees."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from fact_lines import Claim, claims_in, parsed
from fact_model import known_project
from fact_torch import shown

_FOLDER = Path(__file__).parent / "facts"
_MINIMUM = 10
_SILENT = {
    "registration": ("plain",),
    "autocast": ("outside",),
    "gradients": ("on",),
    "gradient": ("attached",),
    "holds": ("nothing",),
    "loop": ("in no loop",),
    "element": ("tensor", "unknown"),
}


def _projects() -> list[tuple[Path, ...]]:
    """The facts files, each a project of its own, and the folders of facts files."""
    singles = [(path,) for path in sorted(_FOLDER.glob("*.py"))]
    folders = sorted(path for path in _FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__")
    return [*singles, *(tuple(sorted(folder.rglob("*.py"))) for folder in folders)]


def _name(path: Path) -> str:
    return path.relative_to(_FOLDER).as_posix()


def _start(paths: tuple[Path, ...]) -> Path:
    return next((path for path in paths if path.name == "main.py"), paths[0])


def _has_demo(path: Path) -> bool:
    return any(isinstance(node, ast.FunctionDef) and node.name == "demo" for node in ast.parse(path.read_bytes()).body)


_CLAIMS = {paths: tuple(claim for path in paths for claim in claims_in(path)) for paths in _projects()}
_PROJECTS = [pytest.param(paths, id=_name(paths[0])) for paths in _CLAIMS]
_RUNNABLE = [pytest.param(paths, id=_name(paths[0])) for paths in _CLAIMS if _has_demo(_start(paths))]
_LINES = [
    pytest.param(claim, paths, id=f"{_name(claim.path)}:{claim.line}")
    for paths, claims in _CLAIMS.items()
    for claim in claims
]


@pytest.mark.parametrize(("claim", "paths"), _LINES)
def test_the_model_knows_the_fact(claim: Claim, paths: tuple[Path, ...], request: pytest.FixtureRequest) -> None:
    if claim.is_todo:
        request.applymarker(pytest.mark.xfail(reason=claim.reason, strict=True, raises=AssertionError))
    known = known_project(paths).facets(claim)
    wrong = {name: known.get(name) for name, text in claim.facets.items() if not _agrees(name, text, known.get(name))}
    assert not wrong, f"{claim.path}:{claim.line}: the fact is {claim.text!r}, the model says {wrong}"


def _agrees(facet: str, claimed: str, known: str | None) -> bool:
    if facet == "autocast" and claimed == "in autocast":
        return known is not None and known.startswith(claimed)
    return claimed == known


@pytest.mark.parametrize("paths", _RUNNABLE)
def test_torch_agrees_with_the_facts(paths: tuple[Path, ...]) -> None:
    claims = _CLAIMS[paths]
    found = shown(claims, paths, _start(paths))
    wrong = [f"{_name(path)}:{line}: {text}" for (path, line), text in sorted(found.contradictions.items())]
    assert wrong == []
    known = [claim for claim in claims if claim.facets.get("kind") != "unknown"]
    idle = [f"{_name(claim.path)}:{claim.line}" for claim in known if (claim.path, claim.line) not in found.visited]
    assert idle == [], "demo() does not reach these lines"


@pytest.mark.parametrize("paths", _PROJECTS)
def test_a_construct_has_ten_facts_and_a_third_of_them_not_known(paths: tuple[Path, ...]) -> None:
    claims = _CLAIMS[paths]
    silent = [claim for claim in claims if _is_silent(claim)]
    assert len(claims) >= _MINIMUM
    assert len(silent) * 3 >= len(claims), f"only {len(silent)} of {len(claims)} facts say that something is not known"


def _is_silent(claim: Claim) -> bool:
    """True for a line on which a model that guesses would say more."""
    facets = claim.facets
    return any(text.endswith("?") or text in _SILENT.get(facet, ()) for facet, text in facets.items())


def test_a_phrase_outside_the_language_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot read the fact 'a tensor of float16'"):
        parsed("a tensor of float16")
