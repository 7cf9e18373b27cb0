"""Mutations of the good examples of the pages: each a change of text that brings back the fault of the page.

An edit stands as (rule, number of the good example from 1, name of the transformation, pairs of old and new text).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    """A change of one good example. pairs: each old text, which must be there, and the new one."""

    code: str
    example: int
    name: str
    pairs: tuple[tuple[str, str], ...]

    def applied(self, text: str) -> str:
        """The example after the change."""
        for old, new in self.pairs:
            assert old in text, f"{self.code} {self.name}: the page does not say {old!r}"
            text = text.replace(old, new, 1)
        return text


def _edit(code: str, example: int, name: str, *pairs: tuple[str, str]) -> Edit:
    return Edit(code, example, name, pairs)


_LIMIT = ("torch.minimum(x, self.high)", "self.limit(x)")
_HIGH = 'self.register_buffer("high", torch.full((dim,), bound), persistent=False)'
_START = ('self.register_buffer("last", torch.zeros(dim), persistent=False)', "self.last = None")
_ADD = ("self.mix(x) + self.last", "self.mix(x) + (0 if self.last is None else self.last)")
_STORE = "self.last = out.mean(0).detach()"
_LAZY = "table is None or len(table) < x.shape[1] or table.device != x.device or table.dtype != x.dtype"
_TABLE = "        table = self.table\n"
_BANDS = (
    'self.register_buffer("low", torch.linspace(1, 0, size), persistent=False)\n',
    'self.register_buffer("high", torch.linspace(0, 1, size), persistent=False)\n',
)
_BAND = ("getattr(self, band)", "self.masks[band]")
_PROPERTY = "    @property\n    def decoder(self):\n        return self.encoder.t()\n\n"
_ENCODER = "self.encoder = nn.Parameter(torch.randn(code, dim))\n"
_WEIGHT = "self.weight = nn.Parameter(torch.randn(classes, dim))\n"
_NORM = ("self.weight.norm(dim=1)\n", "self.norms\n")
_SAVE = "self.state_dict()"
_SCALED = "out[name] = value * scale if value.is_floating_point() else value"
_IMPORT = ("import torch\n", "import functools\n\nimport torch\n")
_INVERSE = "    @property\n    def inverse"
_POWER = "    def power"
_MEAN = (
    "    def __init__(self):\n        super().__init__()\n"
    '        self.register_buffer("mean", torch.tensor(MEAN), persistent=False)\n\n'
)
_LEVELS = (
    "    def __init__(self):\n        super().__init__()\n"
    '        self.register_buffer("levels", torch.linspace(-1, 1, 8), persistent=False)\n\n'
)
_BEST = "copy.deepcopy(model.state_dict())"
_SHADOW = "p.detach().clone() for"
_BUFFERS = "        for t, s in zip(self.teacher.buffers(), self.student.buffers()):\n            t.copy_(s)\n"
_AVERAGE = (
    "        for t, s in zip(self.teacher.parameters(), self.student.parameters()):\n"
    "            t.mul_(decay).add_(s, alpha=1 - decay)\n"
)
_PINNED = (
    "    def train(self, mode: bool = True):\n"
    "        super().train(mode)\n"
    "        self.backbone.eval()\n"
    "        return self\n\n"
)
_FROZEN = "        self.backbone.requires_grad_(False)\n"
_PART = "nn.Sequential(nn.Conv2d(3, 8, 1), nn.BatchNorm2d(8))"
_DEVICE = "    @property\n    def device(self):\n        return self.head.weight.device\n\n"
_HEAD = "        self.head = nn.Linear(dim, 1, device=device)\n"
_LOAD = (
    "    def _load_from_state_dict(self, state_dict, prefix, *args, **kwargs):\n"
    '        if prefix + "mean" in state_dict:\n'
    '            self.mean = torch.empty_like(state_dict[prefix + "mean"])\n'
    "        super()._load_from_state_dict(state_dict, prefix, *args, **kwargs)\n\n"
)
_REBOUND = "self.scale = self.scale * 0.9 + out.abs().mean(0) * 0.1"
_CENTER = 'self.register_buffer("mean", torch.zeros(dim))'
_UPDATE = "self.mean = 0.9 * self.mean + 0.1 * x.detach().mean(0)"
_DEPLOY = "    model = Folded(dim).half()\n    return model.eval()\n"
_VALIDATE = "@torch.no_grad()\ndef"
_LOSS = "losses.append(criterion(model(image), target))"

EDITS = (
    _edit(
        "TL101",
        2,
        "captured by a lambda",
        (_HIGH, "high = torch.full((dim,), bound)\n        self.limit = lambda x: torch.minimum(x, high)"),
        _LIMIT,
    ),
    _edit(
        "TL101",
        2,
        "captured by a partial",
        ("import torch\n", "from functools import partial\n\nimport torch\n"),
        (_HIGH, "self.limit = partial(torch.minimum, torch.full((dim,), bound))"),
        _LIMIT,
    ),
    _edit(
        "TL101",
        2,
        "captured by an inner function",
        (
            _HIGH,
            "high = torch.full((dim,), bound)\n\n        def limit(x):\n"
            "            return torch.minimum(x, high)\n\n        self.limit = limit",
        ),
        _LIMIT,
    ),
    _edit("TL102", 1, "plain attribute, no detach", _START, _ADD, (".detach()", "")),
    _edit(
        "TL102",
        1,
        "plain attribute, grows",
        _START,
        _ADD,
        (_STORE, "self.last = out.mean(0) + (0 if self.last is None else self.last)"),
    ),
    _edit(
        "TL102",
        1,
        "stored by a method",
        _START,
        _ADD,
        (_STORE, "self._keep(out.mean(0))"),
        ("    def forward", "    def _keep(self, value):\n        self.last = value\n\n    def forward"),
    ),
    _edit("TL102", 1, "stored by setattr", _START, _ADD, (_STORE, 'setattr(self, "last", out.mean(0))')),
    _edit(
        "TL102",
        1,
        "a record nobody reads",
        ('self.register_buffer("last", torch.zeros(dim), persistent=False)', "self.last = None"),
        (" + self.last", ""),
        (".detach()", ""),
    ),
    _edit(
        "TL102",
        1,
        "a tuple that keeps it",
        _START,
        ("self.mix(x) + self.last", "self.mix(x) + (0 if self.last is None else self.last[0])"),
        (_STORE, "self.last = (out.mean(0), len(x))"),
    ),
    _edit(
        "TL104",
        1,
        "keyed by a length beside it",
        (_LAZY, "x.shape[1] > self.length"),
        ("self.table = None", "self.table = None\n        self.length = 0"),
        ("            steps", "            self.length = x.shape[1]\n            steps"),
        (_TABLE, ""),
    ),
    _edit("TL104", 1, "only asked whether it is there", (_LAZY, "self.table is None"), (_TABLE, "")),
    _edit(
        "TL104", 1, "hasattr", (_LAZY, 'not hasattr(self, "table")'), ("        self.table = None\n", ""), (_TABLE, "")
    ),
    _edit(
        "TL104",
        1,
        "a dict keyed by the length",
        ("self.table = None", "self.tables = {}"),
        (f"if {_LAZY}", "if x.shape[1] not in self.tables"),
        (_TABLE, ""),
        ("self.table = steps", "self.tables[x.shape[1]] = steps"),
        ("self.table[: x.shape[1]]", "self.tables[x.shape[1]]"),
    ),
    _edit(
        "TL104",
        1,
        "a flag",
        (_LAZY, "not self.is_built"),
        ("self.table = None", "self.table = None\n        self.is_built = False"),
        ("            steps", "            self.is_built = True\n            steps"),
        (_TABLE, ""),
    ),
    _edit(
        "TL105",
        2,
        "dict of tensors",
        (_BANDS[0], 'self.masks = {"low": torch.linspace(1, 0, size)}\n'),
        (_BANDS[1], 'self.masks["high"] = torch.linspace(0, 1, size)\n'),
        _BAND,
    ),
    _edit(
        "TL105",
        2,
        "list of tensors",
        (_BANDS[0], "self.masks = [torch.linspace(1, 0, size)]\n"),
        (_BANDS[1], "self.masks.append(torch.linspace(0, 1, size))\n"),
        _BAND,
        ("band: str", "band: int"),
    ),
    _edit(
        "TL105",
        2,
        "tuple of tensors",
        (_BANDS[0], "self.masks = (torch.linspace(1, 0, size), torch.linspace(0, 1, size))\n"),
        ("        " + _BANDS[1], ""),
        _BAND,
        ("band: str", "band: int"),
    ),
    _edit(
        "TL105",
        2,
        "list of registered buffers",
        (_BANDS[1], _BANDS[1] + "        self.masks = [self.low, self.high]\n"),
        _BAND,
        ("band: str", "band: int"),
    ),
    _edit(
        "TL106",
        1,
        "property into the constructor",
        (_PROPERTY, ""),
        (_ENCODER, _ENCODER + "        self.decoder = self.encoder.t()\n"),
    ),
    _edit(
        "TL106",
        1,
        "by a helper method",
        (_PROPERTY, "    def _tie(self):\n        self.decoder = self.encoder.t()\n\n"),
        (_ENCODER, _ENCODER + "        self._tie()\n"),
    ),
    _edit(
        "TL106",
        1,
        "kept in a list",
        (_PROPERTY, ""),
        (_ENCODER, _ENCODER + "        self.decoders = [self.encoder.t()]\n"),
        ("self.decoder.t()", "self.decoders[0].t()"),
    ),
    _edit("TL106", 2, "plain attribute", _NORM, (_WEIGHT, _WEIGHT + "        self.norms = self.weight.norm(dim=1)\n")),
    _edit(
        "TL106",
        2,
        "buffer",
        (_WEIGHT, _WEIGHT + '        self.register_buffer("norms", self.weight.detach().norm(dim=1))\n'),
        _NORM,
    ),
    _edit(
        "TL106",
        2,
        "buffer by way of a local",
        (
            _WEIGHT,
            _WEIGHT + '        norms = self.weight.data.norm(dim=1)\n        self.register_buffer("norms", norms)\n',
        ),
        _NORM,
    ),
    _edit(
        "TL106",
        2,
        "from a layer",
        (_WEIGHT, "self.layer = nn.Linear(dim, classes)\n        self.norms = self.layer.weight.norm(dim=1)\n"),
        ("self.weight.t()", "self.layer.weight.t()"),
        _NORM,
    ),
    _edit("TL107", 2, "names of parameters as they are", (".replace('.', '_')", "")),
    _edit("TL107", 2, "only the prefix is replaced", ("f\"{name.replace('.', '_')}_mean\"", "'mean_' + name")),
    _edit(
        "TL109",
        2,
        "dataclass field",
        ("class Residual", "@dataclass(eq=False)\nclass Residual"),
        ("from torch import nn\n", "from dataclasses import dataclass\n\nfrom torch import nn\n"),
        (
            "    def __init__(self, inner: nn.Module, scale: float = 1.0):\n        super().__init__()\n"
            "        self.inner = inner\n        self.scale = scale\n",
            "    inner: nn.Module\n    scale: float = 1.0\n\n    def __post_init__(self):\n"
            "        super().__init__()\n",
        ),
    ),
    _edit("TL110", 1, "dict of own parameters", (_SAVE, "dict(self.named_parameters(recurse=False))")),
    _edit("TL110", 1, "list of own parameters", (_SAVE, "list(self.parameters(recurse=False))")),
    _edit("TL110", 1, "recurse given by position", (_SAVE, 'dict(self.named_parameters("", False))')),
    _edit(
        "TL110",
        1,
        "comprehension over own parameters",
        (_SAVE, "{name: p.detach() for name, p in self.named_parameters(recurse=False)}"),
    ),
    _edit("TL110", 1, "dict of own buffers", (_SAVE, "dict(self.named_buffers(recurse=False))")),
    _edit(
        "TL110",
        1,
        "local in between",
        (
            "        torch.save(self.state_dict(), path)",
            "        state = dict(self.named_parameters(recurse=False))\n        torch.save(state, path)",
        ),
    ),
    _edit("TL111", 1, "augmented assignment", (_SCALED, "value *= scale\n        out[name] = value")),
    _edit("TL111", 1, "method in place", (_SCALED, "out[name] = value.mul_(scale)")),
    _edit(
        "TL111",
        1,
        "item of the state",
        (
            "    for name, value in model.state_dict().items():\n        " + _SCALED,
            "    state = model.state_dict()\n    for name in state:\n        state[name] *= scale\n"
            "        out[name] = state[name]",
        ),
    ),
    _edit(
        "TL111",
        1,
        "buffers in place",
        ("model.state_dict().items()", "model.named_buffers()"),
        (_SCALED, "value *= scale\n        out[name] = value"),
    ),
    _edit("TL111", 1, "out= into the value", (_SCALED, "out[name] = torch.mul(value, scale, out=value)")),
    _edit("TL112", 1, "cached_property", _IMPORT, (_INVERSE, "    @functools.cached_property\n    def inverse")),
    _edit("TL112", 1, "cache", _IMPORT, (_POWER, "    @functools.cache\n" + _POWER)),
    _edit("TL112", 1, "lru_cache without arguments", _IMPORT, (_POWER, "    @functools.lru_cache\n" + _POWER)),
    _edit("TL112", 1, "lru_cache with a size", _IMPORT, (_POWER, "    @functools.lru_cache(maxsize=4)\n" + _POWER)),
    _edit(
        "TL112", 1, "property over a cache", _IMPORT, (_INVERSE, "    @property\n    @functools.cache\n    def inverse")
    ),
    _edit("TL113", 1, "buffer into the class body", (_MEAN, "    mean = torch.tensor(MEAN)\n\n")),
    _edit(
        "TL113",
        1,
        "top of the file",
        (_MEAN, ""),
        ("MEAN = (0.485, 0.456, 0.406)", "MEAN = torch.tensor((0.485, 0.456, 0.406))"),
        ("self.mean", "MEAN"),
    ),
    _edit(
        "TL113",
        2,
        "class body, by the class",
        (_LEVELS, "    levels = torch.linspace(-1, 1, 8)\n\n"),
        ("self.levels", "Quantizer.levels"),
    ),
    _edit(
        "TL113",
        2,
        "top of the file, given to a helper",
        (_LEVELS, ""),
        ("def nearest(x, levels)", "LEVELS = torch.linspace(-1, 1, 8)\n\n\ndef nearest(x, levels)"),
        ("self.levels", "LEVELS"),
    ),
    _edit(
        "TL113",
        2,
        "read by a helper",
        (_LEVELS, ""),
        ("def nearest(x, levels)", "LEVELS = torch.linspace(-1, 1, 8)\n\n\ndef nearest(x)"),
        ("levels[torch.bucketize(x, levels)", "LEVELS[torch.bucketize(x, LEVELS)"),
        ("nearest(x, self.levels)", "nearest(x)"),
    ),
    _edit("TL116", 1, "no deepcopy", (_BEST, "model.state_dict()")),
    _edit("TL116", 1, "copy() of the dict", (_BEST, "model.state_dict().copy()")),
    _edit("TL116", 1, "dict() of the dict", (_BEST, "dict(model.state_dict())")),
    _edit("TL116", 1, "copy.copy", (_BEST, "copy.copy(model.state_dict())")),
    _edit("TL116", 1, "comprehension that detaches", (_BEST, "{k: v.detach() for k, v in model.state_dict().items()}")),
    _edit("TL116", 1, "average without clone", (_SHADOW, "p.detach() for")),
    _edit("TL116", 1, "average of .data", (_SHADOW, "p.data for")),
    _edit("TL117", 1, "no buffers", (_BUFFERS, "")),
    _edit(
        "TL117",
        1,
        "dicts of named parameters",
        (_BUFFERS, ""),
        (
            _AVERAGE,
            "        live = dict(self.student.named_parameters())\n"
            "        for name, t in self.teacher.named_parameters():\n"
            "            t.mul_(decay).add_(live[name], alpha=1 - decay)\n",
        ),
    ),
    _edit(
        "TL117",
        1,
        "lists of parameters",
        (_BUFFERS, ""),
        (
            _AVERAGE,
            "        ours, theirs = list(self.teacher.parameters()), list(self.student.parameters())\n"
            "        for t, s in zip(ours, theirs):\n            t.mul_(decay).add_(s, alpha=1 - decay)\n",
        ),
    ),
    _edit(
        "TL117",
        1,
        "lerp_ of .data",
        (_BUFFERS, ""),
        ("t.mul_(decay).add_(s, alpha=1 - decay)", "t.data.lerp_(s.data, 1 - decay)"),
    ),
    _edit(
        "TL117",
        1,
        "assignment to .data",
        (_BUFFERS, ""),
        ("t.mul_(decay).add_(s, alpha=1 - decay)", "t.data = decay * t.data + (1 - decay) * s.data"),
    ),
    _edit(
        "TL118", 1, "eval() in the constructor", (_PINNED, ""), (_FROZEN, _FROZEN + "        self.backbone.eval()\n")
    ),
    _edit(
        "TL118",
        1,
        "train(False) in the constructor",
        (_PINNED, ""),
        (_FROZEN, _FROZEN + "        self.backbone.train(False)\n"),
    ),
    _edit("TL118", 1, "eval() on assignment", (_PINNED, ""), (_PART, _PART + ".eval()")),
    _edit(
        "TL118",
        1,
        "by a freeze method",
        (
            _PINNED,
            "    def freeze(self):\n        self.backbone.requires_grad_(False)\n        self.backbone.eval()\n\n",
        ),
        (_FROZEN, "        self.freeze()\n"),
    ),
    _edit(
        "TL118",
        1,
        "by a helper function",
        (_PINNED, ""),
        (_FROZEN, "        asleep(self.backbone)\n"),
        (
            "class Segmenter",
            "def asleep(part: nn.Module) -> None:\n    part.requires_grad_(False)\n    part.eval()\n\n\n"
            "class Segmenter",
        ),
    ),
    _edit("TL119", 1, "device of the argument", (_DEVICE, ""), (_HEAD, _HEAD + "        self.device = device\n")),
    _edit(
        "TL119",
        1,
        "device of the weight",
        (_DEVICE, ""),
        (_HEAD, _HEAD + "        self.device = self.head.weight.device\n"),
    ),
    _edit(
        "TL119", 1, "torch.device(..)", (_DEVICE, ""), (_HEAD, _HEAD + "        self.device = torch.device(device)\n")
    ),
    _edit(
        "TL119",
        1,
        "device of the machine",
        (_DEVICE, ""),
        (_HEAD, _HEAD + '        self.device = "cuda" if torch.cuda.is_available() else "cpu"\n'),
    ),
    _edit(
        "TL119",
        1,
        "dtype of the weight",
        (_DEVICE, ""),
        (_HEAD, _HEAD + "        self.dtype = self.head.weight.dtype\n"),
        ("device=self.device", "device=hidden.device, dtype=self.dtype"),
    ),
    _edit(
        "TL119",
        1,
        "input moved by it",
        (_DEVICE, ""),
        (_HEAD, _HEAD + "        self.device = device\n"),
        ("device=self.device", "device=hidden.device"),
        ("self.head(hidden)", "self.head(hidden.to(self.device))"),
    ),
    _edit(
        "TL120",
        1,
        "None to begin with",
        ('self.register_buffer("mean", torch.zeros(dim))', 'self.register_buffer("mean", None)'),
        ("self.mean.copy_(x.detach().mean(0))", "self.mean = x.detach().mean(0)"),
    ),
    _edit(
        "TL120",
        1,
        "None by a local",
        ('self.register_buffer("mean", torch.zeros(dim))', 'start = None\n        self.register_buffer("mean", start)'),
        ("self.mean.copy_(x.detach().mean(0))", "self.mean = x.detach().mean(0)"),
    ),
    _edit(
        "TL120",
        1,
        "persistent=True said",
        (
            'self.register_buffer("mean", torch.zeros(dim))',
            'self.register_buffer("mean", tensor=None, persistent=True)',
        ),
        ("self.mean.copy_(x.detach().mean(0))", "self.mean = x.detach().mean(0)"),
    ),
    _edit("TL120", 2, "no load of its own", (_LOAD, "")),
    _edit("TL120", 2, "filled by setattr", (_LOAD, ""), ("self.mean = x.mean(0)", 'setattr(self, "mean", x.mean(0))')),
    _edit(
        "TL120",
        2,
        "filled by a method",
        (_LOAD, "    def fit(self, x):\n        self.mean = x.mean(0)\n\n"),
        ("            self.mean = x.mean(0)\n        return", "            self.fit(x)\n        return"),
    ),
    _edit("TL121", 1, "mul_ and add_", (_REBOUND, "self.scale.mul_(0.9).add_(out.abs().mean(0), alpha=0.1)")),
    _edit("TL121", 1, "copy_", (_REBOUND, "self.scale.copy_(self.scale * 0.9 + out.abs().mean(0) * 0.1)")),
    _edit("TL121", 1, "augmented assignment", (_REBOUND, "self.scale *= 0.9")),
    _edit("TL121", 1, "item assignment", (_REBOUND, "self.scale[:] = self.scale * 0.9 + out.abs().mean(0) * 0.1")),
    _edit("TL121", 1, "lerp_", (_REBOUND, "self.scale.lerp_(out.abs().mean(0), 0.1)")),
    _edit(
        "TL121",
        1,
        "by a method",
        (_REBOUND, "self.track(out)"),
        (
            "    def forward",
            "    def track(self, out):\n        self.scale.mul_(0.9).add_(out.abs().mean(0), alpha=0.1)\n\n"
            "    def forward",
        ),
    ),
    _edit("TL122", 1, "persistent=False", (_CENTER, _CENTER[:-1] + ", persistent=False)")),
    _edit("TL122", 1, "plain tensor", (_CENTER, "self.mean = torch.zeros(dim)")),
    _edit("TL122", 1, "persistent=False by position", (_CENTER, _CENTER[:-1] + ", False)")),
    _edit(
        "TL122",
        1,
        "written in place",
        (_CENTER, _CENTER[:-1] + ", persistent=False)"),
        (_UPDATE, "self.mean.mul_(0.9).add_(x.detach().mean(0), alpha=0.1)"),
    ),
    _edit(
        "TL122",
        1,
        "updated by a method",
        (_CENTER, _CENTER[:-1] + ", persistent=False)"),
        (_UPDATE, "self.track(x.detach())"),
        ("    def forward", "    def track(self, x):\n        self.mean.lerp_(x.mean(0), 0.1)\n\n    def forward"),
    ),
    _edit(
        "TL122",
        1,
        "nn.Buffer that is not saved",
        (_CENTER, "self.mean = nn.Buffer(torch.zeros(dim), persistent=False)"),
    ),
    _edit(
        "TL122",
        1,
        "a Python number",
        (_CENTER, "self.mean = 0.0"),
        (_UPDATE, "self.mean = 0.9 * self.mean + 0.1 * x.mean().item()"),
    ),
    _edit(
        "TL303",
        1,
        "half() after eval()",
        (_DEPLOY, "    model = Folded(dim)\n    model.eval()\n    return model.half()\n"),
    ),
    _edit(
        "TL303",
        1,
        "to() after eval()",
        (_DEPLOY, "    model = Folded(dim)\n    model.eval()\n    return model.to(torch.bfloat16)\n"),
    ),
    _edit("TL303", 1, "in one chain", (_DEPLOY, "    return Folded(dim).eval().half()\n")),
    _edit(
        "TL303",
        1,
        "train(False)",
        (_DEPLOY, "    model = Folded(dim)\n    model.train(False)\n    model.half()\n    return model\n"),
    ),
    _edit("TL303", 1, "cuda() after eval()", (_DEPLOY, "    model = Folded(dim).eval()\n    return model.cuda()\n")),
    _edit(
        "TL303",
        1,
        "inside a Sequential",
        (
            _DEPLOY,
            "    model = nn.Sequential(Folded(dim), nn.Linear(dim, dim))\n    model.eval()\n    return model.half()\n",
        ),
    ),
    _edit("TL304", 1, "no decorator", (_VALIDATE, "def")),
    _edit("TL304", 1, "enable_grad", (_VALIDATE, "@torch.enable_grad()\ndef")),
    _edit(
        "TL304",
        1,
        "around the metric only",
        (_VALIDATE, "def"),
        (
            _LOSS,
            "output = model(image)\n        with torch.no_grad():\n"
            "            losses.append(criterion(output, target))",
        ),
    ),
    _edit(
        "TL304",
        1,
        "around the input only",
        (_VALIDATE, "def"),
        (_LOSS, "with torch.no_grad():\n            image = image * 2\n        " + _LOSS),
    ),
    _edit(
        "TL304",
        1,
        "a comprehension",
        (_VALIDATE, "def"),
        (
            "    losses = []\n    for image, target in loader:\n        " + _LOSS,
            "    losses = [criterion(model(image), target) for image, target in loader]",
        ),
    ),
)
