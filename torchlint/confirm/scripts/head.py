"""What all scripts about a line begin with: what is called and how, and where its line is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from torchlint.confirm.plan import Claim, Job

Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a script is to see again. evidence: the sentence of the verdict. facts: what the probe saw."""

    job: Job
    claim: Claim
    facts: Facts
    evidence: str

    @property
    def is_of_device(self) -> bool:
        """True for what is seen on a device alone."""
        return self.claim.code == "TL204"

    @property
    def harm(self) -> Facts:
        """What went wrong; {} where the facts hold it elsewhere."""
        return next(iter([*self.facts.get("harm", ()), *self.facts.get("lowered", ())]), {})

    @property
    def lines(self) -> list[int]:
        """The lines of the finding, and that at which the harm was seen."""
        first, last = self.claim.line, max(self.claim.line, self.claim.last_line)
        return sorted({self.harm.get("line") or first, *range(first, last + 1)})


HEAD = '''\
"""Repeats what torchlint saw. Exit code 0: it was seen again, 1: it was not.

{evidence}
"""

{imports}
sys.path[:0] = {roots!r}


def region_on_the_cpu(region, device_type, dtype=None, *given, **named):
    """Regions for CUDA are opened on the CPU where there is no CUDA, in the dtype that they have there."""
    is_away = device_type != "cpu" and not torch.cuda.is_available()
    dtype = dtype or (torch.float16 if is_away else None)
    open_region(region, "cpu" if is_away else device_type, dtype, *given, **named)


open_region, torch.autocast.__init__ = torch.autocast.__init__, region_on_the_cpu
checked = import_module({module!r})
torch.save = lambda *given, **named: None
FILE, LINES = os.path.realpath(checked.__file__), {lines!r}

{standins}
def target():
    """What is called, with noise on its parameters."""
    torch.manual_seed({seeds[0]})
    owner = {build}
    if isinstance(owner, nn.Module):
        with torch.no_grad():
            for parameter in owner.parameters():
                if parameter.is_floating_point():
                    parameter.add_(torch.randn_like(parameter), alpha=0.1)
        owner.eval(){converted}
    return owner{member}

{arguments}

def prepared():
    """What is called, and its arguments."""
    torch.manual_seed({seeds[1]})
    given, named = arguments({call})
    return target(), given, named


def call():
    """Call it."""
    function, given, named = prepared()
    torch.manual_seed({seeds[2]})
    with torch.enable_grad():
        return function(*given, **named)


def is_at_line():
    """Whether the innermost frame of the file is at the line."""
    frame = sys._getframe(1)
    while frame is not None and os.path.realpath(frame.f_code.co_filename) != FILE:
        frame = frame.f_back
    return frame is not None and frame.f_lineno in LINES

'''
_ARGUMENTS = '''
def arguments(*given, **named):
    """The arguments of a call, by position and by name."""
    return given, named
'''
_PLACED = '''
def arguments(*given, **named):
    """The arguments of a call, by position and by name, {how}."""
    return placed(given), placed(named)


def placed(value):
    """The same for one argument."""
    if isinstance(value, dict):
        return type(value)((name, placed(one)) for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return type(value)(placed(one) for one in value)
    return value{to} if isinstance(value, torch.Tensor){condition} else value
'''
TAIL = """

sys.exit(0 if is_seen() else 1)
"""
_HIDDEN = 'os.environ["CUDA_VISIBLE_DEVICES"] = ""  # what is repeated was seen on the CPU'
# What is imported, by a word that stands in the script where it is needed; "" where it always is.
_IMPORTS = (
    ("import copy", "copy."),
    ("import os", ""),
    ("import re", "re."),
    ("import sys", ""),
    ("from contextlib import nullcontext", "nullcontext("),
    ("from importlib import import_module", ""),
)
_TORCH = (
    ("import torch", ""),
    ("from torch import nn", ""),
    ("from torch.overrides import TorchFunctionMode", "(TorchFunctionMode)"),
)
RECORD = '''
class Record(dict):
    """A dict whose entries are attributes as well."""

    def __getattr__(self, name):
        """The entry of that name."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

'''
SMALL_MODEL = r'''
class Counted(nn.Module):
    """What a module may hold that is no weight."""

    def __init__(self):
        super().__init__()
        self.register_buffer("num_batches_tracked", torch.tensor(4099))
        self.register_buffer("position_ids", torch.arange(4099))
        self.register_buffer("seen", torch.ones(32, dtype=torch.bool))
        self.register_buffer("scale", torch.ones(32))


class SmallModel(nn.Module):
    """Stands in for a model: a layer, what is no weight, and parts by whatever usual name."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(32, 32)
        self.counted = Counted()
        self.register_buffer("step", torch.tensor(4099))

    def forward(self, x, *rest, **named):
        """What the layer makes of the first input."""
        return self.layer(x)

    def __getattr__(self, name):
        """A part; a new layer where there is none of a name that parts have."""
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name.startswith("_") or not PARTS.search(name):
                raise
        setattr(self, name, nn.Linear(32, 32))
        return getattr(self, name)


PARTS = re.compile(r"head|norm|proj|^fc\d?$|layers?$|encoder|decoder|backbone|embed|body|classifier|trunk|neck")

'''
_LOAD = """
torch.load = lambda *given, **named: SmallModel().state_dict()

"""


def script_of(seen: Seen, body: str) -> str:
    """The whole script. body: the text that defines is_seen(), by means of call(), prepared() and is_at_line()."""
    code, seed = seen.facts["code"], seen.facts["seed"]
    standins = _standins(f"{code['build']} {code['call']}", is_loading=bool(code.get("loads")))
    head = HEAD.format(
        evidence=seen.evidence.replace("\\", "\\\\").replace('"""', "'''"),
        imports=_imports(standins + body, is_hidden="IS_REAL" not in body),
        roots=list(seen.job.roots),
        module=seen.job.module,
        lines=seen.lines,
        standins=standins,
        seeds=(seed, seed + 100, seed + 7),
        build=code["build"],
        member=code["member"],
        call=code["call"],
        converted=f"\n        owner{_to(seen)}" if _to(seen) else "",
        arguments=_arguments(seen),
    )
    return head + body + TAIL


def _to(seen: Seen) -> str:
    """The conversion of the module and its inputs, ".to(torch.float16)"; "" for none."""
    converted = seen.facts.get("converted")
    return '.to("cuda")' if seen.is_of_device else f".to({converted})" if converted else ""


def _arguments(seen: Seen) -> str:
    """The function that gives the arguments as the call gets them."""
    if seen.is_of_device:
        return _PLACED.format(how="on the device", to=_to(seen), condition="")
    if _to(seen):
        is_floating = " and value.is_floating_point()"
        return _PLACED.format(how="in the dtype that the finding speaks of", to=_to(seen), condition=is_floating)
    # The call of the verdict had them in plain memory order.
    is_expanded = ".expand(" in seen.facts["code"]["call"]
    return _PLACED.format(how="in plain order", to=".contiguous()", condition="") if is_expanded else _ARGUMENTS


def _imports(text: str, *, is_hidden: bool) -> str:
    usual, of_torch = ([line for line, word in part if word in text] for part in (_IMPORTS, _TORCH))
    return "\n".join([*usual, "", *([_HIDDEN, ""] if is_hidden else []), *of_torch, ""])


def _standins(expressions: str, *, is_loading: bool) -> str:
    """The classes that the expressions name, and what stands for a file that is loaded."""
    model = SMALL_MODEL if is_loading or "SmallModel(" in expressions else ""
    return f"{RECORD if 'Record(' in expressions else ''}{model}{_LOAD if is_loading else ''}"
