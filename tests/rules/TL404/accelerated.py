"""accelerate scales and unscales itself: what it prepares with an optimizer must be float32, what is frozen need not."""
import torch
from accelerate import Accelerator


def full(config, unet, vae, batches):
    accelerator = Accelerator(mixed_precision=config.mixed_precision)
    weight_dtype = torch.float32
    if accelerator.mixed_precision == "fp16":
        weight_dtype = torch.float16
    elif accelerator.mixed_precision == "bf16":
        weight_dtype = torch.bfloat16
    vae.requires_grad_(False)
    vae.to(accelerator.device, dtype=weight_dtype)  # ok: TL404  frozen
    unet.to(accelerator.device, dtype=weight_dtype)  # expect: TL404
    optimizer = torch.optim.SGD(unet.parameters(), lr=config.lr)
    unet, optimizer = accelerator.prepare(unet, optimizer)
    for batch in batches:
        accelerator.backward(unet(vae(batch)).mean())
        optimizer.step()


def with_adapters(config, unet, adapters, batches):
    accelerator = Accelerator(mixed_precision="fp16")
    unet.requires_grad_(False)
    unet.to(accelerator.device, dtype=torch.float16)  # ok: TL404  the adapters are trained
    optimizer = torch.optim.SGD(adapters.parameters(), lr=config.lr)
    adapters, optimizer = accelerator.prepare(adapters, optimizer)


def either(config, unet, batches):
    accelerator = Accelerator(mixed_precision="fp16")
    unet.requires_grad_(not config.use_lora)
    if config.use_lora:
        unet.to(accelerator.device, dtype=torch.float16)  # ok: TL404  frozen under the same test
    else:
        optimizer = torch.optim.SGD(unet.parameters(), lr=config.lr)
        unet, optimizer = accelerator.prepare(unet, optimizer)


def trained_or_not(config, unet):
    accelerator = Accelerator(mixed_precision="fp16")
    unet.requires_grad_(not config.use_lora)
    unet.to(accelerator.device, dtype=torch.float16)  # expect: TL404
    optimizer = torch.optim.SGD(unet.parameters(), lr=config.lr)
    return accelerator.prepare(unet, optimizer)


def cast_back(config, unet):
    accelerator = Accelerator(mixed_precision="fp16")
    unet.to(accelerator.device, dtype=torch.float16)  # ok: TL404  what is trained becomes float32
    cast_training_params(unet, dtype=torch.float32)
    optimizer = torch.optim.SGD(unet.parameters(), lr=config.lr)
    return accelerator.prepare(unet, optimizer)


def cast_training_params(model, dtype):
    for p in model.parameters():
        if p.requires_grad:
            p.data = p.data.to(dtype)
