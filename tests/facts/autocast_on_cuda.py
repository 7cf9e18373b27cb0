"""The spellings of autocast for CUDA and of old versions: their arguments stand in another order. It runs on no CPU."""
import torch
from torch.cuda import amp
from torch.cuda.amp import autocast

from accelerate import AutocastKwargs
from mmcv.runner import force_fp32


def spelled(x, flag: bool):
    with autocast():
        x * 1  # fact: in autocast dtype ?
    with amp.autocast(False):
        x * 1  # fact: in island
    with torch.cuda.amp.autocast(True, torch.bfloat16):
        x * 1  # fact: in autocast bfloat16
    with torch.cuda.amp.autocast(enabled=False):
        x * 1  # fact: in island
    with torch.autocast("cuda", torch.float16):
        x * 1  # fact: in autocast float16
    with torch.autocast("cuda", dtype=torch.float32):
        x * 1  # fact: in island
    with torch.autocast(x.device.type, dtype=torch.half):
        x * 1  # fact: in autocast float16
    with torch.cuda.amp.autocast(flag):
        x * 1  # fact: in autocast dtype ?
    with torch.cuda.stream(x):
        x * 1  # fact: outside
    with torch.cuda.device(0):
        x * 1  # fact: outside
    with torch.cuda.amp.GradScaler():
        x * 1  # fact: outside
    with x.autocast(enabled=False):
        x * 1  # fact: in island
    with x.autocast_smart_context_manager():
        x * 1  # fact: in autocast dtype ?
    return x * 1  # fact: outside


@autocast()
def decorated(x):
    return x * 1  # fact: in autocast dtype ?


@autocast(enabled=False)
def island(x):
    return x * 1  # fact: in island


@torch.cuda.amp.custom_fwd(cast_inputs=torch.float32)
def custom(x):
    return x * 1  # fact: in island


@torch.cuda.amp.custom_fwd
def custom_without_cast(x):
    return x * 1  # fact: outside


def of_libraries(x, accelerator, fabric, trainer, handler):
    with accelerator.autocast():
        x * 1  # fact: in autocast dtype ?
    with accelerator.autocast(autocast_handler=AutocastKwargs(enabled=False)):
        x * 1  # fact: in island
    with fabric.autocast(), torch.no_grad():
        x * 1  # fact: in autocast dtype ?; gradients off
    with trainer.precision_plugin.forward_context():
        x * 1  # fact: in autocast dtype ?
    with trainer.strategy.precision_plugin.train_step_context():
        x * 1  # fact: in autocast dtype ?
    with accelerator.accumulate(x):
        x * 1  # fact: outside
    with accelerator.no_sync(x):
        x * 1  # fact: outside
    with handler.disable_autocast():
        x * 1  # fact: in island
    with handler.maybe_autocast(dtype=torch.float16):
        x * 1  # fact: in autocast float16
    with handler.autocast_context:
        x * 1  # fact: in autocast dtype ?
    with handler.profile():
        x * 1  # fact: outside
    return x * 1  # fact: outside


@force_fp32(apply_to=("x",))
def forced(x):
    return x * 1  # fact: in island
