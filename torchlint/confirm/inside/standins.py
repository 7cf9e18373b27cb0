"""What stands in for the arguments of a training step: a small model, its optimizer, a scaler, a loader."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from .candidates import DIM, LENGTH, Candidate
from .plans import BATCH, Array, Constant, Guess, Made
from .settings import Settings, lists_in, settings_in

# float16 does not hold it, nor bfloat16: what passes through either comes back as another number.
_COUNTED = 4099
_ROUNDS = 3


_PARTS = re.compile(r"head|norm|proj|^fc\d?$|layers?$|encoder|decoder|backbone|embed|body|classifier|trunk|neck")


class StandIn(nn.Module):
    """A layer with a counter, a table of indices and a mask beside its weights, and parts by whatever usual name."""

    def __init__(self, width: int = DIM) -> None:
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.counted = Counted(width)
        self.register_buffer("step", torch.tensor(_COUNTED))

    def forward(self, x: torch.Tensor, *rest: Any, **named: Any) -> torch.Tensor:
        """What the layer makes of the first input."""
        result: torch.Tensor = self.layer(x)
        return result

    def __getattr__(self, name: str) -> Any:
        """A part; a new layer where there is none of a name that parts have."""
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name.startswith("_") or not _PARTS.search(name):
                raise
        setattr(self, name, nn.Linear(self.layer.in_features, self.layer.out_features))
        return getattr(self, name)


class Counted(nn.Module):
    """What a module may hold that is no weight."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.register_buffer("num_batches_tracked", torch.tensor(_COUNTED))
        self.register_buffer("position_ids", torch.arange(_COUNTED))
        self.register_buffer("seen", torch.ones(width, dtype=torch.bool))
        self.register_buffer("scale", torch.ones(width))


class Company:
    """The arguments of one call that belong together: an optimizer has the parameters of the model beside it."""

    def __init__(self) -> None:
        self._model: nn.Module | None = None
        self._optimizer: torch.optim.Optimizer | None = None
        self._taken: set[str] = set()

    def model(self, role: str = "model") -> nn.Module:
        """The model of this call; a new one where `role` has taken its own already."""
        if role in self._taken or self._model is None:
            self._model, self._optimizer, self._taken = StandIn(), None, set()
        self._taken.add(role)
        return self._model

    def optimizer(self, role: str = "optimizer") -> torch.optim.Optimizer:
        """Plain descent with the parameters of the model: of all optimizers its steps say most about gradients."""
        model = self.model(role)
        if self._optimizer is None:
            self._optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        return self._optimizer

    def state(self) -> dict[str, torch.Tensor]:
        """The state of a model."""
        return dict(StandIn().state_dict())


@dataclass(frozen=True)
class Role(Made):
    """A stand-in. text: how a person would say what it is. code: an expression that makes it, "" where there is none.

    In the expression SmallModel() is what StandIn() is here, Record() a dict with attributes, and MODEL and OPTIMIZER
    are those that the call has in common.
    """

    text: str = ""
    code: str = ""


def _batch() -> torch.Tensor:
    return torch.randn(BATCH, DIM)


def _pairs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    return [(_batch(), _batch()) for _ in range(_ROUNDS)]


def roles(company: Company) -> tuple[tuple[re.Pattern[str], Role], ...]:
    """Stand-ins by the names of parameters, the first that matches."""
    made: tuple[tuple[str, str, Callable[[], Any]], ...] = (
        (r"optim|^opt(_\w+)?$", "an SGD over it", company.optimizer),
        (r"scaler$", "a GradScaler", lambda: torch.amp.GradScaler("cpu")),
        (r"sched", "a StepLR", lambda: torch.optim.lr_scheduler.StepLR(company.optimizer("scheduler"), 10)),
        (r"criterion|^loss_?(fn|func|function)?$|objective", "nn.MSELoss()", nn.MSELoss),
        (r"shadow|ema|average", "another small model", StandIn),
        (r"^state(_?dict)?$|weights$|checkpoint|^ckpt$", "the state of a small model", company.state),
        (
            r"model|^net(work)?$|module$|encoder|decoder|backbone|student|unet|transformer|generator|head$|layer$",
            _SMALL,
            company.model,
        ),
        (r"^(losses|metrics|accuracies)$", "[3.0, 1.0, 2.0]", lambda: [3.0, 1.0, 2.0]),
        (r"loader|batches|dataset", _BATCHES, lambda: [_batch() for _ in range(_ROUNDS)]),
        (r"path$|file(name)?$|^(source|target|src|dst|out|output|dest|destination)$", "'out.pt'", lambda: "out.pt"),
        (r"^device(_type)?$", "'cpu'", lambda: "cpu"),
    )
    return tuple(
        (re.compile(pattern), Role(lambda size, make=make: make(), text, _code(text)))  # type: ignore[misc]
        for pattern, text, make in made
    )


_SMALL = "a small model"
_BATCHES = "3 batches"
_BATCHES_OF_PAIRS = "3 batches of (input, target)"
_BATCHES_WITH_INFINITY = "3 batches, the first infinite"
MODEL, OPTIMIZER = "<model>", "<optimizer>"
_BATCH = f"torch.randn({BATCH}, {DIM})"
_INFINITE = f'torch.full(({BATCH}, {DIM}), float("inf"))'
_CODES = {
    _SMALL: MODEL,
    "another small model": "SmallModel()",
    "the state of a small model": "SmallModel().state_dict()",
    "an SGD over it": OPTIMIZER,
    "a StepLR": f"torch.optim.lr_scheduler.StepLR({OPTIMIZER}, 10)",
    "a GradScaler": 'torch.amp.GradScaler("cpu")',
    _BATCHES: f"[{_BATCH} for _ in range({_ROUNDS})]",
    _BATCHES_OF_PAIRS: f"[({_BATCH}, {_BATCH}) for _ in range({_ROUNDS})]",
    _BATCHES_WITH_INFINITY: f"[{_INFINITE}, *({_BATCH} for _ in range({_ROUNDS - 1}))]",
}


def _code(text: str) -> str:
    """The expression for a stand-in: its text, where that is one."""
    is_expression = text[0] in "['" or text.startswith("nn.")
    return text if is_expression else _CODES.get(text, "")


_NUMBERS = (int, float, bool, "int", "float", "bool")


def given_for(names: Mapping[str, Any], company: Company, dtype: torch.dtype | None) -> Guess:
    """Stand-ins for those parameters whose names and annotations say what they are."""
    found: dict[str, Any] = {}
    for name, annotation in names.items():
        if "Tensor" in str(annotation) or annotation in _NUMBERS:
            continue
        if name == "dtype" or "torch.dtype" in str(annotation):
            chosen = dtype or torch.float32
            found[name] = Role(lambda size, chosen=chosen: chosen, str(chosen), str(chosen))  # type: ignore[misc]
            continue
        role = next((role for pattern, role in roles(company) if pattern.search(name.lower())), None)
        if role is not None:
            found[name] = role
    return found


def variants(given: Guess, names: Mapping[str, Any], function: Any) -> Iterator[Guess]:
    """The same with other stand-ins, the likeliest first: settings, other batches, lists, switches, counts."""
    given = {**given, **{name: _settings(one) for name, one in settings_in(function).items() if name in names}}
    yield given
    for batches in _OTHER_BATCHES if any(getattr(one, "text", "") == _BATCHES for one in given.values()) else ():
        yield {name: batches if getattr(one, "text", "") == _BATCHES else one for name, one in given.items()}
    is_open = {name: name not in given and names[name] in (inspect.Parameter.empty, Any) for name in names}
    lists: Guess = {
        name: Constant([0, 1]) for name in lists_in(function) if is_open.get(name) or names.get(name) is list
    }
    switches: Guess = {name: Constant(True) for name, annotation in names.items() if annotation in (bool, "bool")}
    counts: Guess = {name: Constant(LENGTH) for name in names if _COUNTS.search(name) and is_open[name]}
    scores: Guess = {"scores": Constant([3.0, 1.0, 2.0])} if is_open.get("scores") else {}
    flat: Guess = {name: Array((LENGTH,)) for name in names if is_open[name]}
    for others in (lists, switches, {**lists, **switches, **counts}, scores, flat if len(flat) > 1 else {}):
        if others:
            yield {**given, **others}


def _settings(entries: Mapping[str, Any]) -> Role:
    return Role(lambda size: Settings(entries), f"{dict(entries)}", f"Record({dict(entries)})")


_COUNTS = re.compile(r"size$|count$|length$|^num|^n_|^n$|width$|height$|steps$|limit$|every$|accumul")


def _infinite() -> list[torch.Tensor]:
    return [torch.full((BATCH, DIM), float("inf")), *(_batch() for _ in range(_ROUNDS - 1))]


_OTHER_BATCHES = (
    Role(lambda size: _pairs(), _BATCHES_OF_PAIRS, _code(_BATCHES_OF_PAIRS)),
    Role(lambda size: _infinite(), _BATCHES_WITH_INFINITY, _code(_BATCHES_WITH_INFINITY)),
)


def candidates_for(names: Mapping[str, Any], company: Company) -> dict[str, Candidate]:
    """Stand-ins as arguments of a constructor."""
    return {
        name: Candidate(role.text, lambda role=role: role.make(0), is_given=True, code=role.code)  # type: ignore[misc]
        for name, role in given_for(names, company, None).items()
        if isinstance(role, Role)
    }
