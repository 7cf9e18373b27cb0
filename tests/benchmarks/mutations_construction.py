"""Mutations of good modules and training code: tensors lose the device or the dtype that they were given."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.benchmarks.mutations_pages import Edit
from tests.benchmarks.mutations_syntax import Definition, Mutation, Swap, calls, expression, methods, text_of

_FACTORY = r"torch\.(zeros|ones|arange|randn|rand|full|linspace|eye)"
_FOLLOWS = re.compile(r"(\w+)\.device")


def _forwards(definition: Definition) -> Iterator[ast.AST]:
    for owner in ast.walk(definition):
        if isinstance(owner, ast.ClassDef):
            yield from (method for method in methods(owner) if method.name == "forward")


def _factories(definition: Definition) -> Iterator[tuple[ast.Call, ast.keyword]]:
    """The factories of a forward pass that follow the device of something, with more than one element for certain."""
    for function in _forwards(definition):
        for call in calls(function, _FACTORY):
            for keyword in call.keywords:
                if keyword.arg == "device" and _FOLLOWS.fullmatch(text_of(keyword.value)) and call.args:
                    yield call, keyword


def without_device(definition: Definition) -> Iterator[Swap]:
    """A factory of a forward pass, without its device=."""
    for _, keyword in _factories(definition):
        yield {keyword: None}


def pinned_to_cuda(definition: Definition) -> Iterator[Swap]:
    """The same, on a device by its name."""
    for _, keyword in _factories(definition):
        yield {keyword.value: expression("'cuda'")}


def moved_by_cuda(definition: Definition) -> Iterator[Swap]:
    """The same, moved by .cuda()."""
    for call, keyword in _factories(definition):
        kept = ast.Call(call.func, call.args, [one for one in call.keywords if one is not keyword])
        yield {call: ast.Call(ast.Attribute(kept, "cuda", ast.Load()), [], [])}


def new_to_factory(definition: Definition) -> Iterator[Swap]:
    """x.new_zeros(..) becomes torch.zeros(..)."""
    for function in _forwards(definition):
        for call in calls(function, r"\w+\.new_(zeros|ones|full|empty)"):
            if isinstance(call.func, ast.Attribute):
                name = call.func.attr.removeprefix("new_")
                kept = [one for one in call.keywords if one.arg != "device"]
                yield {call: ast.Call(expression(f"torch.{name}"), call.args, kept)}


def without_move(definition: Definition) -> Iterator[Swap]:
    """A factory that is moved to the device of something, and no more."""
    for function in _forwards(definition):
        for call in calls(function, r".*\.to"):
            made = call.func.value if isinstance(call.func, ast.Attribute) else None
            is_made = isinstance(made, ast.Call) and re.fullmatch(_FACTORY, text_of(made.func)) is not None
            if is_made and len(call.args) == 1 and _FOLLOWS.fullmatch(text_of(call.args[0])):
                yield {call: made}


def without_float32(definition: Definition) -> Iterator[Swap]:
    """A float64 array of NumPy that enters torch without the dtype that made it float32."""
    for call in calls(definition, r"torch\.(tensor|as_tensor)"):
        is_drawn = bool(call.args) and re.match(r"np\.(random\.\w+|linspace|ones|zeros)\(", text_of(call.args[0]))
        for keyword in call.keywords if is_drawn else ():
            if keyword.arg == "dtype" and text_of(keyword.value) in ("torch.float32", "torch.float"):
                yield {keyword: None}


MUTATIONS = (
    Mutation("TL204", "no device=", without_device),
    Mutation("TL204", "torch.zeros() for new_zeros()", new_to_factory),
    Mutation("TL204", "no .to(x.device)", without_move),
    Mutation("TL207", "device='cuda'", pinned_to_cuda),
    Mutation("TL207", ".cuda()", moved_by_cuda),
    Mutation("TL203", "no dtype=", without_float32),
)


def _edit(code: str, name: str, *pairs: tuple[str, str]) -> Edit:
    return Edit(code, 1, name, pairs)


_PLACES = "places = torch.arange(ids.shape[1], device=ids.device)"
_FIRST = "first = self.words.weight.new_zeros(1, ids.shape[0], self.dim)"
_NOISE = "noise = torch.randn(x.shape, device=x.device)"
_WEIGHT = "torch.tensor(share, dtype=torch.float32)"

EDITS = (
    _edit("TL204", "no device=", (", device=ids.device", "")),
    _edit("TL204", "a list", (_PLACES, "places = torch.tensor(list(range(ids.shape[1])))")),
    _edit("TL204", "device=None", (_PLACES, "places = torch.arange(ids.shape[1], device=None)")),
    _edit("TL204", "a legacy tensor", (_PLACES, "places = torch.LongTensor(range(ids.shape[1]))")),
    _edit("TL204", "a cast that moves nothing", (_FIRST, "first = torch.zeros(1, len(ids), self.dim).float()")),
    _edit(
        "TL204",
        "a helper",
        (_FIRST, "first = self.start(len(ids))"),
        (
            "    def forward",
            "    def start(self, size: int):\n        return torch.zeros(1, size, self.dim)\n\n    def forward",
        ),
    ),
    _edit("TL207", ".cuda()", (_NOISE, "noise = torch.randn(x.shape).cuda()")),
    _edit("TL207", "a text", (_NOISE, "noise = torch.randn(x.shape, device='cuda')")),
    _edit(
        "TL207",
        "a local device",
        (
            _NOISE,
            "place = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"
            "        noise = torch.randn(x.shape).to(place)",
        ),
    ),
    _edit("TL207", "a CUDA type", (_NOISE, "noise = torch.cuda.FloatTensor(x.shape).normal_()")),
    _edit(
        "TL207",
        "in a test for CUDA",
        (
            _NOISE,
            "noise = torch.randn(x.shape)\n        if torch.cuda.is_available():\n            noise = noise.cuda()",
        ),
    ),
    _edit("TL203", "no dtype", (_WEIGHT, "torch.tensor(share)")),
    _edit("TL203", "as_tensor", (_WEIGHT, "torch.as_tensor(share)")),
    _edit("TL203", "from_numpy", (_WEIGHT, "torch.from_numpy(share)")),
    _edit("TL203", "cast to the wrong width", (_WEIGHT, "torch.from_numpy(share.astype(float))")),
    _edit("TL203", "scalars", (_WEIGHT, "torch.tensor([np.float64(one) for one in share])")),
)
