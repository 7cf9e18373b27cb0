"""What the expressions of a program were when it ran: the program is run once with each of them watched."""

from __future__ import annotations

import ast
import builtins
import json
import subprocess
import sys
import types
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import click

Place = tuple[int, int, int, int]

WATCHED = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Subscript, ast.Name, ast.Compare, ast.IfExp)
_WATCHER = "_watched_"
_LIMIT_SECONDS = 120


class Seen(NamedTuple):
    """What an expression was. kind: "tensor", "nn.Module" or the type. names: the dtype of a tensor, the class
    of a module with its bases. ndim: the number of dimensions of a tensor."""

    kind: str
    names: tuple[str, ...] = ()
    ndim: int | None = None


def place(node: ast.expr) -> Place:
    """Where an expression stands, as torchlint counts: columns from 1, the end behind the last."""
    return node.lineno, node.col_offset + 1, node.end_lineno or 0, (node.end_col_offset or 0) + 1


def recorded(path: Path) -> dict[Place, list[Seen]]:
    """What the expressions of a case file were while its demonstrate() ran; empty, with a line on stderr, where it did
    not run through."""
    program = [sys.executable, "-W", "ignore", "-m", "tests.benchmarks.known_record", str(path)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=_LIMIT_SECONDS, check=False)
    if done.returncode:
        click.echo(f"{path} did not run: {done.stderr.strip().splitlines()[-1:]}", err=True)
        return {}
    rows = json.loads(done.stdout.splitlines()[-1])
    return {tuple(where): [Seen(one[0], tuple(one[1]), one[2]) for one in found] for where, found in rows}


def record(path: Path) -> dict[Place, list[Seen]]:
    """The same in this process. Raises whatever the program raises."""
    import torch

    found: dict[Place, dict[Seen, None]] = {}

    def watched(where: Place, value: Any) -> Any:
        found.setdefault(where, {})[_seen(value, torch)] = None
        return value

    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    setattr(builtins, _WATCHER, watched)
    program = types.ModuleType(path.stem)
    program.__file__ = str(path)
    sys.modules[path.stem] = program
    tree = ast.fix_missing_locations(_Watch().visit(ast.parse(path.read_bytes())))
    exec(compile(tree, str(path), "exec"), program.__dict__)
    program.demonstrate()
    return {where: list(seen) for where, seen in found.items()}


def _seen(value: Any, torch: Any) -> Seen:
    if isinstance(value, torch.Tensor):
        return Seen("tensor", (str(value.dtype).removeprefix("torch."),), value.ndim)
    if isinstance(value, torch.nn.Module):
        return Seen("nn.Module", tuple(one.__name__ for one in type(value).__mro__))
    return Seen(type(value).__name__)


class _Watch(ast.NodeTransformer):
    """Lets each expression that is read show its value. Annotations, decorators, bases, patterns and the parts of
    f-strings stay as they are."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = [self.visit(one) for one in node.body]
        node.args.defaults = [self.visit(one) for one in node.args.defaults]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [self.visit(one) for one in node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = self.visit(node.value) if node.value is not None else None
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        return node

    def visit(self, node: ast.AST) -> Any:
        """The node, an expression that is read in a call of the watcher."""
        found = super().visit(node)
        is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        if not isinstance(node, WATCHED) or not is_read or (isinstance(node, ast.Name) and node.id == "super"):
            return found
        shown = ast.Call(ast.Name(_WATCHER, ast.Load()), [ast.Constant(place(node)), found], [])
        return ast.copy_location(shown, node)


if __name__ == "__main__":
    click.echo("\n" + json.dumps(list(record(Path(sys.argv[1])).items())))
