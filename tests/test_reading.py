"""Reading: every expression stands where LibCST's own PositionProvider puts it, and facts survive pickling."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator, Mapping
from contextlib import nullcontext, suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import libcst as cst
import pytest
from conftest import HAZARD
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from torchlint import rules
from torchlint.findings import Hit
from torchlint.model.events import Evaluated, Event, Return, Write
from torchlint.model.facts import FileFacts, Function, Outline
from torchlint.model.project import Project
from torchlint.model.terms import Constant, Imported, Operation, Place, Subscript, Term
from torchlint.reading import pieces, reader
from torchlint.reading.expressions import ExpressionReader
from torchlint.reading.outline import outline_of
from torchlint.reading.reader import read
from torchlint.reading.scope import Scope
from torchlint.source import SourceError, SourceFile

_FACTS = sorted((Path(__file__).parent / "facts").rglob("*.py"))
_TRICKY = {
    "one import in two branches": "if a:\n    import torch as t\nelse:\n    import torch as t\ndef f(): return t.x\n",
    "decorators": """\
@first(1)
@second.third[0]
# why
class Scale(Base, metaclass=Meta):
    @property
    def x(self): return self.y + 1
""",
    "calls over lines": """\
value = make(
    first(1)[0],
    *rest,
    name=other
    .attribute
    .call(),
    **more,
)
""",
    "f-strings": """\
a = f'{x!r:>{width + 1}} and {y.z}' 'more' f"{q}"; b = call(f'{x}', 1)
""",
    "tabs": """\
if x:
\ty = f(x)
\tif y:
\t\tz = x.y [ 1 ]\t+ g(\ty )
""",
    "line ends of Windows": "x = f(\r\n    a,\r\n    b + c)\r\ny = x.y\r\n",
    "line ends of old": "x = f(a)\ry = g(\r  b.c)\r",
    "byte order mark": "\ufeffx = f(a.b)\ny = x[0]\n",
    "letters of two bytes": """\
name = 'ä ö' + f(x); ünder = große.höhe(ß=1)
""",
    "emoji": """\
text = '\U0001f600\U0001f680' + call(x.y)  # \U0001f600
other = {'\U0001f600': f(x), 'e\u0301': g(y)}
""",
    "parentheses": """\
x = (((a + b)) * (c.d))
y = ((f)(x))
z = (
    a
    and (b or c)
    and not (d)
)
""",
    "tuples": """\
a = 1, 2
b = (f(1), 2)
c = ((f(1), g(2)))
d = (), (1,)
for e, (g, h) in (a, b): pass
i = x[1, (2, 3)]
""",
    "comprehensions": """\
a = [[f(y) for y in x.z if y > 1 if g(y)] for x in (h(1), 2)]
b = sum(f(x) for x in y)
c = (f(x) for x in y)
d = {k.a: v + 1 for k, v in e.items()}
""",
    "semicolons": """\
a = f(1); b = a.c; c = b[0] ; d: int = g(b); del e[f(2)]
""",
    "lambdas": """\
f = lambda x, *y, z=g(1), **w: x.a + (lambda: y)()
h(key=lambda: (i(1), 2))
""",
    "slices": """\
a = x[1:f(2), ..., None, ::-1]
b = x[:, a.b]
c = x[f(1)]
d = x[(1, 2)]
e = x[-1:]
""",
    "stars": """\
f(*a.b, c, *d(1), **e.f)
[*a, *f(1)]
{**a, 'b': c.d}
first, *rest = g(1)
""",
    "walrus": """\
if (n := f(x.y)) > 10: g(n)
while chunk := read(1): pass
[y := f(x), y ** 2]
""",
    "match": """\
match f(x).y:
    case [1, 2]:
        a = g(1)
    case {'k': v} if h(v):
        b = g(2)
    case _:
        c = x.y
""",
    "comparisons": """\
a = 1 < f(x) <= y.z != w
b = x not in f(1)
c = not x is None
""",
    "strings": """\
a = 'a' 'b' + f('c')
b = ('a'
     'b' + f(x))
c = b'0' + d
""",
    "continued lines": """\
a = f(x) \\
    + g(y)
assert a, \\
    h(a)
with f(1) as b, \\
        g(2) as c:
    pass
""",
    "numbers": """\
a = -1 + 0x10 - 1_000.5e3 * 2j
b = f(-x) ** -y
""",
    "annotations": """\
a: List[f(1)] = g(2)
def h(x: int = f(1), /, y: 'T' = g(2), *, z: A.B = (1)) -> C[D]: return x
""",
    "async": """\
async def f(x):
    async with g(x) as y:
        async for z in h(y): await z.w
    return [a async for a in x]
""",
    "conditions": """\
a = f(1) if g(2) else h(3)
b = (x if y else
     z.w)
c = d = e.f = g[0] = h(1)
""",
}


def _source(data: bytes | str) -> SourceFile:
    return SourceFile("sample.py", data.encode() if isinstance(data, str) else data)


def _facts(source: SourceFile) -> FileFacts:
    return read(source, ast.parse(source.data))


# Places


@pytest.mark.parametrize("text", _TRICKY.values(), ids=list(_TRICKY))
def test_expressions_stand_where_libcst_puts_them(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _misplaced(_source(text), monkeypatch) == []


def test_columns_of_a_latin_1_file_count_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    source = _source("# coding: latin-1\nname = 'ä ö ü' + f(x.y); größe = g(ß)\n".encode("latin-1"))
    assert _misplaced(source, monkeypatch) == []


def test_a_form_feed_takes_a_column() -> None:
    # LibCST leaves it out of its columns; editors and SARIF viewers count it.
    facts = _facts(_source("a = f(1)\n\x0cb = g(2)\n"))
    assert [term.place for term in (facts.names["a"], facts.names["b"])] == [(1, 5, 1, 9), (2, 6, 2, 10)]


@pytest.mark.parametrize("path", _FACTS, ids=lambda path: path.name)
def test_expressions_of_a_real_file_stand_where_libcst_puts_them(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _misplaced(SourceFile.load(path), monkeypatch) == []


def _misplaced(source: SourceFile, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Place, Place]]:
    """The expressions (as code) that the reader puts elsewhere than LibCST, with both places: ours, then LibCST's."""
    modules: list[cst.Module] = []
    places: list[tuple[cst.CSTNode, Place]] = []
    parse, listen = cst.parse_module, ExpressionReader.read

    def parse_and_keep(data: bytes) -> cst.Module:
        modules.append(parse(data))
        return modules[-1]

    def read_and_note(reader: ExpressionReader, node: cst.BaseExpression, tree: ast.AST | None) -> Any:
        if tree is not None:
            places.append((node, reader.place_of(node, tree)))
        return listen(reader, node, tree)

    monkeypatch.setattr(cst, "parse_module", parse_and_keep)
    # LibCST finds places by writing the code again, and for that it needs the blanks.
    monkeypatch.setattr(reader, "_without_blanks", nullcontext)
    monkeypatch.setattr(ExpressionReader, "read", read_and_note)
    _facts(source)
    ranges = MetadataWrapper(modules[0], unsafe_skip_copy=True).resolve(PositionProvider)
    assert places
    right = [_place_by_libcst(node, ranges) for node, _ in places]
    pairs = zip(places, right, strict=True)
    return [(modules[0].code_for_node(node), ours, theirs) for (node, ours), theirs in pairs if ours != theirs]


def _place_by_libcst(node: cst.CSTNode, ranges: Mapping[cst.CSTNode, CodeRange]) -> Place:
    """The place of a node by LibCST; ast and we count the parentheses of tuples and generators in."""
    start, end, margin = ranges[node].start, ranges[node].end, 0
    if isinstance(node, cst.Tuple | cst.GeneratorExp) and node.lpar:
        start, end = ranges[node.lpar[-1]].start, ranges[node.rpar[0]].end
    elif isinstance(node, cst.GeneratorExp):
        margin = 1
    return start.line, start.column + 1 - margin, end.line, end.column + 1 + margin


@pytest.mark.parametrize("text", [_TRICKY[name] for name in ("calls over lines", "slices", "semicolons", "emoji")])
def test_a_file_that_ast_refuses_has_the_same_places(text: str) -> None:
    source = _source(text)
    assert _event_places(read(source, None).top) == _event_places(_facts(source).top)


def _event_places(function: Function) -> list[Place]:
    return [place for event in function.events for place in _places_of(event)]


def _places_of(event: Event) -> Iterator[Place]:
    if isinstance(event, Evaluated):
        yield event.term.place
    elif isinstance(event, Write | Return):
        yield event.value.place


@pytest.mark.parametrize("text", _TRICKY.values(), ids=list(_TRICKY))
def test_blanks_make_no_difference(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    without = _event_places(_facts(_source(text)).top)
    monkeypatch.setattr(reader, "_without_blanks", nullcontext)
    assert without == _event_places(_facts(_source(text)).top)


@pytest.mark.parametrize("text", ["a = f( x )  # here\n", "a = = b\n"])
def test_after_reading_libcst_makes_blanks_again(text: str) -> None:
    with suppress(SourceError):
        reader._code_of(_source(text))
    assert cst.parse_module("a = f( x )  # here\n").code == "a = f( x )  # here\n"


def test_definitions_stand_at_their_name_below_the_decorators() -> None:
    facts = _facts(_source(_TRICKY["decorators"] + "@d\nasync def g(): pass\n"))
    scale = facts.classes["Scale"]
    assert (scale.place, scale.methods["x"].place) == ((4, 1, 4, 12), (6, 5, 6, 10))
    assert facts.functions["g"].place == (8, 1, 8, 12)


def test_an_assignment_over_lines_stands_at_its_target() -> None:
    facts = _facts(_source("class A:\n    def f(self):\n        self.x = g(\n            1)\n        self.y = 2\n"))
    writes = [event.place for event in facts.classes["A"].methods["f"].events if isinstance(event, Write)]
    assert writes == [(3, 9, 3, 15), (5, 9, 5, 19)]


# Pieces


@pytest.mark.parametrize("text", _TRICKY.values(), ids=list(_TRICKY))
def test_pieces_give_the_facts_of_the_whole(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _described(_in_pieces(_source(text), monkeypatch)) == _described(_facts(_source(text)))


@pytest.mark.parametrize("path", _FACTS, ids=lambda path: path.name)
def test_pieces_of_a_real_file_give_its_facts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _described(_facts(SourceFile.load(path)))
    _cut_everything(monkeypatch)
    assert _described(_facts(SourceFile.load(path))) == whole


def test_a_function_in_a_piece_knows_the_imports_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = _in_pieces(_source("def f():\n    return pack.x\n\nimport torch as pack\n"), monkeypatch)
    (returned,) = facts.functions["f"].returned
    assert isinstance(returned.value, Imported)
    assert returned.value.name == "torch.x"


def test_what_follows_an_early_end_is_guarded_in_the_next_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = _in_pieces(_source("assert a.b\nx = f(1)\ny = g(2)\n"), monkeypatch)
    assert [event.region is not None for event in facts.top.events] == [False, True, True]


def test_a_file_that_pieces_may_show_otherwise_is_read_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two functions make a class of one name: which is the second depends on the order.
    text = "def f():\n    class A: pass\ndef f():\n    class A(B): pass\n"
    whole = _described(_facts(_source(text)))
    _cut_everything(monkeypatch)
    parsed = _texts_parsed(monkeypatch)
    assert _described(_facts(_source(text))) == whole
    assert parsed[-1] == text.encode()


def test_of_a_long_file_no_more_than_a_piece_is_parsed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = _texts_parsed(monkeypatch)
    text = HAZARD + "\n\n" + "".join(f"def f{number}(x):\n    return x + 1\n\n\n" for number in range(4_000))
    facts = _facts(_source(text))
    assert len(facts.functions) == 4_000
    assert "".join(parsed) == text
    assert max(map(len, parsed)) < len(text) / 3


def _cut_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_PIECE_LETTERS", 1)
    monkeypatch.setattr(reader, "WHOLE_BELOW_BYTES", 0)


def _in_pieces(source: SourceFile, monkeypatch: pytest.MonkeyPatch) -> FileFacts:
    """The facts of a file that is cut wherever it can be, and can be read so."""
    _cut_everything(monkeypatch)
    tree = ast.parse(source.data)
    outline = outline_of(tree, source)
    facts = reader._read_in_pieces(source, tree, outline)
    assert facts is not None
    facts.outline = outline
    return facts


def _texts_parsed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What LibCST is given from now on."""
    texts: list[Any] = []
    parse = cst.parse_module

    def note(text: Any) -> cst.Module:
        texts.append(text)
        return parse(text)

    monkeypatch.setattr(cst, "parse_module", note)
    return texts


def _described(facts: FileFacts) -> list[object]:
    """All that facts hold, and what in them is one and the same object."""
    numbers: dict[int, int] = {}
    lines: list[object] = []

    def describe(value: Any) -> None:
        if id(value) in numbers:
            lines.append(numbers[id(value)])
            return
        parts = _parts(value)
        if isinstance(value, dict) or is_dataclass(value):
            numbers[id(value)] = len(numbers)
        lines.append(repr(value) if parts is None else (type(value).__name__, *parts))
        for part in (parts or {}).values():
            describe(part)

    describe(facts)
    return lines


def _parts(value: Any) -> dict[Any, Any] | None:
    """What a value holds, by name or number; None for one that is described by its text."""
    if isinstance(value, tuple):
        return dict(enumerate(value))
    if isinstance(value, dict):
        return value
    if is_dataclass(value) and not isinstance(value, Outline):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    return None


# Depth


def test_a_term_is_not_taken_for_one_that_is_gone() -> None:
    scope = Scope(None, "", is_top=True)
    for number in range(60):
        scope.bind(f"x{number}", Constant((1, 1, 1, 1), number))
    deep: Term = Constant((1, 1, 1, 1), 0)
    for _ in range(90):
        deep = Operation((1, 1, 1, 1), "-", (deep,))
    scope.bind("deep", deep)
    del deep
    shallow = [Operation((1, 1, 1, 1), "-", ()) for _ in range(200)]
    for term in shallow:
        scope.bind("x", term)
        assert scope.variables["x"] is term


# Pickling


@pytest.mark.parametrize("path", _FACTS, ids=lambda path: path.name)
def test_facts_that_were_pickled_give_the_same_findings(path: Path) -> None:
    facts = _facts(SourceFile.load(path))
    assert _hits(pickle.loads(pickle.dumps(facts))) == _hits(facts)


def test_facts_that_were_pickled_still_give_a_finding() -> None:
    facts = _facts(_source(HAZARD))
    hits = _hits(pickle.loads(pickle.dumps(facts)))
    assert [code for code, _ in hits] == ["TL101"]
    assert hits == _hits(facts)


def test_pickling_keeps_what_terms_share() -> None:
    facts: FileFacts = pickle.loads(pickle.dumps(_facts(_source("x = f(1)\ny = x + x\n"))))
    total = facts.names["y"]
    assert isinstance(total, Operation)
    assert total.parts[0] is total.parts[1] is facts.names["x"]


def _hits(facts: FileFacts) -> list[tuple[str, Hit]]:
    project = Project({facts.path: facts})
    return list(rules.judge(rules.load().values(), project, [facts.path]))


@pytest.mark.parametrize(
    "change",
    [
        "    keep.items = items\n    keep.renew()\n",
        "    keep.renew([items])\n",
        "    keep.renew(lambda: items.clear())\n",
        "    def renew():\n        items['key'] = 3\n    renew()\n",
        "    (items if keep else {})['key'] = 3\n",
        "    for one in [items]:\n        one['key'] = 3\n",
    ],
)
def test_an_item_of_a_dict_is_not_known_once_something_else_may_have_changed_it(change: str) -> None:
    text = f"def run(keep, x):\n    items = {{}}\n    items['key'] = x\n{change}    return items['key']\n"
    facts = read(SourceFile("items.py", text.encode()), ast.parse(text))
    assert isinstance(facts.functions["run"].returned[-1].value, Subscript)


@pytest.mark.parametrize("change", ["self.close()", "self.enter_context(x)"])
def test_a_method_that_is_called_like_one_of_a_stack_may_change_the_object(change: str) -> None:
    text = f"def run(self, x):\n    self.kept = x\n    {change}\n    return self.kept\n"
    facts = read(SourceFile("items.py", text.encode()), ast.parse(text))
    assert facts.functions["run"].returned[-1].value.known is None  # type: ignore[attr-defined]
