"""Followers: values that lie where the inputs of a function or the parameters of a module are."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from torchlint.knowledge.factories import FACTORIES, LIKE
from torchlint.knowledge.lookup import is_metadata, is_view
from torchlint.model.devices.follower_forms import (
    behind_views,
    differentiates,
    goes_to_cpu,
    is_called_dtype,
    is_filled,
    is_number,
    itself,
    keeps_place,
    layer_called,
    paired,
    taken_apart,
)
from torchlint.model.devices.stateful import holds_state
from torchlint.model.evaluation.tensor_arguments import is_tensor_argument, operands
from torchlint.model.facts import Function
from torchlint.model.flow.signatures import receiver_of
from torchlint.model.flow.uses import parents_in
from torchlint.model.frames import Frame, last_name
from torchlint.model.modules.members import entered
from torchlint.model.terms import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Comprehension,
    Constant,
    Display,
    Element,
    Imported,
    Item,
    Operation,
    Starred,
    Subscript,
    Term,
    children,
)
from torchlint.model.values import Kind, TensorValue

_ARITHMETIC = frozenset("+ - * / ** // % @ & | ^ < <= > >= == !=".split())
_MOVES = frozenset("to cuda type type_as cpu expand_as view_as reshape_as new".split()) | LIKE
_SAME_ELEMENTS = frozenset("list tuple reversed sorted groupby".split())
_NUMBERS = frozenset((Kind.NUMBER, Kind.ARRAY, Kind.OTHER, Kind.NONE, Kind.CALLABLE, Kind.MODULE, Kind.CONTAINER))
_NETWORK = re.compile(
    r"(\w+_)?(model|net|network|generator|discriminator|gen|disc|actor|critic|encoder|decoder|backbone|policy|q_?net"
    r"|net[a-z]|classifier|student|teacher|unet|vae|resnet|bert|head|features?|\w*extractor)(_\w+|\d+)?|[a-z]_net|[gd]"
)
_CRITERION = re.compile(r"(\w+_)?(criterion|criteria|loss|loss_?fn|loss_?func|loss_function)(_\w+|\d+)?")
# Methods of a tensor that give several.
_SEVERAL = frozenset(
    "topk sort max min median mode kthvalue chunk split unbind tensor_split split_with_sizes svd qr eigh".split()
)
_BATCHES = frozenset("batch minibatch input output target sampl data_dict".split())
_DEPTH = 24
_CALL_DEPTH = 3


@dataclass(frozen=True)
class Followers:
    """The question for one frame. arguments: whether the tensors among its parameters count. given: the parameters, by
    position, for which a caller passes such a tensor. moved: whether what the program moves to an accelerator counts
    as well, and what networks make of it. elsewhere: the parameters that all callers bring from the CPU. devices: those
    for which a caller passes the device of such a tensor."""

    frame: Frame
    arguments: bool
    given: frozenset[int] = frozenset()
    moved: bool = False
    elsewhere: frozenset[int] = frozenset()
    devices: frozenset[int] = frozenset()
    asked: dict[int, bool] = field(default_factory=dict)

    def holds(self, term: Term, depth: int = _DEPTH) -> bool:
        """True for a tensor that comes from the inputs, the parameters or the result of a network, and stays there."""
        known = self.asked.get(id(term))
        if known is None:
            self.asked[id(term)] = False
            known = self.asked[id(term)] = depth > 0 and self._holds(term, depth - 1)
        return known

    def _holds(self, term: Term, depth: int) -> bool:
        value = self.frame.value(term)
        if value.kind in (Kind.PARAMETER, Kind.BUFFER) or (isinstance(term, Argument) and term.index in self.given):
            return True
        if value.placed:
            return self._is_moved(value) or self._is_met(term, depth)
        if isinstance(term, Comprehension):
            return term.kind != "dict" and self.holds(term.parts[-1], depth)
        if isinstance(term, Display):
            # A tuple that a function returns; of a mixed one nobody knows which part is taken.
            return term.kind != "dict" and bool(term.parts) and all(self.holds(part, depth) for part in term.parts)
        if isinstance(term, Starred) or is_filled(term):
            return any(self.holds(part, depth) for part in children(term))
        if value.device is not None or (value.kind in _NUMBERS and not isinstance(term, Choice)):
            return False
        if any(differentiates(term, parent) for parent in parents_in(self.frame.function).get(id(term), ())):
            return True
        if isinstance(term, Argument):
            return self._is_tensor_argument(term, value)
        if isinstance(term, Captured):
            outer = self.frame.outer
            return outer is not None and Followers(outer, self.arguments, moved=self.moved).holds(term.value, depth)
        if isinstance(term, Call):
            return self._is_result(term, value, depth)
        if isinstance(term, Attribute):
            return not is_number(term.name) and self.holds(term.known or term.base, depth)
        if isinstance(term, Subscript):
            return self._is_of_batch(term) or self.holds(term.base, depth) or self._is_one_of(term.base, depth)
        if isinstance(term, Operation):
            return term.operator.rstrip("=") in _ARITHMETIC | {""} and any(self.holds(p, depth) for p in term.parts)
        if isinstance(term, Choice):
            return any(self.holds(option, depth) for option in term.options)
        if isinstance(term, (Item, Element)):
            pair = paired(term)
            return self._is_part(term, depth) if pair is None else self.holds(pair, depth)
        return False

    def _is_moved(self, value: TensorValue) -> bool:
        return self.moved and bool(value.placed) and all(one.how != "made" for one in value.placed)

    def _is_met(self, term: Term, depth: int) -> bool:
        """Of what a fixed tensor went into: True where something of the inputs did as well, and torch has raised."""
        if isinstance(term, Operation):
            return any(self.holds(part, depth) for part in term.parts)
        if not isinstance(term, Call) or last_name(term) in _MOVES:
            return False
        is_method = isinstance(term.callee, Attribute) and not isinstance(term.callee.base, Imported)
        returned = self._returns_one(term, depth)
        if returned is not None:
            return returned
        base = (term.callee.base,) if is_method and isinstance(term.callee, Attribute) else ()
        if is_method and _takes_sizes(last_name(term)):
            return any(self.holds(part, depth) for part in base)
        return (is_method or self._is_of_torch(term)) and any(
            self.holds(part, depth) for part in (*base, *operands(term))
        )

    def _is_tensor_argument(self, term: Argument, value: TensorValue) -> bool:
        if not self.arguments or term.index in self.elsewhere:
            return False
        bound = self.frame.arguments.get(term.index)
        if bound is not None and not bound.is_tensor and bound.kind is not Kind.UNKNOWN:
            return False
        return value.is_tensor or is_tensor_argument(term.index, self.frame.function)

    def _is_of_batch(self, term: Subscript) -> bool:
        """True for batch["image"]: a batch is moved as a whole, unless the function does so with its items."""
        base = term.base
        if not self.arguments or not isinstance(base, Argument) or base.name.rstrip("es") not in _BATCHES:
            return False
        is_named = isinstance(term.index, Constant) and isinstance(term.index.value, str)
        return is_named and base.index not in taken_apart(self.frame.function)

    def _is_part(self, term: Item | Element, depth: int) -> bool:
        """Of what several values come from: the outputs of a network, the pieces of a tensor, what zip() pairs."""
        whole = term.base if isinstance(term, Item) else term.iterable
        if self._is_one_of(whole, depth):
            return True
        if isinstance(whole, Call) and (self.runs_network(whole) or self._is_of_torch(whole)):
            return self._is_result(whole, self.frame.value(whole), depth, is_part=True)
        if isinstance(whole, Call) and last_name(whole) in _SAME_ELEMENTS:
            return any(self.holds(part, depth) for part in whole.arguments)
        if isinstance(whole, Call):
            return self._returns_one(whole, depth) is True
        if isinstance(whole, Comprehension):
            return self.holds(whole, depth)
        return isinstance(whole, (Argument, Choice, Subscript)) and self.holds(whole, depth)

    def _is_one_of(self, whole: Term, depth: int) -> bool:
        """True for the several tensors that are made of one: x.chunk(2), torch.topk(x, 3)."""
        if not isinstance(whole, Call) or last_name(whole) not in _SEVERAL:
            return False
        callee = whole.callee
        is_several = self.frame.value(whole).kind in (Kind.CONTAINER, Kind.UNKNOWN)
        if isinstance(callee, Attribute) and not isinstance(callee.base, Imported):
            return is_several and self.holds(callee.base, depth)
        is_of_torch = isinstance(callee, Imported) and callee.name.startswith("torch.")
        return is_several and is_of_torch and any(self.holds(part, depth) for part in operands(whole))

    def _is_result(self, call: Call, value: TensorValue, depth: int, *, is_part: bool = False) -> bool:
        callee = call.callee
        if goes_to_cpu(behind_views(call)):
            return False
        if self.runs_network(call):
            if self._stays_where_made(callee):
                return False
            given = (self.frame.value(part) for part in operands(call))
            return not any(value.placed and not self._is_moved(value) for value in given)
        if isinstance(callee, Attribute) and not isinstance(callee.base, Imported):
            if callee.name in ("to", "type_as") and not self._casts(call):
                return self._is_moved_beside(call, depth)
            if self.holds(callee.base, depth):
                return not is_metadata(callee.name)
            if self.frame.value(callee.base).is_tensor:
                return False
        if self._is_of_torch(call) or self.frame.value(callee).kind is Kind.MODULE or is_criterion(call):
            return any(self.holds(part, depth) for part in operands(call))
        returned = self._returns_one(call, depth)
        if returned is not None:
            return returned
        if last_name(call) in FACTORIES and isinstance(callee, Imported):
            return self._is_made_beside(call, depth)
        if self._is_handed_in(callee):
            return any(self.holds(part, depth) for part in operands(call))
        states = any(source.kind == "state" for source in value.sources)
        return value.is_tensor and states

    def _is_handed_in(self, callee: Term) -> bool:
        """True for a function that a caller gave, or that the object was given: what it makes of a tensor lies beside
        it."""
        callee = itself(callee)
        is_kept = isinstance(callee, Attribute) and self.frame.is_self(callee.base)
        return (is_kept or isinstance(callee, Argument)) and self.frame.value(callee).kind is Kind.UNKNOWN

    def _stays_where_made(self, network: Term) -> bool:
        """True for a network that the function itself makes, keeps to itself and never moves: it is on the CPU."""
        if not isinstance(network, Call) or self.frame.value(network).kind is not Kind.MODULE:
            return False
        if self.frame.value(network.callee).made_by != "class":
            return False
        parents = parents_in(self.frame.function).get(id(network), ())
        named = (parent.name if isinstance(parent, Attribute) else "" for parent in parents)
        is_kept = all(keeps_place(parent, network) for parent in parents)
        return is_kept and not any(name in _MOVES for name in named)

    def _is_moved_beside(self, call: Call, depth: int) -> bool:
        """False for x.to("cpu"), and for what is moved to a tensor that does not follow the inputs itself. A device
        of which no more is known is the one of the network."""
        target = call.keyword("device") or call.keyword("other") or (call.arguments[0] if call.arguments else None)
        if target is None or (isinstance(target, Constant) and str(target.value).startswith("cpu")):
            return target is None
        other = target.base if isinstance(target, Attribute) and target.name == "device" else target
        value = self.frame.value(other)
        is_asked = isinstance(other, Argument) and is_tensor_argument(other.index, self.frame.function)
        is_known = value.is_tensor or bool(value.placed) or is_asked
        return self.holds(other, depth) if is_known else True

    def _is_made_beside(self, call: Call, depth: int) -> bool:
        """True for torch.zeros(.., device=x.device): a factory takes nothing but sizes and numbers from the rest."""
        device = call.keyword("device")
        if isinstance(device, Argument) and device.index in self.devices:
            return True
        if not isinstance(device, Attribute) or device.name != "device":
            return False
        return self._asks_network(device) or self.holds(device.base, depth)

    def _asks_network(self, device: Attribute) -> bool:
        """True for self.device of a module that keeps none: a property, or its framework, asks the parameters."""
        view = self.frame.view
        is_own = view is not None and view.is_module and self.frame.is_self(device.base)
        return is_own and view is not None and not view.state.writes("device")

    def _returns_one(self, call: Call, depth: int) -> bool | None:
        """Whether a function of the project returns what follows the inputs; None for any other. Of its parameters
        those follow that the call gives such a tensor."""
        callee = call.callee
        is_own = isinstance(callee, Attribute) and self.frame.is_self(callee.base)
        if self.frame.depth > _CALL_DEPTH or not (is_own or isinstance(self.frame.value(callee).of, Function)):
            return None
        returns = [(inner, event.value) for inner in entered(call, self.frame) for event in inner.function.returned]
        if not returns:
            return None
        return any(
            Followers(
                inner,
                arguments=False,
                given=self.given_to(call, inner, depth - 2),
                devices=self.devices_given_to(call, inner, depth - 2),
            ).holds(value, depth - 2)
            for inner, value in returns
        )

    def given_to(self, call: Call, inner: Frame, depth: int = _DEPTH) -> frozenset[int]:
        """The parameters of a function for which a call passes what follows the inputs."""
        return frozenset(index for index, term in self._given(call, inner) if self.holds(term, depth))

    def devices_given_to(self, call: Call, inner: Frame, depth: int = _DEPTH) -> frozenset[int]:
        """The parameters of a function for which a call passes the device of what follows the inputs."""
        given = ((index, term) for index, term in self._given(call, inner) if isinstance(term, Attribute))
        return frozenset(i for i, term in given if term.name == "device" and self.holds(term.base, depth))

    def _given(self, call: Call, inner: Frame) -> list[tuple[int, Term]]:
        """What a call passes, with the parameters it is for."""
        function = inner.function
        offset = int(receiver_of(call, function) is not None)
        names = {parameter.name: index for index, parameter in enumerate(function.parameters)}
        positions = [(index + offset, term) for index, term in enumerate(call.arguments)]
        return positions + [(names[key], term) for key, term in call.keywords if key in names]

    def _casts(self, call: Call) -> bool:
        """True for .to(dtype): it moves nothing."""
        return all(
            key == "dtype" or self.frame.value(term).made_by == "dtype" or is_called_dtype(term)
            for key, term in _given(call)
        )

    def _is_of_torch(self, call: Call) -> bool:
        made_by = self.frame.value(call.callee).made_by or ""
        return made_by.startswith("torch.") and made_by.rpartition(".")[2] not in FACTORIES

    def runs_network(self, call: Call) -> bool:
        """True for the call of a module that holds parameters, or of what is called like a network."""
        layer = layer_called(call.callee, self.frame)
        value = self.frame.value(layer)
        if isinstance(layer, Element) and value.kind is Kind.UNKNOWN:
            # Of a list of modules that the object was given.
            return any(source.kind == "state" for source in value.sources)
        if value.kind is Kind.MODULE and value.of is None and value.made_by is None:
            return not is_criterion(call)
        if value.kind is Kind.MODULE:
            return value.of is not None or holds_state(value)
        callee = itself(call.callee)
        if self.frame.is_self(callee):
            return False
        name = last_name(callee)
        if isinstance(callee, (Argument, Captured)):
            inner = callee.value if isinstance(callee, Captured) else callee
            name = inner.name if isinstance(inner, Argument) else ""
        is_plain = isinstance(callee, (Argument, Captured, Attribute)) and value.kind is Kind.UNKNOWN
        return is_plain and _NETWORK.fullmatch(name.lower()) is not None


def is_criterion(term: Term) -> bool:
    """True for what is called like a loss."""
    callee = term.callee if isinstance(term, Call) else term
    return _CRITERION.fullmatch(last_name(callee) or getattr(callee, "name", "")) is not None


def _takes_sizes(method: str) -> bool:
    """True for x.expand(n, m): what is given beside the tensor are numbers, whatever they come from."""
    return is_view(method) or method in ("repeat", "tile", "reshape")


def _given(call: Call) -> list[tuple[str | None, Term]]:
    return [*((None, term) for term in call.arguments), *call.keywords]
