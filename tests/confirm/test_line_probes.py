"""Small programs whose line is run: what proves a finding there, and what does not. The line is marked `# here`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from torchlint.confirm import Limits, Orders, confirm
from torchlint.findings import Confidence, Finding, Severity, Verdict
from torchlint.source import Span

pytest.importorskip("torch")

CONFIRMED, REFUTED, INCONCLUSIVE = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.INCONCLUSIVE
HEAD = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\n"
HALF = "{} (the module is converted to half)"
OVERFLOW = HALF.format("masked_fill() with -1e+09 raises for float16, which cannot hold it")
EPS = HALF.format("1e-10 is zero in float16: + keeps nothing away from zero, and the result is inf or nan")
IGNORED = "cast to float32 feeds @, which autocast runs in its lower precision all the same: the cast has no effect"
NARROW = "cast to float16 inside autocast overrides the dtype that autocast chose: values lose range"
NARROW_BF16 = NARROW.replace("float16", "bfloat16")
DOUBLE = "cast to float64 feeds layer, which raises: autocast leaves float64 alone and lowers the other operand"
BLANKET = "every value of Module.state_dict() becomes float16, integers and masks too"
ISLAND = "autocast lowers the gradient of head, which an island keeps in float32"
CLIP = "clip_grad_norm_() sees gradients that still carry the loss scale"
RAW = "the optimizer steps with gradients of a loss that line 8 scaled"
TWICE = "no update() of the scaler follows this step(): the second step() raises"


@dataclass(frozen=True)
class Program:
    """A program with a claim about the line that is marked. said: what the evidence must say."""

    idea: str
    code: str
    symbol: str
    source: str
    verdict: Verdict
    text: str = ""
    said: str = ""


PROGRAMS = (
    # TL201
    Program(
        "a legacy constructor makes floats of ids",
        "TL201",
        "rows_of",
        """
def rows_of(state: torch.Tensor, seen: list[int]):
    rows = torch.Tensor(seen)  # here
    return state[rows]
""",
        CONFIRMED,
        said="a subscript at line 9 gets a torch.float32 from line 8",
    ),
    Program(
        "the input was only guessed to be floating",
        "TL201",
        "picked",
        """
def picked(table, rows):
    rows = rows.flatten()  # here
    return table[rows]
""",
        INCONCLUSIVE,
    ),
    Program(
        "a quotient is floating whatever the input is",
        "TL201",
        "halves",
        """
def halves(table, rows):
    rows = rows.flatten() / 2  # here
    return table[rows]
""",
        CONFIRMED,
    ),
    Program(
        "the error is caught",
        "TL201",
        "tried",
        """
def tried(table: torch.Tensor):
    rows = torch.Tensor([0, 1])  # here
    try:
        return table[rows]
    except IndexError:
        return table[rows.long()]
""",
        INCONCLUSIVE,
    ),
    Program(
        "a number of Python is no index either",
        "TL201",
        "middle",
        """
def middle(x: torch.Tensor):
    half = len(x) / 2  # here
    return x[half]
""",
        CONFIRMED,
        said="Python float",
    ),
    Program(
        "the values of an assignment are no index",
        "TL201",
        "put",
        """
def put(x):
    return x.long().index_put_((torch.arange(2),), torch.ones(2))  # here
""",
        INCONCLUSIVE,
    ),
    Program(
        "the constructor makes the table",
        "TL201",
        "Ordered.forward",
        """
class Ordered(nn.Module):
    def __init__(self, order: list[int]):
        super().__init__()
        self.register_buffer("order", torch.Tensor(order))  # here

    def forward(self, x):
        return x[self.order]
""",
        CONFIRMED,
    ),
    Program(
        "what is taken from may be no tensor",
        "TL201",
        "picked",
        """
def picked(table):
    return table.take(torch.rand(2))  # here
""",
        INCONCLUSIVE,
    ),
    Program(
        "a class of the file is not a tensor",
        "TL201",
        "picked",
        """
class Table:
    def take(self, amount):
        return amount


def picked(table: Table):
    return table.take(torch.rand(2))  # here
""",
        INCONCLUSIVE,
    ),
    Program(
        "a dict takes a quotient as a key",
        "TL201",
        "looked_up",
        """
def looked_up(table, total, count):
    return table[total / count]  # here
""",
        INCONCLUSIVE,
    ),
    Program(
        "a dict takes a Parameter as a key",
        "TL201",
        "Looked.forward",
        """
class Looked(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))  # here

    def forward(self, state):
        return state[self.weight]
""",
        INCONCLUSIVE,
    ),
    Program(
        "the other value of a flag does no harm",
        "TL201",
        "rows",
        """
def rows(table: torch.Tensor, exact: bool):
    steps = torch.linspace(0, 1, 2)  # here
    if exact:
        steps = steps.long()
    return table[steps]
""",
        INCONCLUSIVE,
        said="with exact=True it does not",
    ),
    Program(
        "scores of two dimensions take such targets",
        "TL201",
        "loss",
        """
def loss(logits):
    target = torch.full((logits.shape[0], logits.shape[-1]), 0.25)  # here
    return F.cross_entropy(logits, target)
""",
        INCONCLUSIVE,
    ),
    Program(
        "a row of two dimensions lies in one piece",
        "TL205",
        "flat",
        """
def flat(x: torch.Tensor):
    return x.transpose(0, 1)[0].view(-1)  # here
""",
        INCONCLUSIVE,
        said="and with x=2x32 it does not",
    ),
    Program(
        "what a stand-in gives is in no order that counts",
        "TL205",
        "flat",
        """
def flat(model, x: torch.Tensor):
    return model(x).transpose(1, 2).view(x.size(0), -1)  # here
""",
        INCONCLUSIVE,
    ),
    Program(
        "inputs of every other size show it too",
        "TL205",
        "flat",
        """
def flat(x: torch.Tensor):
    batch, length, width = x.shape
    return x.transpose(1, 2).view(batch, length * width)  # here
""",
        CONFIRMED,
    ),
    Program(
        "a number can be multiplied as well",
        "TL302",
        "nanoseconds",
        """
def nanoseconds(seconds):
    return seconds * 1e9  # here
""",
        INCONCLUSIVE,
        text=HALF.format("1e+09 becomes an infinity in float16, by * and without a warning"),
    ),
    Program(
        "a list can be written to as well",
        "TL302",
        "barred",
        """
def barred(costs, at):
    costs[at] = 1e9  # here
    return costs
""",
        INCONCLUSIVE,
        text=HALF.format("1e+09 becomes an infinity in float16, by [] = and without a warning"),
    ),
    Program(
        "what is cast joins its own kind",
        "TL401",
        "joined",
        """
def joined(a: torch.Tensor):
    total = torch.zeros(2, 16, dtype=torch.float16)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        total += a.sum(-1).half()  # here
    return total
""",
        INCONCLUSIVE,
        text=NARROW,
    ),
    Program(
        "the other value of a flag goes on and fails elsewhere",
        "TL201",
        "rows",
        """
def rows(table: torch.Tensor, exact: bool):
    steps = torch.linspace(0, 4000, 3)  # here
    if exact:
        steps = steps.long()
    return table[steps]
""",
        INCONCLUSIVE,
    ),
    Program(
        "a list may hold rows of shares",
        "TL201",
        "loss",
        """
def loss(logits: torch.Tensor, rows: list):
    target = torch.tensor(rows, dtype=torch.float32)  # here
    return F.cross_entropy(logits, target)
""",
        INCONCLUSIVE,
    ),
    Program(
        "two dimensions may keep their last size",
        "TL205",
        "flat",
        """
def flat(x):
    return x.transpose(-2, -1).view(-1, 3)  # here
""",
        INCONCLUSIVE,
    ),
    Program(
        "three dimensions may be all that comes in",
        "TL205",
        "grid",
        """
def grid(x, rows):
    turned = x.transpose(1, 2)
    return turned.view(*turned.shape[:2], rows, -1)  # here
""",
        INCONCLUSIVE,
    ),
    # TL204
    Program(
        "a row is made on the CPU",
        "TL204",
        "Padding.forward",
        """
class Padding(nn.Module):
    def forward(self, x):
        row = torch.zeros(x.size(0), 1)  # here
        return torch.cat((row, x.flatten(1)), dim=1)
""",
        CONFIRMED,
        said="cat at line 10 gets what line 9 made on the CPU",
    ),
    Program(
        "the row is moved before it is used",
        "TL204",
        "Padding.forward",
        """
class Padding(nn.Module):
    def forward(self, x):
        row = torch.zeros(x.size(0), 1)  # here
        return torch.cat((row.to(x.device), x.flatten(1)), dim=1)
""",
        INCONCLUSIVE,
    ),
    Program(
        "a single number meets any device, what it is multiplied with does not",
        "TL204",
        "Gain.forward",
        """
class Gain(nn.Module):
    def forward(self, x):
        gain = torch.tensor(2.0)  # here
        steps = torch.arange(x.size(-1)) * gain
        return x + steps
""",
        INCONCLUSIVE,
    ),
    Program(
        "a method that only the constructor calls",
        "TL204",
        "Sized.width",
        """
class Sized(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.head = nn.Linear(self.width(), 2)

    def width(self):
        return self.conv(torch.zeros(1, 3, 8, 8)).flatten(1).shape[1]  # here

    def forward(self, x):
        return self.head(self.conv(x).flatten(1))
""",
        INCONCLUSIVE,
    ),
    Program(
        "a helper whose caller keeps it on the CPU",
        "TL204",
        "ramp",
        """
def ramp(places, width: int):
    return places * torch.arange(width)  # here


def on_the_cpu(width: int):
    return ramp(torch.ones(width), width).tolist()
""",
        INCONCLUSIVE,
    ),
    Program(
        "a collate function works on data of the CPU",
        "TL204",
        "collate",
        """
def collate(batch: list[torch.Tensor]):
    return torch.cat([torch.zeros(1), *(one.flatten() for one in batch)])  # here
""",
        INCONCLUSIVE,
    ),
    # TL205
    Program(
        "a transposed tensor is merged",
        "TL205",
        "flat",
        """
def flat(x: torch.Tensor):
    turned = x.transpose(0, 1)
    return turned.view(-1)  # here
""",
        CONFIRMED,
        said="runs on a contiguous copy",
    ),
    Program(
        "the sizes do not fit, whatever the order",
        "TL205",
        "flat",
        """
def flat(x: torch.Tensor):
    return x.view(7, 11, 13)  # here
""",
        INCONCLUSIVE,
    ),
    # TL301
    Program(
        "all values of a state are halved",
        "TL301",
        "export",
        """
def export(model, path):
    torch.save({name: value.half() for name, value in model.state_dict().items()}, path)  # here
""",
        CONFIRMED,
        text=BLANKET,
        said="its values are not what they were",
    ),
    Program(
        "a test of the dtype stands before the conversion",
        "TL301",
        "export",
        """
def export(model, path):
    state = model.state_dict()
    half = {name: value.half() if value.is_floating_point() else value for name, value in state.items()}  # here
    torch.save(half, path)
""",
        REFUTED,
        text=BLANKET,
    ),
    Program(
        "no integer came by, which refutes nothing",
        "TL301",
        "export",
        """
def export(model, path):
    torch.save([value.half() for value in model.parameters()], path)  # here
""",
        INCONCLUSIVE,
        text=BLANKET,
    ),
    Program(
        "an average in place meets a counter",
        "TL301",
        "average",
        """
@torch.no_grad()
def average(shadow, model):
    current = model.state_dict()
    for name, value in shadow.state_dict().items():
        value.mul_(0.9).add_(current[name] * 0.1)  # here
""",
        CONFIRMED,
        text="in-place arithmetic meets every value of Module.state_dict(), integers too",
        said="can't be cast",
    ),
    # TL302
    Program(
        "a mask value is out of range",
        "TL302",
        "masked",
        """
def masked(scores, pad: torch.BoolTensor):
    return scores.masked_fill(pad, -1e9)  # here
""",
        CONFIRMED,
        text=OVERFLOW,
        said="masked_fill at line 8 raises",
    ),
    Program(
        "the scores are made float32 before",
        "TL302",
        "masked",
        """
def masked(scores, pad: torch.BoolTensor):
    return scores.float().masked_fill(pad, -1e9)  # here
""",
        INCONCLUSIVE,
        text=OVERFLOW,
    ),
    Program(
        "the caller of a helper decides about the dtype",
        "TL302",
        "masked",
        """
def masked(scores, pad: torch.BoolTensor):
    return scores.masked_fill(pad, -1e9)  # here


def softmax(scores, pad: torch.BoolTensor):
    return masked(scores.float(), pad).softmax(-1)
""",
        INCONCLUSIVE,
        text=OVERFLOW,
    ),
    Program(
        "an error is no proof of a counter",
        "TL302",
        "masked",
        """
def masked(scores, pad: torch.BoolTensor):
    return scores.masked_fill(pad, -1e9)  # here
""",
        INCONCLUSIVE,
        text="the counter counts in float16 and stops at 2048: from there on adding 1 changes nothing",
    ),
    Program(
        "a product overflows without a word",
        "TL302",
        "bias",
        """
def bias(x: torch.FloatTensor):
    return torch.ones_like(x) * -1e9  # here
""",
        CONFIRMED,
        text=HALF.format("-1e+09 becomes an infinity in float16, by * and without a warning"),
        said="gives an infinity",
    ),
    Program(
        "an eps that is zero below a fraction bar",
        "TL302",
        "shares",
        """
def shares(x: torch.FloatTensor):
    return x / (x.sum() + 1e-10)  # here
""",
        CONFIRMED,
        text=EPS,
    ),
    Program(
        "an eps that nothing is divided by",
        "TL302",
        "shifted",
        """
def shifted(x: torch.FloatTensor):
    return (x + 1e-10) * 2  # here
""",
        INCONCLUSIVE,
        text=EPS,
    ),
    Program(
        "a counter in float16",
        "TL302",
        "counted",
        """
def counted(x: torch.Tensor):
    seen = torch.zeros((), dtype=torch.float16)
    for _ in x:
        seen += 1  # here
    return seen
""",
        CONFIRMED,
        text="the counter counts in float16 and stops at 2048: from there on adding 1 changes nothing",
    ),
    Program(
        "the eps of an optimizer",
        "TL302",
        "trained",
        """
def trained():
    model = nn.Linear(2, 2).half()
    return torch.optim.Adam(model.parameters(), lr=1e-3)  # here
""",
        CONFIRMED,
        text="Adam adds eps=1e-08 to float16 numbers, where it is zero: a gradient of zero gives nan in the parameter",
        said="become nan",
    ),
    Program(
        "a method that gives its tensor back tells that it is one",
        "TL302",
        "barred",
        """
def barred(scores: torch.Tensor, pad):
    return scores + (1.0 - pad.to(scores.dtype)) * -1e9  # here
""",
        CONFIRMED,
        text=HALF.format("-1e+09 becomes an infinity in float16, by * and without a warning"),
    ),
    # TL401
    Program(
        "an upcast that the product does not honour",
        "TL401",
        "angles",
        """
def angles(a: torch.Tensor, b: torch.Tensor):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return a.flatten()[:, None].float() @ b.flatten()[None].float()  # here
""",
        CONFIRMED,
        text=IGNORED,
        said="computes in torch.bfloat16",
    ),
    Program(
        "an upcast that arithmetic honours",
        "TL401",
        "energy",
        """
def energy(a: torch.Tensor):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return a.float().pow(2).sum()  # here
""",
        REFUTED,
        text=IGNORED,
    ),
    Program(
        "an upcast whose region is switched off by an argument",
        "TL401",
        "energy",
        """
def energy(a: torch.Tensor, mixed: bool = False):
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=mixed):
        return a.flatten()[:, None].float() @ a.flatten()[None].float()  # here
""",
        INCONCLUSIVE,
        text=IGNORED,
    ),
    Program(
        "a softmax stands between the upcast and the product",
        "TL401",
        "attention",
        """
def attention(q: torch.Tensor):
    q = q.reshape(4, -1)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        weights = (q @ q.T).float().softmax(-1)  # here
        return weights @ q
""",
        REFUTED,
        text=IGNORED,
    ),
    Program(
        "a hard cast to the other half",
        "TL401",
        "lost",
        """
def lost(a: torch.Tensor):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return a.exp().half()  # here
""",
        CONFIRMED,
        text=NARROW,
        said="a torch.float32 becomes torch.float16",
    ),
    Program(
        "a cast that follows another tensor",
        "TL401",
        "followed",
        """
def followed(a: torch.Tensor, b: torch.Tensor):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        product = b.flatten()[:, None] @ b.flatten()[None]
        return a.exp().to(product.dtype)  # here
""",
        INCONCLUSIVE,
        text=NARROW_BF16,
    ),
    Program(
        "a cast that autocast makes anyway",
        "TL401",
        "lowered",
        """
def lowered(a: torch.Tensor):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return F.linear(a.bfloat16(), torch.ones(3, a.shape[-1]))  # here
""",
        INCONCLUSIVE,
        text=NARROW_BF16,
    ),
    Program(
        "float64 meets lowered weights",
        "TL401",
        "doubled",
        """
def doubled(a: torch.Tensor):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        return F.linear(a.double(), torch.ones(3, a.shape[-1]))  # here
""",
        CONFIRMED,
        text=DOUBLE,
        said="raises",
    ),
    Program(
        "a module is converted, not a value",
        "TL401",
        "Encoder.forward",
        """
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(4, 4)

    def forward(self, x):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            features = self.encode(x)
            self.encode.bfloat16()  # here
        return features
""",
        INCONCLUSIVE,
        text=NARROW_BF16,
    ),
    # TL402
    Program(
        "backward inside the region",
        "TL402",
        "step",
        """
def step(model, x: torch.Tensor):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = model(x).square().mean()
        loss.backward()  # here
""",
        CONFIRMED,
        said="inside an open autocast region",
    ),
    Program(
        "backward behind a region that an earlier call left open",
        "TL402",
        "step",
        """
MIXED = torch.autocast("cpu", dtype=torch.bfloat16)


def step(critic, x):
    MIXED.__enter__()
    loss = critic(x).float().mean()
    MIXED.__exit__(None, None, None)
    loss.backward()  # here
""",
        INCONCLUSIVE,
    ),
    Program(
        "the gradients of an island are lowered",
        "TL402",
        "step",
        """
def step(x: torch.Tensor):
    head = nn.Linear(x.shape[-1], 2)
    torch.optim.SGD(head.parameters(), lr=0.1)
    with torch.autocast("cuda", dtype=torch.bfloat16):
        with torch.autocast("cuda", enabled=False):
            loss = head(x).square().mean()
        loss.backward()  # here
""",
        CONFIRMED,
        text=ISLAND,
        said="other gradients",
    ),
    # TL404
    Program(
        "the scaler refuses half gradients",
        "TL404",
        "train",
        """
def train(x: torch.Tensor):
    model = nn.Linear(x.shape[-1], 1)
    model.half()  # here
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    with torch.autocast("cuda"):
        loss = model(x).float().square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
""",
        CONFIRMED,
        text="the model is trained by mixed precision and its own weights are float16: the scaler refuses",
        said="Attempting to unscale FP16 gradients",
    ),
    Program(
        "another model is half",
        "TL404",
        "train",
        """
def train(x: torch.Tensor):
    model, teacher = nn.Linear(x.shape[-1], 1), nn.Linear(x.shape[-1], 1)
    teacher.half()  # here
    optimizer = torch.optim.SGD(model.half().parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    with torch.autocast("cuda"):
        loss = model(x).float().square().mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
""",
        INCONCLUSIVE,
        text="teacher is trained by mixed precision and its own weights are float16: the scaler refuses",
    ),
    # TL405
    Program(
        "a half loss is scaled",
        "TL405",
        "step",
        """
def step(model, optimizer, scaler, x: torch.Tensor):
    with torch.autocast("cuda"):
        loss = model(x).float().square().mean()
    scaler.scale(loss.half()).backward()  # here
    scaler.step(optimizer)
    scaler.update()
""",
        CONFIRMED,
        said="are not finite",
    ),
    Program(
        "a float loss is scaled",
        "TL405",
        "step",
        """
def step(model, optimizer, scaler, x: torch.Tensor):
    with torch.autocast("cuda"):
        loss = model(x).square().mean()
    scaler.scale(loss.float()).backward()  # here
    scaler.step(optimizer)
    scaler.update()
""",
        INCONCLUSIVE,
    ),
    # TL406
    Program(
        "scaled gradients are clipped",
        "TL406",
        "step",
        """
def step(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)  # here
        scaler.step(optimizer)
        scaler.update()
""",
        CONFIRMED,
        text=CLIP,
        said="times as far",
    ),
    Program(
        "gradients are clipped after they were unscaled",
        "TL406",
        "step",
        """
def step(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)  # here
        scaler.step(optimizer)
        scaler.update()
""",
        INCONCLUSIVE,
        text=CLIP,
    ),
    Program(
        "the optimizer steps itself",
        "TL406",
        "step",
        """
def step(model, optimizer, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    optimizer.step()  # here
""",
        CONFIRMED,
        text=RAW,
    ),
    Program(
        "a second step without an update",
        "TL406",
        "step",
        """
def step(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.step(optimizer)  # here
""",
        CONFIRMED,
        text=TWICE,
        said="step() has already been called",
    ),
    Program(
        "another error of the scaler than the finding says",
        "TL406",
        "step",
        """
def step(model, optimizer, scaler, batches):
    for batch in batches:
        scaler.scale(model(batch).square().mean()).backward()
        scaler.step(optimizer)  # here
""",
        INCONCLUSIVE,
        text=CLIP,
    ),
    Program(
        "a scheduler has the optimizer of the model, too",
        "TL406",
        "step",
        """
def step(model, optimizer, scheduler, scaler, batch):
    scaler.scale(model(batch).square().mean()).backward()
    scaler.step(optimizer)
    scaler.update()
    scheduler.step()  # here
""",
        INCONCLUSIVE,
        text="update() runs in rounds that neither step nor unscale (line 7 is skipped there): it raises",
    ),
    # What is not done
    Program(
        "no file outside is written while arguments are made up",
        "TL201",
        "noted",
        """
def noted(x: torch.Tensor):
    with open(__file__ + ".note", "w") as file:
        file.write("was here")
    rows = torch.Tensor([0, 1])  # here
    return x[rows]
""",
        INCONCLUSIVE,
        said="is not allowed while arguments are made up",
    ),
    Program(
        "no program is started while arguments are made up",
        "TL201",
        "started",
        """
def started(x: torch.Tensor):
    import subprocess

    subprocess.run(["touch", __file__ + ".note"])
    rows = torch.Tensor([0, 1])  # here
    return x[rows]
""",
        INCONCLUSIVE,
        said="is not allowed while arguments are made up",
    ),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the programs lie."""
    return tmp_path_factory.mktemp("lines")


@pytest.fixture(scope="module")
def findings(folder: Path) -> dict[int, Finding]:
    """One run of all programs; the finding of each, by its place among them."""
    claims = [_claim(place, program, folder) for place, program in enumerate(PROGRAMS)]
    orders = Orders(Path(sys.executable), device="sim", limits=Limits(seconds=120.0))
    outcome = confirm(claims, orders, lambda done, total: None)
    return {int(finding.key): finding for finding in outcome.findings}


def _claim(place: int, program: Program, folder: Path) -> Finding:
    path = folder / f"program_{place}.py"
    source = HEAD + program.source
    path.write_text(source, encoding="utf-8")
    line = next(number for number, text in enumerate(source.splitlines(), 1) if "# here" in text)
    span = Span(str(path), line, 1, line, 2)
    return Finding(program.code, "", Severity.NOTE, Confidence.LOW, program.text, span, str(place), program.symbol)


@pytest.mark.parametrize(
    "place", range(len(PROGRAMS)), ids=[f"{one.code} {one.idea}".replace(" ", "-") for one in PROGRAMS]
)
def test_line_proves_what_it_should(findings: dict[int, Finding], place: int) -> None:
    program, finding = PROGRAMS[place], findings[place]
    assert finding.verdict is program.verdict, finding.evidence
    assert program.said in (finding.evidence or "")


def test_nothing_was_written_beside_the_files(findings: dict[int, Finding], folder: Path) -> None:
    assert findings
    assert list(folder.glob("*.note")) == []


def test_every_rule_about_lines_is_shown_both_ways() -> None:
    from torchlint.confirm.lines import JUDGES

    shown = {(one.code, one.verdict is CONFIRMED) for one in PROGRAMS}
    assert {code for code in JUDGES if code > "TL2"} == {code for code, _ in shown}
    assert all((code, seen) in shown for code, _ in shown for seen in (True, False))
