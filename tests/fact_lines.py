"""The language of `# fact:` lines: what a line of a facts file claims to be known.

A comment `# fact: <phrase>[; <phrase>]` speaks of the expression that its statement assigns, returns or evaluates.
A phrase is

    tensor float16 0-dim on cpu detached from self.a, x made by torch.zeros is Scale of tensor int64 plain
    not known
    in autocast float16 | in island | outside
    gradients off | gradients on
    holds a > 0, not done | holds nothing
    in loop | in no loop

In the first form all but the kind is optional and only what is written is compared. "dtype ?" and "dim ?" mean that
no dtype and no number of dimensions are known, "from nothing" that nothing of state or arguments went in, "attached"
the opposite of "detached".
`# todo: <phrase>  <reason>` is what torch does and the model does not say yet.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_KINDS = "tensor|parameter|buffer|module|container|array|number|callable|object|other|none|unknown"
_DTYPE = r"dtype \?|(?:bfloat|float|int|uint|complex)\d+\w*|bool|floating|integral|complex"
_VALUE = re.compile(
    rf"(?P<kind>{_KINDS})(?: (?P<dtype>{_DTYPE}))?(?: (?P<ndim>\d-dim|dim \?))?(?: on (?P<device>cpu))?"
    r"(?: (?P<gradient>detached|attached))?(?: from (?P<sources>[\w.]+(?:, [\w.]+)*))?(?: made by (?P<made_by>[\w.]+))?"
    rf"(?: is (?P<of>\w+))?(?: of (?P<element>(?:{_KINDS})(?: (?:{_DTYPE}))?))?"
    r"(?: (?P<registration>registered (?:parameter|buffer|module)|plain))?"
)
_REGION = re.compile(
    r"(?P<autocast>in autocast(?: (?:\w+|dtype \?))?|in island|outside)|gradients (?P<gradients>off|on)"
    r"|holds (?P<holds>.+)|(?P<loop>in loop|in no loop)"
)
_COMMENT = re.compile(r"# (?P<word>fact|todo): (?P<phrases>.+?)(?:  (?P<reason>.+))?$")

Facets = dict[str, str]


@dataclass(frozen=True)
class Claim:
    """One `# fact:` or `# todo:` comment and the statement that it is about.

    facets: what is claimed, by the name of the facet. scope: the line of the `def` around the statement, 0 at the top
    level. reason: why the model does not know what a `# todo:` says.
    """

    path: Path
    line: int
    text: str
    facets: Facets
    statement: ast.stmt
    scope: int
    is_todo: bool
    reason: str

    @property
    def expression(self) -> ast.expr | None:
        """What the statement assigns, returns or evaluates; None where there is no such expression."""
        return getattr(self.statement, "value", None)

    @property
    def attribute(self) -> ast.Attribute | None:
        """The attribute `self.x` that the statement assigns, or evaluates or returns and nothing else."""
        target: ast.AST | None = self.statement
        if isinstance(target, ast.Assign):
            target = target.targets[0]
        elif isinstance(target, ast.AnnAssign | ast.AugAssign):
            target = target.target
        elif isinstance(target, ast.Expr | ast.Return):
            target = target.value
        return target if isinstance(target, ast.Attribute) else None


def claims_in(path: Path) -> list[Claim]:
    """The claims of a facts file, in order.

    Raises ValueError, naming the line, for a comment that is not in the language.
    """
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    return [_claim(path, tree, line, found) for line, found in _comments(text)]


def _comments(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        found = _COMMENT.match(token.string) if token.type == tokenize.COMMENT else None
        if found is not None:
            yield token.start[0], found


def _claim(path: Path, tree: ast.Module, line: int, found: re.Match[str]) -> Claim:
    is_todo, reason = found["word"] == "todo", found["reason"] or ""
    if is_todo and not reason:
        raise ValueError(f"{path}:{line}: a todo needs a reason, two spaces after the fact")
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and _covers(node, line)]
    if not statements:
        raise ValueError(f"{path}:{line}: there is no statement for the fact to be about")
    functions = [node.lineno for node in statements if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    try:
        facets = parsed(found["phrases"])
    except ValueError as error:
        raise ValueError(f"{path}:{line}: {error}") from error
    return Claim(path, line, found["phrases"], facets, statements[-1], max(functions, default=0), is_todo, reason)


def _covers(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def parsed(phrases: str) -> Facets:
    """The facets that the phrases of one comment claim. Raises ValueError for a phrase that is not in the language."""
    facets: Facets = {}
    for phrase in phrases.split("; "):
        if phrase == "not known":
            facets.update(kind="unknown", dtype="?")
            continue
        found = _VALUE.fullmatch(phrase) or _REGION.fullmatch(phrase)
        if found is None:
            raise ValueError(f"cannot read the fact {phrase!r}; fact_lines.py says what a fact may say")
        claimed = {facet: text for facet, text in found.groupdict().items() if text is not None}
        facets.update({facet: text.replace("dtype ?", "?").replace("dim ?", "?") for facet, text in claimed.items()})
    return facets
