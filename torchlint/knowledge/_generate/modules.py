"""What the layers of torch.nn return and register, seen by building and calling each one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from torchlint.knowledge._generate.classify import Code, classify
from torchlint.knowledge._generate.observe import Call, observe

State = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
Build = tuple[tuple[Any, ...], tuple[Any, ...]]  # what the class is built with, what the instance is called with

_MATRIX = torch.ones(3, 4)
_CLASSES = torch.tensor([1, 0, 2])
_SIGNS = torch.tensor([1.0, -1.0, 1.0])
_SEQUENCE = torch.ones(2, 3, 4)


def _images(dimensions: int) -> Tensor:
    return torch.ones(2, 4, *[6] * dimensions)


def _per_dimension(
    pattern: str, build: Callable[[int], Build], dimensions: tuple[int, ...] = (1, 2, 3)
) -> dict[str, Build]:
    return {pattern.format(count): build(count) for count in dimensions}


def _unpooling(dimensions: int) -> Build:
    pooled, indices = getattr(nn, f"MaxPool{dimensions}d")(2, return_indices=True)(_images(dimensions))
    return (2,), (pooled, indices)


# Layers that are built with nothing and called with a matrix need no line here.
_BUILDS: dict[str, Build] = {
    **_per_dimension("AdaptiveAvgPool{}d", lambda count: ((2,), (_images(count),))),
    **_per_dimension("AdaptiveMaxPool{}d", lambda count: ((2,), (_images(count),))),
    **_per_dimension("AvgPool{}d", lambda count: ((2,), (_images(count),))),
    **_per_dimension("MaxPool{}d", lambda count: ((2,), (_images(count),))),
    **_per_dimension("LPPool{}d", lambda count: ((2, 2), (_images(count),))),
    **_per_dimension("MaxUnpool{}d", _unpooling),
    **_per_dimension("FractionalMaxPool{}d", lambda count: ((2, 3), (_images(count),)), (2, 3)),
    **_per_dimension("BatchNorm{}d", lambda count: ((4,), (_images(count),))),
    **_per_dimension("InstanceNorm{}d", lambda count: ((4,), (_images(count),))),
    **_per_dimension("LazyBatchNorm{}d", lambda count: ((), (_images(count),))),
    **_per_dimension("LazyInstanceNorm{}d", lambda count: ((), (_images(count),))),
    **_per_dimension("Conv{}d", lambda count: ((4, 2, 3), (_images(count),))),
    **_per_dimension("ConvTranspose{}d", lambda count: ((4, 2, 3), (_images(count),))),
    **_per_dimension("LazyConv{}d", lambda count: ((2, 3), (_images(count),))),
    **_per_dimension("LazyConvTranspose{}d", lambda count: ((2, 3), (_images(count),))),
    **_per_dimension("Dropout{}d", lambda count: ((), (_images(count),))),
    **_per_dimension("ConstantPad{}d", lambda count: ((1, 0.0), (_images(count),))),
    **{
        name: build
        for kind in ("Reflection", "Replication", "Zero", "Circular")
        for name, build in _per_dimension(f"{kind}Pad{{}}d", lambda count: ((1,), (_images(count),))).items()
    },
    "AdaptiveLogSoftmaxWithLoss": ((4, 6, [2, 4], 1.0), (_MATRIX, _CLASSES)),
    "BCELoss": ((), (torch.sigmoid(_MATRIX), torch.sigmoid(_MATRIX))),
    "Bilinear": ((4, 4, 2), (_MATRIX, _MATRIX)),
    "CTCLoss": ((), (torch.ones(5, 1, 4), torch.ones(1, 2, dtype=torch.int64), torch.tensor([5]), torch.tensor([2]))),
    "ChannelShuffle": ((2,), (_images(2),)),
    "CosineEmbeddingLoss": ((), (_MATRIX, _MATRIX, _SIGNS)),
    "CrossEntropyLoss": ((), (_MATRIX, _CLASSES)),
    "CrossMapLRN2d": ((2,), (_images(2),)),
    "Embedding": ((5, 2), (_CLASSES,)),
    "EmbeddingBag": ((5, 2), (_CLASSES, torch.tensor([0]))),
    "Fold": (((4, 4), (2, 2)), (torch.ones(1, 4, 9),)),
    "GRU": ((4, 3), (_SEQUENCE,)),
    "GRUCell": ((4, 3), (_MATRIX,)),
    "GaussianNLLLoss": ((), (_MATRIX, _MATRIX, _MATRIX)),
    "GroupNorm": ((2, 4), (_images(2),)),
    "LSTM": ((4, 3), (_SEQUENCE,)),
    "LSTMCell": ((4, 3), (_MATRIX,)),
    "LayerNorm": ((4,), (_MATRIX,)),
    "LazyLinear": ((2,), (_MATRIX,)),
    "Linear": ((4, 2), (_MATRIX,)),
    "LinearCrossEntropyLoss": ((4, 3), (_MATRIX, _CLASSES)),
    "LocalResponseNorm": ((2,), (_images(2),)),
    "MarginRankingLoss": ((), (_SIGNS, _SIGNS, _SIGNS)),
    "MultiLabelMarginLoss": ((), (_MATRIX, torch.zeros(3, 4, dtype=torch.int64))),
    "MultiMarginLoss": ((), (_MATRIX, _CLASSES)),
    "MultiheadAttention": ((4, 2), (_SEQUENCE, _SEQUENCE, _SEQUENCE)),
    "NLLLoss": ((), (_MATRIX, _CLASSES)),
    "NLLLoss2d": ((), (_images(2), torch.zeros(2, 6, 6, dtype=torch.int64))),
    "PixelShuffle": ((2,), (_images(2),)),
    "PixelUnshuffle": ((2,), (_images(2),)),
    "RMSNorm": ((4,), (_MATRIX,)),
    "RNN": ((4, 3), (_SEQUENCE,)),
    "RNNCell": ((4, 3), (_MATRIX,)),
    "Softmax2d": ((), (_images(2),)),
    "SyncBatchNorm": ((4,), (_images(2),)),
    "Threshold": ((0.1, 20.0), (_MATRIX,)),
    "Transformer": ((4, 2, 1, 1), (_SEQUENCE, _SEQUENCE)),
    "TransformerDecoder": ((nn.TransformerDecoderLayer(4, 2), 1), (_SEQUENCE, _SEQUENCE)),
    "TransformerDecoderLayer": ((4, 2), (_SEQUENCE, _SEQUENCE)),
    "TransformerEncoder": ((nn.TransformerEncoderLayer(4, 2, batch_first=True), 1), (_SEQUENCE,)),
    "TransformerEncoderLayer": ((4, 2), (_SEQUENCE,)),
    "TripletMarginLoss": ((), (_MATRIX, _MATRIX, _MATRIX)),
    "TripletMarginWithDistanceLoss": ((), (_MATRIX, _MATRIX, _MATRIX)),
    "Unflatten": ((1, (2, 2)), (_MATRIX,)),
    "Unfold": ((2,), (_images(2),)),
    "Upsample": ((None, 2), (_images(2),)),
    "UpsamplingBilinear2d": ((4,), (_images(2),)),
    "UpsamplingNearest2d": ((4,), (_images(2),)),
}
_TWO_OPERANDS = """
    BCEWithLogitsLoss CosineSimilarity HingeEmbeddingLoss HuberLoss KLDivLoss L1Loss MSELoss MultiLabelSoftMarginLoss
    PairwiseDistance PoissonNLLLoss SmoothL1Loss SoftMarginLoss
    """.split()
# Containers and bases: calling one runs somebody else's code, or is an error.
_UNCALLED = frozenset(
    """
    Container DataParallel Module ModuleDict ModuleList ParameterDict ParameterList RNNBase RNNCellBase Sequential
    """.split()
)


# What registers more where it is asked for: {"torch.nn.LSTM": with a projection, ...}.
_ASKED: dict[str, dict[str, Any]] = {
    "LSTM": {"proj_size": 2},
    "MultiheadAttention": {"add_bias_kv": True},
}
# Modules of torch that are no layers of torch.nn and register something of their own.
_OTHERS: dict[str, Callable[[], nn.Module]] = {
    "torch.optim.swa_utils.AveragedModel": lambda: torch.optim.swa_utils.AveragedModel(nn.Linear(1, 1)),
    "torch.nn.DataParallel": lambda: nn.DataParallel(nn.Linear(1, 1)),
}


def module_classes() -> dict[str, type[nn.Module]]:
    """The public layer classes by dotted name, in alphabetical order: {"torch.nn.Linear": nn.Linear, ...}."""
    return {
        f"torch.nn.{name}": member
        for name, member in sorted(vars(nn).items())
        if inspect.isclass(member) and issubclass(member, nn.Module)
    }


def module_paths() -> dict[str, str]:
    """The defining path of each class: {"torch.nn.modules.linear.Linear": "torch.nn.Linear", ...}."""
    return {f"{member.__module__}.{member.__qualname__}": name for name, member in module_classes().items()}


def returns_and_state() -> tuple[dict[str, Code], dict[str, State]]:
    """(what calling an instance returns, its own (parameters, buffers, children)), by dotted class name.

    A private base of layers has what all of them have. A layer with floating parameters returns "float" where a
    parameterless one returns "same": the dtype of its weights.
    """
    returned: dict[str, Code] = {}
    state: dict[str, State] = {}
    for name, member in module_classes().items():
        last = name.rpartition(".")[2]
        if last in _UNCALLED:
            returned[name] = "unknown"
            continue
        operands = (_MATRIX, _MATRIX) if last in _TWO_OPERANDS else (_MATRIX,)
        arguments, inputs = _BUILDS.get(last, ((), operands))
        returned[name] = _code(member, arguments, inputs)
        state[name] = _united(_registered(member(*arguments)), _registered(member(*arguments, **_ASKED.get(last, {}))))
    others = {name: _registered(build()) for name, build in _OTHERS.items()}
    return returned, {**state, **dict(_of_bases(state)), **others}


def _of_bases(state: dict[str, State]) -> Iterator[tuple[str, State]]:
    """What the layers that derive from one of torch's other classes have in common, by the name of that class."""
    derived: dict[str, list[State]] = {}
    for name, own in state.items():
        for base in module_classes()[name].__mro__[1:]:
            path = f"{base.__module__}.{base.__qualname__}"
            public = module_paths().get(path, path)
            if issubclass(base, nn.Module) and base is not nn.Module and public not in state:
                derived.setdefault(public, []).append(own)
    for name, states in sorted(derived.items()):
        yield name, _shared(states)


def _shared(states: list[State]) -> State:
    parameters, buffers, children = (
        tuple(name for name in states[0][part] if all(name in each[part] for each in states)) for part in range(3)
    )
    return parameters, buffers, children


def _united(first: State, second: State) -> State:
    parameters, buffers, children = (tuple(dict.fromkeys((*first[part], *second[part]))) for part in range(3))
    return parameters, buffers, children


def index_inputs() -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The inputs of layers that must hold integers, as in INDEX_ARGUMENTS: ("torch.nn.Embedding", (0, "input"))."""
    for name, member in module_classes().items():
        arguments, inputs = _BUILDS.get(name.rpartition(".")[2], ((), ()))
        positions = [position for position, item in enumerate(inputs) if _is_index(item)]
        module = member(*arguments) if positions else None
        refused = [position for position in positions if module and not observe(module, _floated(inputs, position))]
        if module and refused:
            keywords = list(inspect.signature(module.forward).parameters)
            soft = ("soft",) if observe(module, Call((_MATRIX, _MATRIX.softmax(1)), {})) else ()
            yield name, (*(item for position in refused for item in (position, keywords[position])), *soft)


def _is_index(item: Any) -> bool:
    return isinstance(item, Tensor) and item.dtype is torch.int64


def _floated(inputs: tuple[Any, ...], position: int) -> Call:
    return Call((*inputs[:position], inputs[position].float(), *inputs[position + 1 :]), {})


def _code(member: type[nn.Module], arguments: tuple[Any, ...], inputs: tuple[Any, ...]) -> Code:
    torch.manual_seed(0)
    weights = bool(list(member(*arguments).parameters()))
    observations = []
    for dtype in (torch.float32, torch.float64):
        module = member(*arguments).to(dtype).eval()
        call = Call(tuple(_converted(item, dtype) for item in inputs), {})
        observation = observe(module, call)
        if observation is None:
            raise ValueError(f"torch.nn.{member.__name__}: the call of modules.py is refused, correct its line there")
        observations.append(observation)
    return _of_weights(classify(observations)) if weights else classify(observations)


def _of_weights(code: Code) -> Code:
    if isinstance(code, str):
        return "float" if code in ("same", "default", "tensor") else code
    return tuple(_of_weights(part) for part in code)


def _registered(module: nn.Module) -> State:
    """Own parameters, buffers and children, the ones set to None included: the name is registered all the same. The
    children of a container have numbers for names, and say nothing of another."""
    children = tuple(name for name in module._modules if not name.isdigit())
    return tuple(module._parameters), tuple(module._buffers), children


def _converted(item: Any, dtype: torch.dtype) -> Any:
    return item.to(dtype) if isinstance(item, Tensor) and item.is_floating_point() else item
