"""The layers and functions that keep the dtype of their input do so in torch, in a region and outside of one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest

from torchlint.knowledge import autocast

torch = pytest.importorskip("torch")

_Given = dict[str, tuple[object, ...]]

_SIZED: _Given = {"LayerNorm": (4,), "GroupNorm": (2, 4), "RMSNorm": (4,), "Unflatten": (1, (2, 2))}
_SIZED |= dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm"), (4,))
_SIZED |= dict.fromkeys(("InstanceNorm1d", "InstanceNorm2d"), (4,)) | dict.fromkeys(("Softmax", "LogSoftmax"), (-1,))
_SIZED |= dict.fromkeys("MaxPool1d MaxPool2d AvgPool1d AvgPool2d AdaptiveAvgPool1d AdaptiveAvgPool2d".split(), (2,))
_SIZED |= dict.fromkeys(("PixelShuffle", "PixelUnshuffle"), (2,))
_GIVEN: _Given = dict.fromkeys("chunk split repeat_interleave group_norm pixel_shuffle pixel_unshuffle".split(), (2,))
_GIVEN |= dict.fromkeys("max_pool1d max_pool2d avg_pool1d avg_pool2d".split(), (2,))
_GIVEN |= dict.fromkeys("adaptive_avg_pool1d adaptive_avg_pool2d".split(), (2,))
_GIVEN |= {"repeat": (1, 1, 1, 1), "flip": ((0,),), "roll": (1,), "pad": ((1, 1),), "permute": ((0, 1, 2, 3),)}
_GIVEN |= {"transpose": (0, 1), "view": (-1,), "narrow": (0, 0, 1), "clamp": (0.0,), "tile": ((2,),)}
_GIVEN |= {"reshape": ((-1,),), "unsqueeze": (0,), "unflatten": (1, (2, 2)), "expand": (4, 4, 4, 4)}
_GIVEN |= {"softmax": (-1,), "log_softmax": (-1,), "layer_norm": ((4,),), "rms_norm": ((4,),), "dropout": (0.5,)}
_GIVEN |= {"feature_dropout": (0.5, False)}
# Not of torch, or asked for with more than a tensor and numbers.
_NOT_CALLED = {"identity", "rearrange", "masked_fill", "index_select", "batch_norm", "dropout3d", "dropout1d"}


def _contexts() -> tuple[object, ...]:
    return nullcontext(), torch.autocast("cpu", dtype=torch.bfloat16)


def _dtypes(call: Callable[[object], Any], shape: tuple[int, ...]) -> set[object]:
    found = set()
    for context in _contexts():
        with context, torch.no_grad():  # type: ignore[attr-defined]
            result = call(torch.rand(shape).bfloat16())
        found.add((result[0] if isinstance(result, tuple | list) else result).dtype)
    return found


@pytest.mark.parametrize(
    "name", sorted(autocast.LAYERS_THAT_KEEP_DTYPE | autocast.LAYERS_THAT_KEEP_DTYPE_ON_CPU - {"RMSNorm"})
)
def test_a_layer_keeps_the_dtype(name: str) -> None:
    layer = getattr(torch.nn, name)(*_SIZED.get(name, ())).eval()
    ndim = 5 if name.endswith("3d") else 3 if name.endswith("1d") else 4
    assert _dtypes(layer, (4,) * ndim) == {torch.bfloat16}


@pytest.mark.parametrize("name", sorted((autocast.KEEPS_DTYPE | autocast.KEEPS_DTYPE_ON_CPU) - _NOT_CALLED))
def test_a_function_keeps_the_dtype(name: str) -> None:
    homes = (torch.nn.functional, torch, torch.Tensor)
    function = next(getattr(home, name) for home in homes if hasattr(home, name))
    shape = (4,) * (3 if name.endswith("1d") else 4)
    assert _dtypes(lambda x: function(x, *_GIVEN.get(name, ())), shape) == {torch.bfloat16}
