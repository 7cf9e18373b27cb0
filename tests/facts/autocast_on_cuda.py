"""The spellings of autocast for CUDA and of old versions: their arguments stand in another order. It runs on no CPU."""
import torch
from torch.cuda import amp
from torch.cuda.amp import autocast


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
    return x * 1  # fact: outside
